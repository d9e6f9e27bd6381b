import { setTimeout as delay } from 'node:timers/promises';
import { Cancelled } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { EndTimes } from '../processes/endTree.ts';
import { ProcessFamily } from '../processes/processFamily.ts';
import type { ProcessEntry, ProcessTable } from '../processes/processTable.ts';
import { TERMINAL_OUTPUT_LIMIT, type TerminalExit } from '../../thread/thread.ts';
import type { OutputBuffer } from './outputBuffer.ts';
import { OutputReader, type Pace } from './outputReader.ts';
import type { TerminalProcess } from './terminalProcess.ts';

/** What a chat shows while a command runs. */
const TO_CHAT: Pace = { every: 100, most: TERMINAL_OUTPUT_LIMIT, skips: true };
/** What the editor's panel can take. */
const TO_PANEL: Pace = { every: 20, most: 256 << 10, skips: false };
const TIMES: EndTimes = { terminate: 2_000, kill: 2_000 };
/** The most that the output of what was ended is waited for: milliseconds. */
const LONGEST_FINISH = 3_000;

/** Hears what becomes of one terminal. */
export interface TerminalEvents {
  printed(text: string, cut: boolean): void;
  ended(exit: TerminalExit, output: string, cut: boolean): void;
}

export interface TerminalOutput {
  readonly output: string;
  /** Something before `output` is not in it. */
  readonly truncated: boolean;
  /** `null` while it runs. */
  readonly exitStatus: TerminalExit | null;
}

/** A command that runs or ran: its process, what it has printed, and who waits for its end. */
export class Terminal {
  /** Resolves when the command has ended and its output was read. */
  readonly finished: Promise<TerminalExit>;
  private readonly family: ProcessFamily;
  private readonly reader: OutputReader;
  private readonly waiters = new Set<(exit: TerminalExit) => void>();
  /** Live copies, each with what is to be called at its end. */
  private readonly taps = new Map<OutputReader, () => void>();
  private told = false;
  private exit: TerminalExit | null = null;
  private shown: { readonly from: number; readonly end: number; readonly text: string } | undefined;

  /** @param process One that runs; `pid` is its id. */
  constructor(
    readonly id: string,
    private readonly process: TerminalProcess,
    pid: number,
    private readonly buffer: OutputBuffer,
    private readonly limit: number | null,
    table: ProcessTable,
    private readonly events: TerminalEvents,
  ) {
    this.family = new ProcessFamily(pid, id, table, TIMES, process.pipe);
    this.reader = new OutputReader(buffer, TO_CHAT, (text, cut) => {
      if (!this.told) events.printed(text, cut);
    });
    this.finished = this.finish();
  }

  get running(): boolean {
    return this.exit === null;
  }

  /** Something was printed. */
  heard(): void {
    if (!this.told) this.reader.poke();
    for (const tap of this.taps.keys()) tap.poke();
  }

  /** What the agent sees of it. */
  output(): TerminalOutput {
    const { buffer, limit } = this;
    const from = limit === null ? buffer.safeStart(0) : buffer.lastBytes(limit);
    if (this.shown?.from !== from || this.shown.end !== buffer.end) {
      this.shown = { from, end: buffer.end, text: buffer.text(from) };
    }
    return { output: this.shown.text, truncated: from > 0, exitStatus: this.exit };
  }

  /** Everything that is held. */
  fullOutput(): string {
    return this.buffer.text(this.buffer.safeStart(0));
  }

  /** Resolves like `finished`; rejects with `Cancelled` when `signal` aborts, which ends nothing else. */
  waitForExit(signal: AbortSignal): Promise<TerminalExit> {
    if (signal.aborted) return Promise.reject(new Cancelled());
    if (this.exit !== null) return Promise.resolve(this.exit);
    return new Promise((resolve, reject) => {
      const aborted = (): void => {
        this.waiters.delete(done);
        reject(new Cancelled());
      };
      const done = (exit: TerminalExit): void => {
        signal.removeEventListener('abort', aborted);
        resolve(exit);
      };
      this.waiters.add(done);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** A copy of the output: first all that is held, then what comes. `onEnd` is called once, after the last of it. */
  tap(onText: (text: string) => void, onEnd: () => void): Disposable {
    const tap = new OutputReader(this.buffer, TO_PANEL, onText);
    this.taps.set(tap, onEnd);
    tap.poke();
    if (!this.running) this.endTap(tap, onEnd);
    return {
      dispose: () => {
        this.taps.delete(tap);
        tap.dispose();
      },
    };
  }

  /** Ends the command and all that it started. Resolves when nobody is left, in bounded time; never rejects. */
  end(): Promise<void> {
    return this.family.end();
  }

  /** The same with SIGKILL, done when it returns. */
  endNow(entries: readonly ProcessEntry[]): void {
    this.family.endNow(entries);
  }

  /** Ends it and lets go of what it prints; what is held stays. */
  async release(): Promise<void> {
    await this.end();
    // What even SIGKILL does not end must not be held for ever.
    await Promise.race([this.finished, delay(LONGEST_FINISH, undefined, { ref: false })]);
    this.process.close();
    this.family.forget();
    this.buffer.trim();
    this.shown = undefined;
  }

  /** Tells that it ended, if that was not told: nobody listens any more afterwards. */
  tellEnd(exit: TerminalExit): void {
    if (this.told) return;
    this.reader.end(() => undefined);
    this.told = true;
    this.reader.dispose();
    const from = this.buffer.safeStart(0);
    const first = this.buffer.lastCharacters(TERMINAL_OUTPUT_LIMIT, from);
    this.events.ended(exit, this.buffer.text(first), first > 0);
  }

  /** Nothing of it is held any more. */
  forget(): void {
    for (const tap of this.taps.keys()) tap.dispose();
    this.taps.clear();
    this.buffer.close();
  }

  private async finish(): Promise<TerminalExit> {
    const exit = await this.process.exited;
    this.family.leaderEnded();
    await this.process.drained();
    this.exit = exit;
    this.tellEnd(exit);
    for (const [tap, onEnd] of [...this.taps]) this.endTap(tap, onEnd);
    for (const waiter of this.waiters) waiter(exit);
    this.waiters.clear();
    return exit;
  }

  private endTap(tap: OutputReader, onEnd: () => void): void {
    tap.end(() => {
      this.taps.delete(tap);
      onEnd();
    });
  }
}
