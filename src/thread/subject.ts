import type { DiffContent, ToolCallEntry } from './thread.ts';

/** Where agents put what is to be run, the commonest first. */
const COMMAND_FIELDS = ['command', 'cmd', 'script'];

/**
 * What a permission is about, whole: everything that could be run, the files, else what the agent put into the call. The
 * same words stand in the card of the chat and in VS Code's own pick: a person must not have to compare them.
 */
export function subjectOf(call: ToolCallEntry): string {
  const command = commandOf(call);
  if (command !== '' && call.toolKind === 'execute') return command;
  // Editing tools have "commands" too; what could be run is never hidden behind a path.
  const lines = command === '' ? pathsOf(call) : [command, ...pathsOf(call)];
  return lines.join('\n') || textOf(call) || call.title;
}

/**
 * The command line of a call, as far as the agent gave it: as one string or as its words, with the arguments beside it.
 * `''` if it gave none; one line each if it gave several.
 */
export function commandOf({ rawInput }: ToolCallEntry): string {
  if (typeof rawInput !== 'object' || rawInput === null) return '';
  const args = wordsIn(field(rawInput, 'args'));
  return COMMAND_FIELDS.map((name) => field(rawInput, name))
    .map((value) => (typeof value === 'string' ? value.trim() : wordsIn(value)))
    .filter((command) => command !== '')
    .map((command) => (args === '' ? command : `${command} ${args}`))
    .join('\n');
}

/** Words joined so that one with blanks or signs is still seen as one. */
function wordsIn(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map((word) => (typeof word === 'string' ? word : JSON.stringify(word)))
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
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

/** The changes that a call proposes or made. */
export function diffsOf(call: ToolCallEntry): readonly DiffContent[] {
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

/** An own property, whatever the agent called it. */
function field(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
