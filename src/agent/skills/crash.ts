import type { Skill } from '../turn.ts';

const MAX_CODE = 255;

/** Ends the whole process in the middle of a message, which is its only purpose: to see what a client makes of it. */
export const crash: Skill = {
  name: 'crash',
  description: 'End this agent in the middle of a message, to see what the client does',
  hint: 'the exit code, 1 if you name none',
  example: '/crash 3',

  async run(turn, argument) {
    const asked = /^\d{1,3}$/.test(argument) ? Number(argument) : 1;
    const exitCode = asked <= MAX_CODE ? asked : 1;
    await turn.say(`You asked for it: I end now, with exit code ${exitCode}, in the mid`);
    return process.exit(exitCode);
  },
};
