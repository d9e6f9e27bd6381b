import { Complaint } from '../../complaint.ts';
import { readText } from '../../files.ts';
import { code } from '../../markdown.ts';
import type { Turn } from '../../turn.ts';
import { prepareChange } from '../change.ts';
import { MAX_FILE } from './edit.ts';
import type { Tool } from './tool.ts';
import { PATH, TEXT } from './tool.ts';

export const write: Tool = {
  name: 'write',
  description:
    'Make a new file, or replace all of one. To change a part, use edit. The user is asked.',
  parameters: { path: PATH, content: { schema: TEXT } },
  isOffered: ({ fs }) => fs?.writeTextFile === true,

  async prepare(turn, given) {
    const path = await turn.workspace.locate(given.text('path'));
    const before = await textNow(turn, path);
    const after = given.text('content');
    if (Math.max(after.length, before?.length ?? 0) > MAX_FILE) {
      throw new Complaint('The file is too big to be written.');
    }
    if (after === before) throw new Complaint('The file has exactly this content already.');
    return prepareChange(turn, {
      path,
      verb: before === null ? 'Create' : 'Write',
      before,
      after,
      line: 1,
    });
  },
};

/** The file as it is; null where there is none. @throws Complaint for a folder, or what cannot be read. */
async function textNow(turn: Turn, path: string): Promise<string | null> {
  const kind = await turn.workspace.kindOf(path);
  if (kind === 'folder') throw new Complaint(`${code(turn.workspace.name(path))} is a folder.`);
  if (kind === 'file') return readText(turn, path);
  return null;
}
