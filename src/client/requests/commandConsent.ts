import path from 'node:path';
import { commandOf } from '../../thread/subject.ts';
import { newToolCall } from '../../thread/toolCall.ts';
import type { ToolCallEntry } from '../../thread/thread.ts';

/** A command as an agent asked for it. */
export interface WantedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** As it would be shown to a person. */
  readonly shown: string;
  /** Absolute folder that it would run in. */
  readonly cwd: string;
}

/** Where agents put the folder that a command is to run in. */
const FOLDER_FIELDS = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'directory'];

/** What agents set to say who they are or what their output is for; nothing of it changes what a command does. */
const MARKERS: ReadonlySet<string> = new Set([
  'CI',
  'CLAUDECODE',
  'CLICOLOR',
  'COLORTERM',
  'COLUMNS',
  'FORCE_COLOR',
  'GEMINI_CLI',
  'LINES',
  'NO_COLOR',
  'QWEN_CODE',
  'TERM',
]);

const SHELLS = /^(?:(?:\/usr)?\/bin\/)?(?:ba|z|da|k)?sh$/;

/** A program's name that means itself to a shell; one with `=` would set a variable. */
const PLAIN_NAME = /^[\w@%+:,./\\-]+$/;

/** A command that the person has allowed at the agent's own question. */
interface Allowance {
  readonly turnId: string;
  readonly line: string;
  readonly folder: string;
}

/** Characters of a command that an agent's question shows wherever it is asked; a longer one is asked about by Parley. */
const LONGEST_SHOWN = 100_000;

/** Allowances that a chat remembers: each is for what follows at once. */
const REMEMBERED = 100;

/**
 * The commands that the person has allowed in this turn at the agent's questions, each good for one terminal. Noted when
 * the answer is given, as the call was when the person saw it: an agent may tell something else of it afterwards.
 */
export class Allowances {
  private list: readonly Allowance[] = [];

  /** @param cwd The session's folder, meant where the call names none. */
  add(turnId: string, call: ToolCallEntry, cwd: string): void {
    const line = commandOf(call);
    if (line === '' || line.length > LONGEST_SHOWN) return;
    const allowance = { turnId, line, folder: folderOf(call, cwd) };
    this.list = [...this.list, allowance].slice(-REMEMBERED);
  }

  /** Uses up an allowance for exactly this command and folder. @returns False if there is none. */
  take(turnId: string | undefined, wanted: WantedCommand): boolean {
    if (!wanted.env.every(isMarker)) return false;
    const lines = spellings(wanted);
    const folder = path.resolve(wanted.cwd);
    const found = this.list.find(
      (each) => each.turnId === turnId && each.folder === folder && lines.has(each.line),
    );
    if (found !== undefined) this.list = this.list.filter((each) => each !== found);
    return found !== undefined;
  }
}

/** The folder that a command of this call is to run in, where it is not the session's own; `null` if it is, or there is none. */
export function otherFolder(call: ToolCallEntry, cwd: string): string | null {
  if (commandOf(call) === '') return null;
  const folder = folderOf(call, cwd);
  return folder === path.resolve(cwd) ? null : folder;
}

/** The open call that is clearly about this command; `null` if there is none. @param open Newest first. */
export function callRunning(
  open: readonly ToolCallEntry[],
  wanted: WantedCommand,
): ToolCallEntry | null {
  const lines = spellings(wanted);
  return open.find((call) => lines.has(commandOf(call))) ?? null;
}

/** By what a command is remembered when the person allows exactly it. */
export function commandKey({ command, args, env, cwd }: WantedCommand): string {
  return JSON.stringify([command, args, env.map(({ name, value }) => [name, value]), cwd]);
}

/** The ways in which a call may tell this command line. */
function spellings({ command, args, shown }: WantedCommand): ReadonlySet<string> {
  const lines = new Set([shown]);
  // A program whose name must be quoted would read as several words, or as a line of the shell, where it is not.
  if (PLAIN_NAME.test(command)) {
    lines.add(told({ command, args }));
    lines.add(told({ command: [command, ...args] }));
  }
  // A shell that is given one line: the line is the command.
  const [flag, line] = args;
  if (args.length === 2 && line !== undefined && SHELLS.test(command)) {
    if (flag === '-c' || flag === '-lc') lines.add(line.trim());
  }
  lines.delete('');
  return lines;
}

function told(rawInput: object): string {
  return commandOf({ ...newToolCall('', 0), rawInput });
}

function folderOf({ rawInput }: ToolCallEntry, cwd: string): string {
  if (typeof rawInput === 'object' && rawInput !== null) {
    for (const name of FOLDER_FIELDS) {
      const value: unknown = Object.getOwnPropertyDescriptor(rawInput, name)?.value;
      if (typeof value === 'string' && value !== '') return path.resolve(cwd, value);
    }
  }
  return path.resolve(cwd);
}

function isMarker({ name, value }: { readonly name: string; readonly value: string }): boolean {
  if (MARKERS.has(name)) return true;
  return (name === 'PAGER' || name === 'GIT_PAGER') && value === 'cat';
}
