import { count } from '../markdown.ts';
import { todosIn } from '../matches.ts';
import { listHits, matches, scan } from '../scan.ts';
import type { Skill } from '../turn.ts';

/** Lists what the files themselves say is still to do. */
export const todos: Skill = {
  name: 'todos',
  description: 'List the to-dos in the files of this folder',
  example: '/todos',

  async run(turn) {
    const found = await scan(turn, 'Look for to-dos', todosIn);
    const looked = `${count(found.files.length, 'text file')} of this folder`;
    const files = count(new Set(found.hits.map(({ path }) => path)).size, 'file');
    await turn.say(
      found.hits.length === 0
        ? `There is no TODO, FIXME, XXX or HACK in the ${looked}.`
        : `I found ${matches(found)} in ${files}:\n\n${listHits(found)}`,
    );
    return 'end_turn';
  },
};
