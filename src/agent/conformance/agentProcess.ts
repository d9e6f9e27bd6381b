import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { scrub } from '../server/faults.ts';
import type { OutputLine } from './lineReader.ts';
import { LineReader } from './lineReader.ts';
import { endTree, isTreeAlive, MARK } from './processTree.ts';
import { windowsCommand } from './windowsCommand.ts';

/** What to start, and where. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Absolute folder of the process. */
  readonly cwd: string;
}

/** The longest line that is read: what is longer is counted and thrown away. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Characters of stderr that are kept: the last ones. */
const STDERR_CHARACTERS = 2_000;
/** Milliseconds that output may still come in after the process has exited: a child may hold the pipe open. */
const LAST_OUTPUT_MS = 250;

/** The process of the agent under test, the leader of a group of its own. */
export class AgentProcess {
  /** Resolves with a sentence when the process has ended or could not be started; never rejects. */
  readonly ended: Promise<string>;
  private readonly child: ChildProcess;
  private readonly mark = randomUUID();
  private readonly reader = new LineReader(MAX_LINE_BYTES);
  private stderr = '';
  private spawnError: Error | undefined;
  private discarding = false;

  constructor(command: AgentCommand, onLine: (line: OutputLine) => void) {
    const windows = process.platform === 'win32' && !/\.exe$/i.test(command.command);
    const cmd = process.env['ComSpec'] ?? 'cmd.exe';
    const script = ['/d', '/s', '/c', windowsCommand(command.command, command.args)];
    this.child = spawn(windows ? cmd : command.command, windows ? script : [...command.args], {
      cwd: command.cwd,
      env: { ...command.env, [MARK]: this.mark },
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: windows,
    });
    const { stdin, stdout, stderr } = this.child;
    // A broken pipe is no news: the end of the process is.
    for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => undefined);
    stdout?.on('data', (chunk: Buffer) => {
      if (!this.discarding) for (const line of this.reader.push(chunk)) onLine(line);
    });
    stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('utf8')).slice(-STDERR_CHARACTERS);
    });
    this.ended = this.watch(onLine);
  }

  /** Why it could not be started at all; `undefined` if it could. */
  get startFailure(): string | undefined {
    return this.spawnError?.message;
  }

  /** Bytes wait to be read by the agent: it does not read its input. */
  get isClogged(): boolean {
    return this.child.stdin?.writableNeedDrain === true;
  }

  get hasExited(): boolean {
    return (
      this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null
    );
  }

  write(bytes: string | Buffer): void {
    this.child.stdin?.write(bytes);
  }

  endInput(): void {
    this.child.stdin?.end();
  }

  /** Reads on without looking: the agent shall not wait for us, and costs nothing any more. */
  discard(): void {
    this.discarding = true;
  }

  /** Others that the agent has started and that still run. */
  get leavesOthers(): boolean {
    const { pid } = this.child;
    return pid !== undefined && this.hasExited && isTreeAlive(pid, this.mark);
  }

  /** Ends it with all that it has started. Never rejects. */
  async stop(): Promise<void> {
    this.discard();
    this.endInput();
    if (this.child.pid !== undefined) await endTree(this.child.pid, this.mark);
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  private async watch(onLine: (line: OutputLine) => void): Promise<string> {
    try {
      await once(this.child, 'exit');
    } catch (error) {
      this.spawnError = error instanceof Error ? error : new Error(String(error));
      return `the agent could not be started: ${this.spawnError.message}`;
    }
    const { exitCode, signalCode, stdout } = this.child;
    if (stdout && !stdout.readableEnded) {
      await once(stdout, 'close', { signal: AbortSignal.timeout(LAST_OUTPUT_MS) }).catch(
        () => undefined,
      );
    }
    const rest = this.reader.rest();
    if (rest !== undefined && !this.discarding) onLine(rest);
    const how = exitCode === null ? `the signal ${signalCode ?? '?'}` : `exit code ${exitCode}`;
    return `the agent ended with ${how}${this.lastWords()}`;
  }

  private lastWords(): string {
    const line = this.stderr.split('\n').findLast((one) => one.trim() !== '');
    return line === undefined ? '' : `; the last it said on stderr: ${scrub(line.trim())}`;
  }
}
