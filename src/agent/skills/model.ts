import type { Skill } from '../turn.ts';

/** Says which language model there is, or how to give the agent one. */
export const model: Skill = {
  name: 'model',
  description: 'Say which language model I use, or how to give me one',
  example: '/model',

  run: (turn) => turn.model.describe(turn),
};
