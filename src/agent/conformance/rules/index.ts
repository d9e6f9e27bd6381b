import type { Subject } from '../rule.ts';
import { ending } from './ending.ts';
import { errors } from './errors.ts';
import { initialize } from './initialize.ts';
import { prompts } from './prompts.ts';
import { sessions } from './sessions.ts';
import { transport } from './transport.ts';

/** All rows of the report, in their order. */
export const SUBJECTS: readonly Subject[] = [
  initialize,
  transport,
  errors,
  sessions,
  prompts,
  ending,
];
