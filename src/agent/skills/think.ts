import { code, plain } from '../markdown.ts';
import type { Skill } from '../turn.ts';

/** Thinks aloud about the request itself, the only thing that an agent without a model can think about. */
export const think: Skill = {
  name: 'think',
  description: 'Think aloud, then answer',
  hint: 'what to think about',
  example: '/think which file should I read first',

  async run(turn, argument) {
    const subject = plain(argument, 200);
    const words = subject === '' ? [] : subject.split(' ');
    const about = subject === '' ? 'nothing in particular' : code(subject);
    await turn.think(
      `I am asked to think about ${about}.\n\n` +
        `First, what I have: ${words.length === 0 ? 'no words at all' : `${words.length} words`}, ` +
        'no language model, and no opinion of my own. ',
    );
    await turn.think(
      'Second, what I can know without one: the files of this chat’s folder. Let me count them.',
    );
    const files = await turn.workspace.count(turn.signal);
    await turn.think(
      `There are ${files}. Third, what would help: pointing at the words that can be looked up.`,
    );
    const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
    const advice =
      longest === ''
        ? 'Give me a subject, as in `/think which file should I read first`.'
        : `The word to look up would be ${code(longest)}: try ${code(`find ${longest}`)}.`;
    await turn.say(
      `I have thought about ${about}, as far as a program without a language model can. ` +
        `This chat’s folder holds **${files}** files. ${advice}\n\n` +
        'My thoughts are folded above this answer: that is how an agent’s reasoning looks here.',
    );
    return 'end_turn';
  },
};
