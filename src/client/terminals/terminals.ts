import type { Disposable } from '../../base/lifecycle.ts';
import { ProcessTable, type ProcessEntry } from '../processes/processTable.ts';
import type { Log } from '../ports.ts';
import { OutputBudget } from './outputBudget.ts';
import { OutputPipes, PIPES } from './outputPipes.ts';
import type { Terminal } from './terminal.ts';
import type { TerminalListener } from './terminalListener.ts';
import { MARK, TerminalSet, type TerminalHome } from './terminalSet.ts';

export type { TerminalOutput } from './terminal.ts';
export type { TerminalListener } from './terminalListener.ts';
export { TerminalSet } from './terminalSet.ts';

/** What all terminals of the window hold together: bytes. */
const ALL_LIMIT = 256 << 20;
/** Terminals that nobody uses any more, whose output is kept for people. */
const KEPT = 500;

/** All terminals of the window. They end with it, and with our own process. */
export class Terminals implements Disposable {
  private readonly all = new Map<string, Terminal>();
  /** Ids of those that were given back, the oldest first. */
  private readonly left = new Set<string>();
  private readonly sets = new Set<TerminalSet>();
  private readonly table = new ProcessTable(MARK, PIPES);
  private readonly budget = new OutputBudget(ALL_LIMIT);
  private readonly pipes: OutputPipes;
  private readonly home: TerminalHome;
  private readonly atExit = (): void => {
    this.endNow();
  };

  constructor(parts: { readonly log: Log }) {
    this.pipes = new OutputPipes((message) => {
      parts.log.warn(message);
    });
    this.home = {
      log: parts.log,
      table: this.table,
      budget: this.budget,
      pipes: this.pipes,
      find: (terminalId) => this.all.get(terminalId),
      add: (terminal) => {
        this.all.set(terminal.id, terminal);
      },
      leave: (terminal) => {
        this.keep(terminal);
      },
      closed: (set) => {
        this.sets.delete(set);
      },
    };
    process.on('exit', this.atExit);
  }

  /** The terminals of one session. */
  open(listener: TerminalListener): TerminalSet {
    const set = new TerminalSet(this.home, listener);
    this.sets.add(set);
    return set;
  }

  dispose(): void {
    for (const set of [...this.sets]) set.dispose();
    this.pipes.dispose();
    const ends = [...this.all.values()]
      .filter(({ id }) => !this.left.has(id))
      .map((terminal) => terminal.release());
    void Promise.all(ends).finally(() => {
      process.off('exit', this.atExit);
      for (const terminal of this.all.values()) terminal.forget();
      this.all.clear();
    });
  }

  private keep(terminal: Terminal): void {
    this.left.add(terminal.id);
    for (const id of this.left) {
      if (this.left.size <= KEPT) break;
      this.left.delete(id);
      this.all.get(id)?.forget();
      this.all.delete(id);
    }
  }

  private endNow(): void {
    const entries: readonly ProcessEntry[] = this.all.size === 0 ? [] : this.table.lookNow();
    for (const terminal of this.all.values()) terminal.endNow(entries);
    this.pipes.dispose();
  }
}
