import type { Disposable } from '../../base/lifecycle.ts';
import type { TerminalExit } from '../../thread/thread.ts';
import type { Log } from '../ports.ts';
import type { TerminalCommand } from './commandLine.ts';

/** Hears what becomes of the terminals of a set. */
export interface TerminalListener {
  started(terminalId: string, shown: string, cwd: string): void;
  /**
   * At most every 100 ms, at most 64 Ki characters.
   * @param cut Something before `text` was left out; it begins at a character and outside of any escape sequence then.
   */
  printed(terminalId: string, text: string, cut: boolean): void;
  /**
   * Exactly once, after the last `printed`.
   * @param output The end of what it printed: at most `TERMINAL_OUTPUT_LIMIT` characters, safe to begin with.
   */
  ended(terminalId: string, exit: TerminalExit, output: string, cut: boolean): void;
}

export interface TerminalOutput {
  readonly output: string;
  readonly truncated: boolean;
  /** `null` while it runs. */
  readonly exitStatus: TerminalExit | null;
}

/** All terminals of the window. They end with it. */
export class Terminals implements Disposable {
  constructor(readonly parts: { readonly log: Log }) {}

  open(_listener: TerminalListener): TerminalSet {
    return new TerminalSet();
  }

  dispose(): void {
    return;
  }
}

/** The terminals of one session. Methods that take an id throw a `RequestError` for one that is not, or no longer, theirs. */
export class TerminalSet implements Disposable {
  create(
    _command: TerminalCommand,
    _outputByteLimit: number | null,
    _signal: AbortSignal,
  ): Promise<string> {
    return Promise.reject(new Error('not yet'));
  }

  output(_terminalId: string): TerminalOutput {
    throw new Error('not yet');
  }

  waitForExit(_terminalId: string, _signal: AbortSignal): Promise<TerminalExit> {
    return Promise.reject(new Error('not yet'));
  }

  kill(_terminalId: string): Promise<void> {
    return Promise.reject(new Error('not yet'));
  }

  release(_terminalId: string): Promise<void> {
    return Promise.reject(new Error('not yet'));
  }

  /** For the person: ends the command, does nothing for an id that is not here. */
  stop(_terminalId: string): void {
    return;
  }

  /** All that is held, also after release; `undefined` where nothing is held. */
  fullOutput(_terminalId: string): string | undefined {
    return undefined;
  }

  /** First all that is held, then what comes. `undefined` where nothing is held. */
  tap(
    _terminalId: string,
    _onText: (text: string) => void,
    _onEnd: () => void,
  ): Disposable | undefined {
    return undefined;
  }

  dispose(): void {
    return;
  }
}
