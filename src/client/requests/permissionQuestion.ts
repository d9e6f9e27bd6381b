import type { ToolKind } from '../../protocol/acp.ts';
import type { OfferedOption } from '../../protocol/connection.ts';
import type { DiffContent, PermissionChoice, ToolCallEntry } from '../../thread/thread.ts';
import type { PermissionQuestion } from '../ports.ts';

/** Bounds of what one question shows: characters, options. An honest agent comes nowhere near. */
const TITLE_LIMIT = 1_000;
const NAME_LIMIT = 10_000;
const SUBJECT_LIMIT = 100_000;
const OPTION_LIMIT = 100;

const KINDS: Readonly<Record<ToolKind, string>> = {
  read: 'Read a file',
  edit: 'Edit a file',
  delete: 'Delete a file',
  move: 'Move a file',
  search: 'Search',
  execute: 'Run a command',
  think: 'Think',
  fetch: 'Fetch from the network',
  switch_mode: 'Switch the mode',
  other: 'Use a tool',
};

/**
 * The options that can be shown and answered: the agent's, in its order. Of two with one id only the first is kept: the
 * agent could not tell them apart either, so the second one's words could promise what its id does not do.
 */
export function choicesOf(
  options: readonly OfferedOption[],
  report: (message: string) => void,
): readonly PermissionChoice[] {
  const ids = new Set<string>();
  const choices: PermissionChoice[] = [];
  for (const { optionId, name, kind } of options) {
    if (ids.has(optionId)) continue;
    ids.add(optionId);
    if (choices.length < OPTION_LIMIT)
      choices.push({ optionId, name: cut(name, NAME_LIMIT), kind });
  }
  if (choices.length < options.length) {
    report(`a permission request offered ${options.length} options; ${choices.length} are shown`);
  }
  return choices;
}

export interface QuestionSource {
  readonly permissionId: string;
  readonly chatTitle: string;
  readonly agentName: string;
  readonly options: readonly PermissionChoice[];
  /**
   * The call that the request is about, with all that its request and earlier updates said: agents put the command or
   * the diff into one or the other. `null` if it is not known.
   */
  readonly call: ToolCallEntry | null;
}

/** What the person is asked: in the agent's words, with the whole command or file. */
export function questionOf(source: QuestionSource): PermissionQuestion {
  const { permissionId, chatTitle, agentName, options, call } = source;
  const subject = call === null ? '' : subjectOf(call);
  const kind = KINDS[call?.toolKind ?? 'other'];
  return {
    permissionId,
    chatTitle,
    agentName,
    title: cut(call?.title ?? '', TITLE_LIMIT) || kind,
    kind,
    subject: cut(subject, SUBJECT_LIMIT),
    diffs: call === null ? [] : diffsOf(call),
    options,
  };
}

function subjectOf(call: ToolCallEntry): string {
  const command = commandOf(call.rawInput);
  const paths = pathsOf(call);
  if (command !== '' && call.toolKind === 'execute') return command;
  // Editing tools have "commands" too; what could be run is never hidden behind a path.
  const lines = command === '' ? paths : [command, ...paths];
  return lines.join('\n') || textOf(call) || call.title;
}

/** Agents name a command as one string or as its words, some with the folder or the shell beside it. */
function commandOf(rawInput: unknown): string {
  if (typeof rawInput !== 'object' || rawInput === null) return '';
  const command = field(rawInput, 'command') ?? field(rawInput, 'cmd');
  if (typeof command === 'string') return [command, ...argumentsOf(rawInput)].join(' ');
  return isWords(command) ? shellWords(command) : '';
}

function argumentsOf(rawInput: object): readonly string[] {
  const args = field(rawInput, 'args');
  return isWords(args) ? [shellWords(args)].filter((text) => text !== '') : [];
}

/** Words joined so that one with blanks is still seen as one. */
function shellWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s'"]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

function field(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function pathsOf(call: ToolCallEntry): readonly string[] {
  const paths = [
    ...diffsOf(call).map((diff) => diff.path),
    ...call.locations.map(({ path, line }) => (line === null ? path : `${path}:${line}`)),
  ];
  // A location in a file that a diff names already adds nothing.
  const bare = new Set(paths.map((path) => path.replace(/:\d+$/, '')));
  return bare.size < paths.length ? [...bare] : paths;
}

function diffsOf(call: ToolCallEntry): readonly DiffContent[] {
  return call.content.filter((part) => part.type === 'diff');
}

/** What else the agent put into the call: some tell the plan to approve, or the tool's input, as text. */
function textOf(call: ToolCallEntry): string {
  const texts = call.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length > 0) return texts.join('\n\n');
  const { rawInput } = call;
  if (typeof rawInput === 'string') return rawInput;
  if (typeof rawInput !== 'object' || rawInput === null) return '';
  return Object.keys(rawInput).length === 0 ? '' : JSON.stringify(rawInput, null, 2);
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
