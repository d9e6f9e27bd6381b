import { findFile, readText } from '../../files.ts';
import { count } from '../../markdown.ts';
import { splitLines } from '../../outline.ts';
import { textContent } from '../../turn.ts';
import { MAX_RESULT } from '../results.ts';
import type { Tool } from './tool.ts';
import { PATH } from './tool.ts';

/** Lines that are told at once, where the model asks for no other number. */
const MAX_LINES = 1_500;

export const read: Tool = {
  name: 'read',
  description: 'Read a text file, with line numbers. Long files: ask for a part.',
  parameters: {
    path: PATH,
    line: {
      schema: { type: 'integer', description: 'The first line, from 1 on.' },
      optional: true,
    },
    limit: { schema: { type: 'integer', description: 'How many lines.' }, optional: true },
  },
  isOffered: ({ fs }) => fs?.readTextFile === true,

  async prepare(turn, given) {
    const path = await findFile(turn, given.text('path'));
    const line = given.count('line') ?? 1;
    const limit = Math.min(given.count('limit') ?? MAX_LINES, MAX_LINES);
    const name = turn.workspace.name(path);
    return {
      start: {
        title: `Read ${name}${line > 1 ? ` from line ${line}` : ''}`,
        kind: 'read',
        locations: [{ path, line }],
        rawInput: { path, line, limit },
      },
      run: async () => {
        // One more, to know whether there is more.
        const text = await readText(turn, path, { line, limit: limit + 1 });
        const lines = splitLines(text);
        const told = numbered(lines.slice(0, limit), line);
        const next = line + told.length;
        const isAll = told.length === lines.length;
        const more = isAll ? '' : `\n[The file goes on: read from line ${next}.]`;
        return {
          told: told.length === 0 ? '[No lines here.]' : `${told.join('\n')}${more}`,
          content: [
            textContent(`${count(told.length, 'line')}${isAll ? '' : ', and there are more'}`),
          ],
        };
      },
    };
  },
};

/** As many whole lines as fit into a result, at least one. */
function numbered(lines: readonly string[], first: number): readonly string[] {
  const told: string[] = [];
  let size = 200;
  for (const [at, line] of lines.entries()) {
    const text = `${first + at}\t${line.slice(0, MAX_RESULT / 2)}`;
    size += text.length + 1;
    if (size > MAX_RESULT) break;
    told.push(text);
  }
  return told;
}
