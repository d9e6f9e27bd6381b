import type { Disposable } from '../../base/lifecycle.ts';
import type { TerminalExit } from '../../thread/thread.ts';
import { titleFor } from './commandTitle.ts';
import type { CallFields, OwnCall, OwnCalls } from '../session/ownCalls.ts';

/** How long an agent may take to show its terminal in a call of its own: milliseconds. */
const PATIENCE = 1_000;

interface Shown {
  readonly command: string;
  readonly cwd: string;
  /** The call of our own that shows it; `null` while there is none. */
  own: OwnCall | null;
  exit: TerminalExit | null;
  timer: NodeJS.Timeout | null;
}

/**
 * Sees to it that every terminal can be seen in its chat: at the call of our own that asked for it, at the agent's call
 * that holds it, or, if there is neither after a moment, at a new one of our own.
 */
export class TerminalCards implements Disposable {
  private readonly terminals = new Map<string, Shown>();

  constructor(private readonly calls: OwnCalls) {}

  started(terminalId: string, command: string, cwd: string): void {
    const timer = setTimeout(() => {
      this.look(terminalId);
    }, PATIENCE).unref();
    this.terminals.set(terminalId, { command, cwd, own: null, exit: null, timer });
  }

  /** @param own The call of our own that asked. */
  created(terminalId: string, own: OwnCall | null): void {
    const shown = this.terminals.get(terminalId);
    if (shown === undefined || own === null) return;
    shown.own = own;
    own.update(fieldsOf(terminalId, shown.exit));
    this.forgetIfDone(terminalId, shown);
  }

  ended(terminalId: string, exit: TerminalExit): void {
    const shown = this.terminals.get(terminalId);
    if (shown === undefined) return;
    shown.exit = exit;
    shown.own?.update({ status: statusOf(exit) });
    this.forgetIfDone(terminalId, shown);
  }

  /** Whatever is not seen anywhere yet is shown now. */
  dispose(): void {
    for (const terminalId of [...this.terminals.keys()]) this.look(terminalId);
  }

  private look(terminalId: string): void {
    const shown = this.terminals.get(terminalId);
    if (shown === undefined) return;
    if (shown.timer !== null) clearTimeout(shown.timer);
    shown.timer = null;
    if (shown.own === null && !this.calls.isShown(terminalId)) {
      const { command, cwd, exit } = shown;
      shown.own = this.calls.begin({
        title: titleFor(command),
        kind: 'execute',
        rawInput: { command, cwd },
        ...fieldsOf(terminalId, exit),
      });
    }
    this.forgetIfDone(terminalId, shown);
  }

  /** Nothing more comes of one that has ended and is seen. */
  private forgetIfDone(terminalId: string, shown: Shown): void {
    if (shown.exit === null || (shown.timer !== null && shown.own === null)) return;
    if (shown.timer !== null) clearTimeout(shown.timer);
    this.terminals.delete(terminalId);
  }
}

function fieldsOf(
  terminalId: string,
  exit: TerminalExit | null,
): Pick<CallFields, 'status' | 'content'> {
  const status = exit === null ? 'in_progress' : statusOf(exit);
  return { status, content: [{ type: 'terminal', terminalId }] };
}

/** A command that fails, or that is ended, has not done what it was for. */
function statusOf(exit: TerminalExit): 'completed' | 'failed' {
  return exit.code === 0 ? 'completed' : 'failed';
}
