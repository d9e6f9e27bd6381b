import { code, count, plain } from '../markdown.ts';
import type { Skill } from '../turn.ts';
import { keyword } from '../words.ts';

/** Thinks aloud about the request itself, the only thing that an agent without a model can think about. */
export const think: Skill = {
  name: 'think',
  description: 'Think aloud, then answer',
  hint: 'what to think about',
  example: '/think which file should I read first',

  async run(turn, argument) {
    const subject = plain(argument, 200);
    const about = subject === '' ? 'nothing in particular' : code(subject);
    const files = count(await turn.workspace.count(turn.signal), 'file');
    const word = keyword(subject);
    await turn.think(
      [
        `I am asked to think about ${about}.`,
        `What I have: ${count(subject === '' ? 0 : subject.split(' ').length, 'word')}, no language model, and no opinion of my own.`,
        `What I can know without one: the files of this chat's folder. I count ${files}.`,
        word === ''
          ? 'No word in it is long enough to be looked up.'
          : `The word most worth looking up is ${code(word)}.`,
        'So I answer with what I know, and say what I do not know.',
      ].join('\n\n'),
    );
    const advice =
      word === ''
        ? 'Give me a subject, as in `/think which file should I read first`.'
        : `What I can do about it is look it up: ${code(`find ${word}`)}.`;
    await turn.say(
      `I have thought about ${about}, as far as a program without a language model can. ` +
        `This chat's folder holds **${files}**. ${advice}\n\n` +
        'My thoughts stand apart from this answer: that is how an agent shows its reasoning.',
    );
    return 'end_turn';
  },
};
