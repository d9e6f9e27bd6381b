import { smallChange } from '../change.ts';
import { Complaint } from '../complaint.ts';
import { readAsTool } from '../files.ts';
import { code } from '../markdown.ts';
import { propose } from '../proposal.ts';
import type { Skill } from '../turn.ts';
import { cleanPath } from '../words.ts';

/** Proposes one small, harmless change to a file and writes it when the person agrees. */
export const edit: Skill = {
  name: 'edit',
  description: 'Propose a small change to a file, ask for permission, and write it',
  hint: 'path of a file',
  example: '/edit README.md',

  async run(turn, argument) {
    const file = await readAsTool(turn, cleanPath(argument));
    const change = smallChange(file.name, file.text);
    if (!change) {
      throw new Complaint(
        `I know no small change to ${code(file.name)} that is sure to be harmless, so I propose none.`,
      );
    }
    return propose(turn, {
      path: file.path,
      title: `Edit ${file.name}`,
      before: file.text,
      after: change.text,
      line: change.line,
      summary: change.summary,
    });
  },
};
