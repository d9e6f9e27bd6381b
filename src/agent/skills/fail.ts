import { Refusal } from '../server/faults.ts';
import { Complaint } from '../complaint.ts';
import type { Skill } from '../turn.ts';

const INTERNAL_ERROR = -32603;

/** Fails on purpose, once inside a tool call and once as a whole. */
export const fail: Skill = {
  name: 'fail',
  description: 'Fail on purpose: a tool call that fails, then the whole turn',
  example: '/fail',

  async run(turn) {
    await turn.say('You asked for a failure. First a tool call that cannot work:');
    const failed = turn.tool({ title: 'Open a file that does not exist', kind: 'read' }, () =>
      Promise.reject(new Complaint('There is no such file. This failure was asked for.')),
    );
    await failed.catch((error: unknown) => {
      if (!(error instanceof Complaint)) throw error;
    });
    throw new Refusal(
      INTERNAL_ERROR,
      'This turn failed because you asked for it with /fail. Nothing is broken: just send the next message.',
    );
  },
};
