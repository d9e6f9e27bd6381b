import path from 'node:path';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';

/** How a program is started on Windows. */
export interface WindowsStart {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are to be handed over as they are. */
  readonly verbatim: boolean;
}

const BATCH = /\.(?:cmd|bat)$/i;
const USUAL_ENDINGS = '.COM;.EXE;.BAT;.CMD';

/** The value of a variable whose name may be in any case. */
export function valueOf(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/**
 * The file that a name stands for, as `PATH` and `PATHEXT` say; `undefined` if there is none. Other than Windows itself it
 * does not look into the current folder: a program that lies in a workspace is not to run for one that is installed.
 */
export function findProgram(
  name: string,
  where: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    exists(path: string): boolean;
  },
): string | undefined {
  const endings = (valueOf(where.env, 'PATHEXT') ?? USUAL_ENDINGS)
    .split(';')
    .map((ending) => ending.trim())
    .filter((ending) => ending.startsWith('.'));
  const hasEnding = endings.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase()));
  const spellings = [...(hasEnding ? [name] : []), ...endings.map((ending) => name + ending)];
  const folders = /[\\/]|^[a-z]:/i.test(name) ? [where.cwd] : searchPath(where.env);
  for (const folder of folders) {
    for (const spelling of spellings) {
      const file = path.win32.resolve(folder, spelling);
      if (where.exists(file)) return file;
    }
  }
  return undefined;
}

function searchPath(env: Readonly<Record<string, string>>): string[] {
  return (valueOf(env, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.trim().replace(/^"(.*)"$/, '$1'))
    .filter((folder) => path.win32.isAbsolute(folder));
}

/** Starts a file: a program itself, a batch file by `cmd.exe`. Throws a `RequestError` for arguments that no batch file can take. */
export function startOnWindows(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): WindowsStart {
  if (!BATCH.test(file)) return { file, args, verbatim: false };
  const line = [`"${batchWord(file, true)}"`, ...args.map(batchArgument)].join(' ');
  // /e:on for the trick with `%`, /v:off so that `!` means nothing.
  return {
    file: commandProcessor(env),
    args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

export function commandProcessor(env: Readonly<Record<string, string>>): string {
  const root = valueOf(env, 'SYSTEMROOT');
  return (
    valueOf(env, 'COMSPEC') ??
    (root === undefined ? 'cmd.exe' : path.win32.join(root, 'System32', 'cmd.exe'))
  );
}

/** What `cmd.exe` passes on unharmed without quotes; everything else in ASCII is quoted. */
const BARE = /^[\w#$*+\-./:?@\\\u00a0-\uffff]+$/;

/**
 * An argument of a batch file, which `cmd.exe` reads twice. Always inside quotes if anything in it could mean something:
 * there `& | < > ^` are plain characters, a quote is doubled, and `%` is kept from naming a variable by an empty piece of
 * `%cd%` before it. Line ends cannot be passed at all.
 */
function batchArgument(arg: string): string {
  const word = batchWord(arg, false);
  return arg !== '' && BARE.test(arg) && !arg.endsWith('\\') ? word : `"${word}"`;
}

function batchWord(text: string, isFile: boolean): string {
  const wrong = isFile ? /["\r\n\0]/ : /[\r\n\0]/;
  if (wrong.test(text)) {
    throw new RequestError(
      ErrorCode.invalidParams,
      `${JSON.stringify(text.slice(0, 100))} cannot be passed to a batch file: it has a line end or a NUL character. Write it to a file and pass the file's name.`,
    );
  }
  const quoted = text
    .replaceAll(/(\\*)"/g, (_all, slashes: string) => `${slashes}${slashes}""`)
    .replaceAll('%', '%%cd:~,%');
  return isFile ? quoted : quoted.replace(/\\+$/, (slashes) => slashes + slashes);
}

/** For people: a command line as a program on Windows takes it apart again. */
export function shownOnWindows(command: string, args: readonly string[]): string {
  return [command, ...args].map(shownWord).join(' ');
}

function shownWord(word: string): string {
  if (word !== '' && /^[\w@+=:,./\\-]+$/.test(word)) return word;
  const quoted = word
    .replaceAll(/(\\*)"/g, (_all, slashes: string) => `${slashes}${slashes}\\"`)
    .replace(/\\+$/, (slashes) => slashes + slashes);
  return `"${visible(quoted)}"`;
}

/** A line end or an invisible character would let a command line look like another one: they are written out. */
function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}
