import path from 'node:path';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import { commandLine } from '../agents/commandLine.ts';
import { overlaid, personsEnvironment } from './environment.ts';
import { shellStart } from './shells.ts';
import { findProgram, shownOnWindows, startOnWindows } from './windowsCommand.ts';

/** A command of an agent, ready to be started: nothing in it is looked up or expanded any more. */
export interface TerminalCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
  /** For people: quoted as a shell would need it, or the shell line itself. */
  readonly shown: string;
  /** Names only: values may be secrets. */
  readonly changedVariables: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly windowsVerbatimArguments?: boolean;
}

/** `terminal/create`, as far as it says what to start. */
export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly cwd: string;
}

export interface Machine {
  readonly platform: NodeJS.Platform | 'posix';
  /** The person's shell: an absolute path or the name of its program. */
  readonly shell: string;
  /** The environment of our own process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
}

/** Where a command is looked up: the environment is the one that it will have. */
interface Site {
  readonly windows: boolean;
  readonly cwd: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  exists(path: string): boolean;
}

interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim: boolean;
  readonly shown: string;
}

/**
 * How a command of an agent becomes a process. With arguments, or without blanks, it is a program; so is one with blanks
 * that is the path of a file. Everything else is a line for the person's shell. Throws a `RequestError` in words for what
 * cannot be run.
 */
export function resolveCommand(request: CommandRequest, machine: Machine): TerminalCommand {
  const { command, args, cwd } = request;
  const windows = machine.platform === 'win32';
  if (command.trim() === '') throw refused('The command is empty: name the program to run.');
  if ([command, ...args, cwd].some((text) => text.includes('\0'))) {
    throw refused('A command, its arguments and its folder must not contain NUL characters.');
  }
  if (!(windows ? path.win32 : path.posix).isAbsolute(cwd)) {
    throw refused(`The folder ${JSON.stringify(cwd)} is not an absolute path.`);
  }
  if (!machine.exists(cwd)) throw refused(`The folder ${cwd} does not exist.`);
  const { env, changed } = overlaid(personsEnvironment(machine.env), request.env, windows);
  const site = {
    windows,
    cwd,
    shell: machine.shell,
    env,
    exists: (file: string) => machine.exists(file),
  };
  const isLine = args.length === 0 && /\s/.test(command) && !isFile(command, site);
  const start = isLine ? shellLine(command, site) : program(command, args, site);
  return {
    file: start.file,
    args: start.args,
    env,
    cwd,
    shown: start.shown,
    changedVariables: changed,
    windowsVerbatimArguments: start.verbatim,
  };
}

/** A path with blanks: only one that names a folder is taken for a file, so `git status` never is. */
function isFile(command: string, site: Site): boolean {
  if (site.windows) return /[\\/]/.test(command) && findProgram(command, site) !== undefined;
  return command.includes('/') && site.exists(path.posix.resolve(site.cwd, command));
}

function program(command: string, args: readonly string[], site: Site): Start {
  if (!site.windows) {
    return { file: command, args, verbatim: false, shown: commandLine(command, args) };
  }
  const file = findProgram(command, site);
  if (file === undefined) throw notFound(command);
  return { ...startOnWindows(file, args, site.env), shown: shownOnWindows(command, args) };
}

function shellLine(line: string, site: Site): Start {
  const start = shellStart(line, site);
  const shown = hidesSomething(line) ? commandLine(start.file, start.args) : line.trim();
  return { ...start, shown };
}

/** Characters that a person does not see, or that move others about, let a line look like another one. */
function hidesSomething(line: string): boolean {
  return /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/u.test(line);
}

/** Said where the program of a command is not there. */
export function notFound(command: string): RequestError {
  const advice = /[\s|&;<>()$`]/.test(command)
    ? ' With arguments, "command" is the name of one program and never a shell line: give a whole line without arguments, or run a shell with it.'
    : ' Check its name, give its full path, or install it.';
  return refused(`The program ${JSON.stringify(command)} was not found.${advice}`);
}

function refused(message: string): RequestError {
  return new RequestError(ErrorCode.invalidParams, message);
}
