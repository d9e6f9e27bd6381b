import { OWN_QUESTION, TERMINALS } from './commands.ts';
import { ASKING, EMPTY, RTL, THINKING, TROUBLE, WORKING } from './states.ts';

/** Named for the pictures. */
export const STATES = {
  WORKING,
  THINKING,
  EMPTY,
  TROUBLE,
  ASKING,
  RTL,
  TERMINALS,
  OWN_QUESTION,
} as const;
