import { Complaint } from '../../complaint.ts';
import { code, count } from '../../markdown.ts';
import { textContent } from '../../turn.ts';
import { Workspace } from '../../workspace.ts';
import type { Tool } from './tool.ts';
import { PATH } from './tool.ts';

const MAX_NAMES = 500;

export const list: Tool = {
  name: 'list',
  description: 'List the files below a folder. Dependencies and version control are left out.',
  parameters: { path: { ...PATH, optional: true } },
  isOffered: () => true,

  async prepare(turn, given) {
    const path = await turn.workspace.locate(given.optionalText('path') || '.');
    const name = turn.workspace.name(path);
    if ((await turn.workspace.kindOf(path)) !== 'folder') {
      throw new Complaint(`There is no folder ${code(name)}.`);
    }
    return {
      start: {
        title: `List ${name === '.' ? 'the files of this folder' : name}`,
        kind: 'search',
        locations: [{ path }],
        rawInput: { path },
      },
      run: async () => {
        const names: string[] = [];
        let found = 0;
        for await (const file of new Workspace(path).walk(turn.signal)) {
          found += 1;
          if (found <= MAX_NAMES) names.push(turn.workspace.name(file.path));
        }
        const more =
          found > MAX_NAMES ? `\n[and ${found - MAX_NAMES} more: list a folder in it]` : '';
        return {
          told: found === 0 ? '[No files.]' : `${names.join('\n')}${more}`,
          content: [textContent(count(found, 'file'))],
        };
      },
    };
  },
};
