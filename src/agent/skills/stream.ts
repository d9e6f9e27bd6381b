import { section } from '../samples.ts';
import type { Skill } from '../turn.ts';

const DEFAULT_SECTIONS = 20;
const MAX_SECTIONS = 2_000;

/** Streams long, varied Markdown: the same for the same number, every time. */
export const stream: Skill = {
  name: 'stream',
  description: 'Stream a long answer in Markdown, in many small pieces',
  hint: 'number of sections, 20 if you name none',
  example: '/stream 5',

  async run(turn, argument) {
    const asked = Number.parseInt(argument, 10);
    const sections = asked > 0 ? Math.min(asked, MAX_SECTIONS) : DEFAULT_SECTIONS;
    await turn.sayAll(pages(sections));
    return 'end_turn';
  },
};

function* pages(sections: number): Generator<string> {
  yield `# A long answer in ${sections} sections\n\n`;
  for (let number = 1; number <= sections; number += 1) yield section(number, sections);
  yield `That was section ${sections} of ${sections}.\n`;
}
