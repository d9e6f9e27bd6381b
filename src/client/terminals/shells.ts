import path from 'node:path';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import { commandProcessor } from './windowsCommand.ts';

/** How a line is handed to a shell. */
export interface ShellStart {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are to be handed over as they are. */
  readonly verbatim: boolean;
}

const POSIX_LIKE: ReadonlySet<string> = new Set([
  'bash',
  'zsh',
  'sh',
  'dash',
  'ash',
  'ksh',
  'fish',
  'nu',
]);
const POWERSHELLS: ReadonlySet<string> = new Set(['pwsh', 'powershell']);

/** @param machine `shell`: the person's; one that is not known, or not there, is replaced by the system's own. */
export function shellStart(
  line: string,
  machine: {
    readonly windows: boolean;
    readonly shell: string;
    readonly env: Readonly<Record<string, string>>;
    exists(path: string): boolean;
  },
): ShellStart {
  const { windows, shell } = machine;
  const rules = windows ? path.win32 : path.posix;
  const there = !rules.isAbsolute(shell) || machine.exists(shell);
  const kind = there
    ? rules
        .basename(shell)
        .toLowerCase()
        .replace(/\.exe$/, '')
    : '';
  if (POSIX_LIKE.has(kind)) return { file: shell, args: ['-c', asLine(line)], verbatim: false };
  if (POWERSHELLS.has(kind)) {
    const args = ['-NoProfile', '-NonInteractive', '-Command', asLine(line)];
    return { file: shell, args, verbatim: false };
  }
  if (!windows) return { file: '/bin/sh', args: ['-c', asLine(line)], verbatim: false };
  const file = kind === 'cmd' ? shell : commandProcessor(machine.env);
  return { file, args: ['/d', '/s', '/c', `"${oneLine(line)}"`], verbatim: true };
}

/** A line that begins like an option would be read as one; with a blank before it, it means the same. */
function asLine(line: string): string {
  return /^[-+]/.test(line) ? ` ${line}` : line;
}

/** `cmd.exe` would leave out all but the first line, without a word. */
function oneLine(line: string): string {
  if (!/[\r\n]/.test(line.trim())) return line.trim();
  throw new RequestError(
    ErrorCode.invalidParams,
    'The command has several lines, which cmd.exe cannot run. Join them with "&&", or write them to a file and run that.',
  );
}
