import type { PermissionChoice } from '../../thread/thread.ts';
import type { OwnQuestion } from '../session/ownQuestions.ts';
import type { TerminalCommand } from '../terminals/commandLine.ts';
import { titleFor } from './commandTitle.ts';

export const ALWAYS = {
  optionId: 'allow_command',
  name: 'Allow this exact command in this chat',
  kind: 'allow_always',
} as const;
const OPTIONS: readonly PermissionChoice[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  ALWAYS,
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** Characters of a command that are said in a sentence. */
const SAID = 2_000;
/** Names of variables that are said, and characters of one that is no plain name. */
const NAMES = { most: 100, length: 40 };
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * Parley's own question about a command.
 * @param where Why the person must be asked about its folder; `null` if that is open.
 * @param about The agent's open call that tells this command; `null` if there is none.
 */
export function commandQuestion(
  command: TerminalCommand,
  where: string | null,
  about: string | null,
): OwnQuestion {
  const { shown, cwd } = command;
  // A call of the agent may tell something else while the person reads, so the question says the command once more. One
  // that is too long for that is asked at a call of our own, which shows all of it and which no agent changes.
  const at = shown.length > SAID ? null : about;
  const changed = changedVariables(command);
  return {
    reason: sentences(
      `The agent wants to run ${at === null ? 'this command ' : `this command: ${shown}\n`}in ${cwd}.`,
      changed === '' ? null : `It ${changed}.`,
      where,
    ),
    call: { title: titleFor(shown), kind: 'execute', rawInput: { command: shown, cwd } },
    about: at,
    options: OPTIONS,
    refusal: `The person refused to let you run this command: ${shown.slice(0, 1_000)}`,
    words: {
      title: titleFor(shown),
      kind: 'Run a command',
      subject: shown,
      facts: [`in ${cwd}`, ...(changed === '' ? [] : [changed])],
      reason: sentences('The agent wants to run this command.', where),
    },
  };
}

function sentences(...all: readonly (string | null)[]): string {
  return all.filter((each) => each !== null).join(' ');
}

/** An agent chooses the names: one that is none could be a sentence, which must not be read as ours. */
function changedVariables({ changedVariables: names }: TerminalCommand): string {
  if (names.length === 0) return '';
  const said = names.slice(0, NAMES.most).map(nameSaid);
  const more = names.length - said.length;
  return `changes the environment variables ${said.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function nameSaid(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  const isLong = name.length > NAMES.length;
  return `${JSON.stringify(name.slice(0, NAMES.length))}${isLong ? '…' : ''}`;
}
