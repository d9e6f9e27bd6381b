import { Complaint } from '../../complaint.ts';
import { readText } from '../../files.ts';
import { code } from '../../markdown.ts';
import { prepareChange } from '../change.ts';
import type { Tool } from './tool.ts';
import { PATH, TEXT } from './tool.ts';

/** Characters of a file that is edited: a diff carries all of it twice. */
export const MAX_FILE = 1024 * 1024;

export const edit: Tool = {
  name: 'edit',
  description:
    'Replace a text in a file, after reading it. old_text must be in the file exactly once, to the last blank; take more lines around it if need be. The user is asked.',
  parameters: {
    path: PATH,
    old_text: { schema: TEXT },
    new_text: { schema: TEXT },
    all: { schema: { type: 'boolean', description: 'Replace it everywhere.' }, optional: true },
  },
  isOffered: ({ fs }) => fs?.readTextFile === true && fs.writeTextFile === true,

  async prepare(turn, given) {
    const path = await turn.workspace.locate(given.text('path'));
    const before = await readText(turn, path);
    if (before.length > MAX_FILE) throw new Complaint('The file is too big to be edited.');
    const name = code(turn.workspace.name(path));
    const [from, to] = inLineEnds(before, given.text('old_text'), given.text('new_text'));
    if (from === '') throw new Complaint('old_text is empty. To make a new file, use write.');
    if (from === to) throw new Complaint('old_text and new_text are the same.');
    const times = before.split(from).length - 1;
    if (times === 0) throw new Complaint(`old_text is not in ${name}. Read the file again.`);
    if (times > 1 && !given.flag('all')) {
      throw new Complaint(`old_text is in ${name} ${times} times. Take more lines around it.`);
    }
    return prepareChange(turn, {
      path,
      verb: 'Edit',
      before,
      after: before.replaceAll(from, () => to),
      line: before.slice(0, before.indexOf(from)).split('\n').length,
    });
  },
};

/** Models write LF; a file with CRLF keeps it. */
function inLineEnds(before: string, from: string, to: string): readonly [string, string] {
  if (before.includes(from) || !before.includes('\r\n')) return [from, to];
  const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
  return [crlf(from), crlf(to)];
}
