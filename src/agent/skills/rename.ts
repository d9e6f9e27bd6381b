import { renameWord } from '../change.ts';
import { Complaint } from '../complaint.ts';
import { readAsTool } from '../files.ts';
import { code, count } from '../markdown.ts';
import { propose } from '../proposal.ts';
import type { Skill } from '../turn.ts';
import { cleanPath } from '../words.ts';

/** Replaces a whole word in one file, after permission. */
export const rename: Skill = {
  name: 'rename',
  description: 'Replace a whole word in a file, after your permission',
  hint: 'old new path',
  example: '/rename oldName newName src/index.ts',

  async run(turn, argument) {
    const [from, to, ...path] = argument.split(/\s+/);
    if (from === undefined || to === undefined || path.length === 0 || from === to) {
      throw new Complaint('I need three things: the old word, a new one, and the path of a file.');
    }
    const file = await readAsTool(turn, cleanPath(path.join(' ')));
    const change = renameWord(file.text, from, to);
    if (!change) {
      throw new Complaint(
        `${code(from)} does not stand in ${code(file.name)} as a whole word, so there is nothing to change.`,
      );
    }
    return propose(turn, {
      path: file.path,
      title: `Rename ${from} to ${to} in ${file.name}`,
      before: file.text,
      after: change.text,
      line: change.line,
      summary: `${code(from)} became ${code(to)} in ${count(change.times, 'place')}. I go by whole words, not by meaning.`,
    });
  },
};
