import type { ContentBlock, StopReason } from '../protocol/acp.ts';
import { code, plain } from './markdown.ts';
import { guessed, understood } from './intents.ts';
import { apology } from './languages.ts';
import { skills } from './skills.ts';
import type { Skill, Turn } from './turn.ts';
import { keyword, pathIn } from './words.ts';

/** As much of a prompt as is looked at to find out what is meant. */
const READ_CHARACTERS = 2_000;

const byName: ReadonlyMap<string, Skill> = new Map(skills.map((skill) => [skill.name, skill]));

/**
 * Finds the skill that a prompt asks for and runs it; what it does not understand, it says so. Where there is a model, all
 * but commands goes to it.
 *
 * @param prompt The text of the content.
 */
export async function answer(
  turn: Turn,
  prompt: string,
  content: readonly ContentBlock[],
): Promise<StopReason> {
  const text = prompt.slice(0, READ_CHARACTERS).trim();
  const command = /^\/([\p{L}][\p{L}\p{N}_-]*)(?:\s+([\s\S]*))?$/u.exec(text);
  if (command) return runCommand(turn, command[1] ?? '', (command[2] ?? '').trim());
  if (turn.model.isThere) return turn.model.answer(turn, content);
  if (
    /^(?:thanks?|thank you|ok(?:ay)?|great|nice|cool|good|perfect|wow|yes|no|stop|bye)\b.{0,20}$/i.test(
      text,
    )
  ) {
    await turn.say(
      'All right. Ask me for the next thing whenever you like: `/help` shows what I can do.',
    );
    return 'end_turn';
  }
  const wish = understood(text, turn.attachments);
  if (wish) return wish.skill.run(turn, wish.argument);
  if (turn.model.isNeededFor(text)) return turn.model.answer(turn, content);
  const guess = guessed(text, turn.attachments);
  if (!guess) {
    await turn.say(notUnderstood(text));
    return 'end_turn';
  }
  const { skill, argument } = guess;
  await turn.say(
    `${apology(text) ?? 'I do not understand that sentence.'} My best guess is ${code(`/${skill.name} ${argument}`)}:\n\n`,
  );
  return skill.run(turn, argument);
}

async function runCommand(turn: Turn, name: string, argument: string): Promise<StopReason> {
  const skill = byName.get(name.toLowerCase());
  if (skill) return skill.run(turn, argument);
  const names = skills.map((known) => code(`/${known.name}`)).join(', ');
  await turn.say(`I know no command ${code(`/${plain(name, 60)}`)}. The ones I know: ${names}.`);
  return 'end_turn';
}

function notUnderstood(text: string): string {
  const said = plain(text, 120);
  const opening =
    said === ''
      ? 'Your message holds no words that I can read.'
      : `You wrote: ${code(said)}\n\n${apology(text) ?? 'That is beyond me: there is no language model inside me.'}`;
  return [
    `${opening} What I can do, and do for real:`,
    '',
    ...suggestions(text).map((suggestion) => `- ${suggestion}`),
    '',
    '`/help` shows all of it.',
  ].join('\n');
}

function suggestions(text: string): readonly string[] {
  const file = pathIn(text) ?? 'README.md';
  const word = keyword(text);
  return [
    ...(word === '' ? [] : [`look it up in this folder: ${code(`find ${word}`)}`]),
    `outline a file: ${code(`explain ${file}`)}`,
    'look around: `what is in this folder`, `count the languages`, `list todos`, `make a plan`',
    'change files, after your permission: `rename oldName to newName`, `add licence headers`',
    'tests: `run the tests`, `write a test for src/index.ts`',
    'any command, after your permission, such as deleting, installing or Git: `run git status`',
  ];
}
