import { filesIn } from '../files.ts';
import { code, count } from '../markdown.ts';
import type { Skill } from '../turn.ts';
import { cleanPath } from '../words.ts';

const MAX_LISTED = 60;

/** Lists what a folder holds, one level deep. */
export const files: Skill = {
  name: 'files',
  description: 'List the files and folders in this folder, or in one below it',
  hint: 'a folder, this one if you name none',
  example: '/files src',

  async run(turn, argument) {
    const where = cleanPath(argument).replace(/[\\/]+$/, '');
    const folder = await turn.workspace.locate(where === '' ? '.' : where);
    const base = turn.workspace.name(folder);
    const below = new Map<string, number>();
    let all = 0;
    for await (const { name } of filesIn(turn, where)) {
      const [first = '', ...rest] = (base === '.' ? name : name.slice(base.length + 1)).split('/');
      const key = rest.length > 0 ? `${first}/` : first;
      below.set(key, (below.get(key) ?? 0) + 1);
      all += 1;
    }
    const rows = [...below].map(([name, inside]) =>
      name.endsWith('/') ? `- ${code(name)} ${count(inside, 'file')}` : `- ${code(name)}`,
    );
    const more = rows.length - MAX_LISTED;
    await turn.say(
      [
        `${base === '.' ? 'This folder' : code(base)} holds **${count(all, 'file')}**, without what tools put there (such as \`node_modules\` and \`.git\`).`,
        '',
        ...rows.slice(0, MAX_LISTED),
        ...(more > 0 ? [`- and ${more} more`] : []),
      ].join('\n'),
    );
    return 'end_turn';
  },
};
