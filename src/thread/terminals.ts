import { squashedEnd } from './screen/squash.ts';
import {
  TERMINAL_OUTPUT_LIMIT,
  type Change,
  type Terminal,
  type Thread,
  type ThreadHappening,
} from './thread.ts';

type TerminalEvent = Extract<
  ThreadHappening,
  { type: 'terminalStarted' | 'terminalPrinted' | 'terminalEnded' }
>;

/** Where only this much is left free, or less, more is cut: what comes next must not pay for it at once. */
const ROOM = TERMINAL_OUTPUT_LIMIT / 4;

/** What is kept of a terminal's output; see `Terminal`. */
export interface KeptOutput {
  readonly output: string;
  readonly cut: boolean;
}

/**
 * What is kept after more was printed. Where it becomes too long, first goes what was overwritten, then what came
 * first. That leaves room for a quarter of the limit at least, so a character costs a bounded time on average.
 */
export function withPrinted({ output, cut }: KeptOutput, text: string): KeptOutput {
  const all = output + text;
  if (all.length <= TERMINAL_OUTPUT_LIMIT) return { output: all, cut };
  const whole = squashedEnd(all, TERMINAL_OUTPUT_LIMIT - ROOM);
  const kept = whole.cut ? squashedEnd(all, TERMINAL_OUTPUT_LIMIT / 2) : whole;
  return { output: kept.text, cut: cut || kept.cut };
}

/**
 * What is to be kept of a command that ended. Where only the end of its raw output is at hand, and everything was shown
 * as it came, what was shown has more to say: a progress bar has pushed nothing out of it.
 */
export function keptAtEnd(thread: Thread, terminalId: string, ended: KeptOutput): KeptOutput {
  const shown = terminalOf(thread, terminalId);
  if (!ended.cut || shown === undefined || shown.cut) return ended;
  return { output: shown.output, cut: false };
}

/** What becomes of a terminal; `null` if the event does not fit: an id that is taken, or that nobody knows. */
export function terminalChanges(
  thread: Thread,
  event: TerminalEvent,
  at: number,
): readonly Change[] | null {
  const { terminalId } = event;
  const known = terminalOf(thread, terminalId);
  if (event.type === 'terminalStarted') {
    if (known !== undefined) return null;
    const { command, cwd } = event;
    const started = { terminalId, command, cwd, startedAt: at, endedAt: null, exit: null };
    return [{ type: 'terminal', terminal: { ...started, output: '', cut: false } }];
  }
  if (known?.exit !== null) return null;
  if (event.type === 'terminalPrinted') return [printed(known, event.text, event.cut)];
  const { output, cut } = withPrinted({ output: '', cut: event.cut }, event.output);
  return [{ type: 'terminal', terminal: { ...known, endedAt: at, exit: event.exit, output, cut } }];
}

/** Nobody saw the end of the commands that run: they ended with the window. */
export function endTerminals(thread: Thread, at: number): readonly Change[] {
  return Object.values(thread.terminals)
    .filter(({ exit }) => exit === null)
    .map((terminal) => ({
      type: 'terminal',
      terminal: { ...terminal, endedAt: at, exit: { code: null, signal: null } },
    }));
}

function terminalOf({ terminals }: Thread, terminalId: string): Terminal | undefined {
  return Object.hasOwn(terminals, terminalId) ? terminals[terminalId] : undefined;
}

function printed(terminal: Terminal, text: string, cut: boolean): Change {
  const before = cut ? { output: '', cut: true } : terminal;
  const { terminalId } = terminal;
  if (!cut && terminal.output.length + text.length <= TERMINAL_OUTPUT_LIMIT) {
    return { type: 'terminalText', terminalId, text };
  }
  return { type: 'terminal', terminal: { ...terminal, ...withPrinted(before, text) } };
}
