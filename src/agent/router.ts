import type { StopReason } from '../protocol/acp.ts';
import { code, plain } from './markdown.ts';
import { intents } from './intents.ts';
import { skills } from './skills.ts';
import type { Skill, Turn } from './turn.ts';
import { keyword, pathIn } from './words.ts';

/** As much of a prompt as is looked at to find out what is meant. */
const READ_CHARACTERS = 2_000;

const byName: ReadonlyMap<string, Skill> = new Map(skills.map((skill) => [skill.name, skill]));

/** Finds the skill that a prompt asks for and runs it; what it does not understand, it says so. */
export async function answer(turn: Turn, prompt: string): Promise<StopReason> {
  const text = prompt.slice(0, READ_CHARACTERS).trim();
  const command = /^\/([\p{L}][\p{L}\p{N}_-]*)(?:\s+([\s\S]*))?$/u.exec(text);
  if (command) return runCommand(turn, command[1] ?? '', (command[2] ?? '').trim());
  for (const intent of intents) {
    const argument = intent.match(text, turn.attachments);
    if (argument !== undefined) return intent.skill.run(turn, argument);
  }
  await turn.say(notUnderstood(text));
  return 'end_turn';
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
      : `You wrote: ${code(said)}\n\nI cannot answer that: there is no language model inside me.`;
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
  const sought = word === '' ? 'TODO' : word;
  return [
    `look it up in this folder: ${code(`find ${sought}`)}`,
    `outline a file: ${code(`explain ${file}`)}`,
    'look around: `what is in this folder`, `list todos`, `make a plan`',
    `change a file, after your permission: ${code(`/edit ${file}`)}`,
  ];
}
