import { spawn, type ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import type { TerminalExit } from '../../thread/thread.ts';
import { outputOf, silence, type Output } from '../processes/silence.ts';
import { spawnFault } from '../processes/spawnFault.ts';
import { notFound, type TerminalCommand } from './commandLine.ts';
import type { OutputPipe } from './outputPipes.ts';
import { Utf8Pieces } from './utf8Pieces.ts';

/** Output after the exit is waited for until none has come for two of these: milliseconds. */
const QUIET = 50;
/** The most that is waited for it, if what was left running keeps printing: milliseconds. */
const LONGEST_DRAIN = 2_000;

/** The process of a terminal, the leader of a group of its own, with nothing to read and its output in order. */
export class TerminalProcess {
  /** Resolves once it runs; rejects with a `RequestError` that says why it could not be started. */
  readonly spawned: Promise<void>;
  /** Resolves when it has ended; never if it could not be started. */
  readonly exited: Promise<TerminalExit>;
  /** The pipe that its output goes to, as `heldPipe` names it; '' if that is not known. */
  readonly pipe: string;
  private readonly child: ChildProcess | undefined;
  private readonly outputs: readonly Output[];

  /**
   * Never throws: see `spawned`.
   * @param pipe Without one, stdout and stderr come in the order in which they are read.
   * @param onOutput Whole characters, valid UTF-8. The bytes are only good during the call.
   */
  constructor(
    command: TerminalCommand,
    pipe: OutputPipe | undefined,
    onOutput: (bytes: Buffer) => void,
  ) {
    const child = start(command, pipe);
    pipe?.started();
    this.pipe = pipe?.name ?? '';
    this.child = child instanceof Error ? undefined : child;
    this.spawned =
      child instanceof Error ? Promise.reject(refusal(command, child)) : begun(command, child);
    this.spawned.catch(() => undefined);
    this.exited = new Promise((resolve) => {
      // 'exit', not 'close': what it left running may hold the output open.
      this.child?.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
    });
    this.outputs =
      pipe === undefined
        ? [this.child?.stdout, this.child?.stderr].flatMap((stream) =>
            stream instanceof Readable ? [outputOf(stream)] : [],
          )
        : [pipe];
    for (const output of this.outputs) read(output, onOutput);
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Resolves when all that was printed until the exit has been read; in bounded time. */
  async drained(): Promise<void> {
    await Promise.all(this.outputs.map((output) => silence(output, QUIET, LONGEST_DRAIN)));
  }

  /** Lets go of the output: nothing more is read. */
  close(): void {
    for (const { stream } of this.outputs) stream.destroy();
  }
}

function read(output: Output, onOutput: (bytes: Buffer) => void): void {
  const pieces = new Utf8Pieces();
  const pass = (bytes: Buffer): void => {
    if (bytes.length > 0) onOutput(bytes);
  };
  output.listen((piece) => {
    for (const whole of pieces.push(piece)) pass(whole);
  });
  output.stream.once('end', () => {
    pass(pieces.end());
  });
  // What can no longer be read is no news: the exit says what matters.
  output.stream.on('error', () => undefined);
}

function start(command: TerminalCommand, pipe: OutputPipe | undefined): ChildProcess | Error {
  const output = pipe?.writeEnd ?? 'pipe';
  try {
    return spawn(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      stdio: ['ignore', output, output],
      // A group of its own, so that all of it can be ended. On Windows that would open a console window.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: command.windowsVerbatimArguments ?? false,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function begun(command: TerminalCommand, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    // Later errors are no news; without a listener they would end our own process.
    child.on('error', (error) => {
      reject(refusal(command, error));
    });
  });
}

function refusal({ file, cwd }: TerminalCommand, error: Error): RequestError {
  const program = JSON.stringify(file);
  switch (spawnFault(file, cwd, error)) {
    case 'folderGone':
      return refused(`The folder ${cwd} does not exist, or may not be opened.`);
    case 'folderIsFile':
      return refused(`The command cannot run in ${cwd}: that is not a folder.`);
    case 'notFound':
      return notFound(file);
    case 'noInterpreter':
      return refused(
        `${program} cannot be run: the program that its first line names was not found.`,
      );
    case 'notExecutable':
      return refused(
        `${program} cannot be run: it is not an executable file, or permission is missing.`,
      );
    case 'tooLong':
      return refused(
        `${program} cannot be run: its arguments and variables are too long together. Pass what is long in a file.`,
      );
    case 'other':
      return new RequestError(
        ErrorCode.internal,
        `${program} could not be started: ${messageOf(error)}`,
      );
  }
}

function refused(message: string): RequestError {
  return new RequestError(ErrorCode.invalidParams, message);
}
