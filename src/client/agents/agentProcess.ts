import spawn from 'cross-spawn';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { EndTimes } from '../processes/endTree.ts';
import { ProcessFamily } from '../processes/processFamily.ts';
import { ProcessTable } from '../processes/processTable.ts';
import { outputOf, silence } from '../processes/silence.ts';
import { spawnFault } from '../processes/spawnFault.ts';
import { StderrLines } from './stderrLines.ts';

/** What to start, ready to run: nothing in it is expanded any more. */
interface ProcessCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables on top of our own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
}

/** How a process ended. Both are `null` for one that could not be started. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Milliseconds that each step of `stop` may take before the next one follows. */
export interface StopTimes extends EndTimes {
  /** After the end of its input. */
  readonly input: number;
}

const STOP_TIMES: StopTimes = { input: 1_000, terminate: 2_000, kill: 2_000 };
/** The variable by which those are known whom an agent started: its value is different for each start of an agent. */
const MARK = 'PARLEY_AGENT';
/** Agents that end at the same time look at the machine's processes together. */
const TABLE = new ProcessTable(MARK);
/** Output after the exit is waited for until none has come for two of these: milliseconds. */
const QUIET = 250;

/**
 * The process of an agent, the leader of a group of its own. Its output is to be read in the tick in which it was
 * started: Node throws away what a process wrote if it ends before anybody listens.
 */
export class AgentProcess implements Disposable {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves once the process runs; rejects with a `UserError` that says why it could not be started. */
  readonly spawned: Promise<void>;
  /**
   * Resolves when the process has ended, or could not be started; never rejects. It does not wait for `stdout` to end:
   * what the agent left running may hold it open. `stdout` ends soon after, whoever holds it, and what the agent left
   * running is ended too.
   */
  readonly exited: Promise<ProcessExit>;

  private readonly child: ChildProcess | undefined;
  private readonly family: ProcessFamily | undefined;
  private readonly times: StopTimes;
  private readonly stderr: StderrLines;
  private stopping: Promise<void> | undefined;
  private sweeping: Promise<void> | undefined;

  /** Never throws: see `spawned`. @param onStderr Each line, without colours; in pieces if it is very long. */
  constructor(
    command: ProcessCommand,
    onStderr: (line: string) => void,
    times: Partial<StopTimes> = {},
  ) {
    this.times = { ...STOP_TIMES, ...times };
    this.stderr = new StderrLines(onStderr);
    const mark = randomUUID();
    const child = start(command, mark);
    this.child = child instanceof Error ? undefined : child;
    this.family =
      this.pid === undefined ? undefined : new ProcessFamily(this.pid, mark, TABLE, this.times);
    this.stdin = this.child?.stdin ?? new PassThrough().resume();
    this.stdout = this.child?.stdout ?? new PassThrough().end();
    // An agent that dies makes its input fail (EPIPE); without a listener that would end our own process.
    this.stdin.on('error', () => undefined);
    this.stdout.on('error', () => undefined);
    this.stderr.read(this.child?.stderr ?? null);
    this.spawned =
      child instanceof Error ? Promise.reject(refusal(command, child)) : begun(command, child);
    // Who does not ask is not to be hit by an unhandled rejection.
    this.spawned.catch(() => undefined);
    this.exited = this.watch();
  }

  /** `undefined` if it could not be started. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** The last 4,000 characters of stderr, without colours. */
  get stderrTail(): string {
    return this.stderr.tail;
  }

  /**
   * Ends the process and all that it started, also who left its group as far as the platform can tell: closes its input,
   * waits, SIGTERM, waits, SIGKILL. Resolves when nobody is left, at the latest half a second after the three times. Never
   * rejects; a second call waits for the first.
   */
  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  /** Like `stop`, without waiting for it. */
  dispose(): void {
    void this.stop();
  }

  private async end(): Promise<void> {
    // Before the agent knows: whose children its own were cannot be told of all once it has gone.
    await this.family?.find();
    this.stdin.end();
    if (this.family === undefined) return;
    await Promise.race([this.exited, delay(this.times.input, undefined, { ref: false })]);
    await this.sweep(this.family);
  }

  private sweep(family: ProcessFamily): Promise<void> {
    return (this.sweeping ??= family.end());
  }

  private watch(): Promise<ProcessExit> {
    const { child, family } = this;
    if (child === undefined || family === undefined) {
      return Promise.resolve({ code: null, signal: null });
    }
    const killAtExit = (): void => {
      family.endNow(TABLE.lookNow());
    };
    process.once('exit', killAtExit);
    return new Promise((resolve) => {
      // 'exit', not 'close': a daemon that holds the output must not keep us waiting.
      child.once('exit', (code, signal) => {
        family.leaderEnded();
        resolve({ code, signal });
        void endOutput(this.stdout);
        void this.sweep(family).finally(() => {
          process.off('exit', killAtExit);
          family.forget();
        });
      });
    });
  }
}

function start(command: ProcessCommand, mark: string): ChildProcess | Error {
  try {
    return spawn(command.command, [...command.args], {
      cwd: command.cwd,
      env: { ...process.env, ...command.env, [MARK]: mark },
      stdio: 'pipe',
      // A group of its own, so that all of it can be ended. On Windows that would open a console window.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function begun(command: ProcessCommand, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    // Later errors (a signal that could not be sent) are no news; without a listener they would end our own process.
    child.on('error', (error) => {
      reject(refusal(command, error));
    });
  });
}

/** Why a process could not be started, in words. */
function refusal({ command, cwd }: ProcessCommand, error: Error): UserError {
  return new UserError(whyNot(command, cwd, error), ['openSettings', 'showLog'], { cause: error });
}

function whyNot(command: string, cwd: string, error: Error): string {
  switch (spawnFault(command, cwd, error)) {
    case 'folderIsFile':
      return `The agent cannot run in "${cwd}": that is not a folder.`;
    case 'folderGone':
      return `The agent cannot run in the folder "${cwd}": it does not exist, or may not be opened.`;
    case 'notFound':
      return `The program "${command}" was not found. Give its full path, or install it and check that it is on the PATH that VS Code sees.`;
    case 'noInterpreter':
      return `The program "${command}" may not be run: what its first line names was not found.`;
    case 'notExecutable':
      return `The program "${command}" may not be run: it is not an executable file, or permission is missing.`;
    case 'tooLong':
    case 'other':
      return `The program "${command}" could not be started: ${messageOf(error)}`;
  }
}

/** Ends the output of a process that has exited, once what it wrote has been read. */
async function endOutput(stdout: Readable): Promise<void> {
  await silence(outputOf(stdout), QUIET);
  if (!stdout.readableEnded) stdout.destroy();
}
