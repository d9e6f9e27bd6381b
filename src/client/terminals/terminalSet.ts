import { randomUUID } from 'node:crypto';
import { Cancelled, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import type { ProcessTable } from '../processes/processTable.ts';
import type { TerminalExit } from '../../thread/thread.ts';
import type { Log } from '../ports.ts';
import type { TerminalCommand } from './commandLine.ts';
import type { OutputBudget } from './outputBudget.ts';
import { OutputBuffer } from './outputBuffer.ts';
import type { OutputPipes } from './outputPipes.ts';
import { Terminal, type TerminalOutput } from './terminal.ts';
import { TerminalProcess } from './terminalProcess.ts';
import type { TerminalListener } from './terminalListener.ts';

/** The variable by which processes are known that left their group: its value is the terminal's id. */
export const MARK = 'PARLEY_TERMINAL';
/** Commands of one session that may run at the same time. */
const MOST_RUNNING = 256;
/** Terminals of one session that are not released. */
const MOST_HELD = 2_000;

/** What the sets of a window share. */
export interface TerminalHome {
  readonly log: Log;
  readonly table: ProcessTable;
  readonly budget: OutputBudget;
  readonly pipes: OutputPipes;
  /** One of any set, also after its release. */
  find(terminalId: string): Terminal | undefined;
  add(terminal: Terminal): void;
  /** It was released and has ended: it is kept for people while memory lasts. */
  leave(terminal: Terminal): void;
  closed(set: TerminalSet): void;
}

/** The terminals of one session. What takes an id throws a `RequestError` for one that is not, or no longer, its own. */
export class TerminalSet implements Disposable {
  private readonly own = new Map<string, Terminal>();
  /** Released ones that still end. */
  private readonly leaving = new Set<Terminal>();
  private starting = 0;
  private disposed = false;

  constructor(
    private readonly home: TerminalHome,
    private readonly listener: TerminalListener,
  ) {}

  /**
   * Starts a command. Rejects with a `RequestError` in words if it cannot be started, with `Cancelled` if `signal` aborts.
   * @param outputByteLimit What `output` gives at most; the last bytes of it. `null`: all that is held.
   * @returns The terminal's id, once the process runs.
   */
  async create(
    command: TerminalCommand,
    outputByteLimit: number | null,
    signal: AbortSignal,
  ): Promise<string> {
    this.checkRoom();
    this.starting += 1;
    try {
      return await this.start(command, outputByteLimit, signal);
    } finally {
      this.starting -= 1;
    }
  }

  /** What it has printed until now. */
  output(terminalId: string): TerminalOutput {
    return this.known(terminalId).output();
  }

  /** Resolves when the command has ended and its output was read. Rejects with `Cancelled` when `signal` aborts. */
  async waitForExit(terminalId: string, signal: AbortSignal): Promise<TerminalExit> {
    return this.known(terminalId).waitForExit(signal);
  }

  /** Ends the command and all that it started; the id stays good. Resolves when nobody is left, in bounded time. */
  async kill(terminalId: string): Promise<void> {
    await this.known(terminalId).end();
  }

  /** The same, and the id is unknown to the agent at once. What was printed stays for people. */
  async release(terminalId: string): Promise<void> {
    await this.leave(this.known(terminalId));
  }

  /** For the person: ends the command. Does nothing for an id that is not here. */
  stop(terminalId: string): void {
    void this.own.get(terminalId)?.end();
  }

  /** For people: all that is held, of any terminal of the window; `undefined` where nothing is held any more. */
  fullOutput(terminalId: string): string | undefined {
    return this.home.find(terminalId)?.fullOutput();
  }

  /**
   * For people: first all that is held, then what comes, in pieces of at most 256 Ki characters. `onEnd` is called once,
   * after the last of it. `undefined` where nothing is held any more.
   */
  tap(
    terminalId: string,
    onText: (text: string) => void,
    onEnd: () => void,
  ): Disposable | undefined {
    return this.home.find(terminalId)?.tap(onText, onEnd);
  }

  /** Ends everything. The listener has heard the end of each when this returns. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const terminal of [...this.own.values(), ...this.leaving]) {
      terminal.tellEnd({ code: null, signal: null });
    }
    for (const terminal of [...this.own.values()]) void this.leave(terminal);
    this.home.closed(this);
  }

  private async start(
    command: TerminalCommand,
    outputByteLimit: number | null,
    signal: AbortSignal,
  ): Promise<string> {
    const pipe = await this.home.pipes.take();
    if (this.gone(signal)) {
      pipe?.started();
      pipe?.stream.destroy();
      throw new Cancelled();
    }
    const id = `terminal-${randomUUID()}`;
    const buffer = new OutputBuffer(this.home.budget);
    const process = new TerminalProcess(marked(command, id), pipe, (bytes) => {
      buffer.append(bytes);
      this.home.find(id)?.heard();
    });
    try {
      await process.spawned;
    } catch (error) {
      process.close();
      buffer.close();
      throw error;
    }
    const { pid } = process;
    if (pid === undefined) throw new RequestError(ErrorCode.internal, 'It has no process id.');
    const terminal = new Terminal(
      id,
      process,
      pid,
      buffer,
      outputByteLimit,
      this.home.table,
      this.events(id),
    );
    this.home.add(terminal);
    this.own.set(id, terminal);
    this.told(() => {
      this.listener.started(id, command.shown, command.cwd);
    });
    if (!this.gone(signal)) return id;
    void this.leave(terminal);
    throw new Cancelled();
  }

  private gone(signal: AbortSignal): boolean {
    return this.disposed || signal.aborted;
  }

  private checkRoom(): void {
    if (this.disposed) throw new Cancelled();
    const running = [...this.own.values()].filter((terminal) => terminal.running).length;
    const advice =
      running + this.leaving.size + this.starting >= MOST_RUNNING
        ? `${MOST_RUNNING} commands of this session run already. Wait for some of them, or end them, first.`
        : this.own.size >= MOST_HELD
          ? `This session holds ${MOST_HELD} terminals. Release those that you no longer need first.`
          : undefined;
    if (advice !== undefined) throw new RequestError(ErrorCode.invalidParams, advice);
  }

  private async leave(terminal: Terminal): Promise<void> {
    this.own.delete(terminal.id);
    this.leaving.add(terminal);
    try {
      await terminal.release();
    } finally {
      this.leaving.delete(terminal);
      this.home.leave(terminal);
    }
  }

  private events(id: string) {
    return {
      printed: (text: string, cut: boolean) => {
        this.told(() => {
          this.listener.printed(id, text, cut);
        });
      },
      ended: (exit: TerminalExit, output: string, cut: boolean) => {
        this.told(() => {
          this.listener.ended(id, exit, output, cut);
        });
      },
    };
  }

  /** A listener that throws is in nobody's way. */
  private told(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.home.log.error(`A terminal could not be shown: ${messageOf(error)}`);
    }
  }

  private known(terminalId: string): Terminal {
    const terminal = this.own.get(terminalId);
    if (terminal !== undefined) return terminal;
    const name = JSON.stringify(terminalId.slice(0, 100));
    throw new RequestError(ErrorCode.invalidParams, `There is no such terminal: ${name}.`);
  }
}

function marked(command: TerminalCommand, id: string): TerminalCommand {
  return { ...command, env: { ...command.env, [MARK]: id } };
}
