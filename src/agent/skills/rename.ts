import { gather, leftOut, proposeAll } from '../batch.ts';
import { renameWord } from '../change.ts';
import { Complaint } from '../complaint.ts';
import { code, count } from '../markdown.ts';
import type { Skill } from '../turn.ts';
import { cleanPath } from '../words.ts';

const BY_WORDS = 'I go by whole words, not by meaning; paths in quotes stay.';

/** Replaces a whole word in a file, below a folder or everywhere, after permission. */
export const rename: Skill = {
  name: 'rename',
  description: 'Replace a whole word in one file or in all, after your permission',
  hint: 'old new, and a file or folder if not everywhere',
  example: '/rename oldName newName src/index.ts',

  async run(turn, argument) {
    const [from, to, ...rest] = argument.split(/\s+/);
    if (from === undefined || to === undefined || from === to) {
      throw new Complaint('I need the old word and a new one, and a path if not everywhere.');
    }
    const where = cleanPath(rest.join(' '));
    const became = `${code(from)} became ${code(to)}`;
    const found = await gather(turn, `Look where ${from} stands`, where, (name, text) => {
      const change = renameWord(text, from, to);
      const extent = count(change?.times ?? 0, 'place');
      return (
        change && {
          ...change,
          title: `Rename ${from} to ${to} in ${name}`,
          summary: `${became} in ${extent}. ${BY_WORDS}`,
          extent,
        }
      );
    });
    if (found.parts.length === 0) {
      throw new Complaint(
        `${code(from)} does not stand in ${where === '' ? 'any file here' : code(where)} as a whole word, so there is nothing to change. ${leftOut(found)}`,
      );
    }
    return proposeAll(
      turn,
      found,
      `${code(from)} becomes ${code(to)}`,
      `${BY_WORDS} ${leftOut(found)}`,
    );
  },
};
