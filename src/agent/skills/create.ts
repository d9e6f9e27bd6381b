import { Complaint } from '../complaint.ts';
import { code } from '../markdown.ts';
import { propose } from '../proposal.ts';
import type { Skill } from '../turn.ts';
import { cleanPath } from '../words.ts';

/** Proposes a new file with one line in it. */
export const create: Skill = {
  name: 'new',
  description: 'Propose a new small file, ask for permission, and write it',
  hint: 'path of a file that does not exist yet',
  example: '/new notes/idea.md',

  async run(turn, argument) {
    const target = await turn.workspace.locate(cleanPath(argument));
    const name = turn.workspace.name(target);
    if ((await turn.workspace.kindOf(target)) !== 'none') {
      throw new Complaint(
        `${code(name)} is there already. ${code(`/edit ${name}`)} proposes a change to it.`,
      );
    }
    return propose(turn, {
      path: target,
      title: `Create ${name}`,
      before: null,
      after: 'Written by the Parley reference agent.\n',
      line: 1,
      summary: 'It is a new file with one line.',
    });
  },
};
