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

/** What becomes of a terminal; `null` if the event does not fit: an id that is taken, or that nobody knows. */
export function terminalChanges(
  thread: Thread,
  event: TerminalEvent,
  at: number,
): readonly Change[] | null {
  const known = Object.hasOwn(thread.terminals, event.terminalId)
    ? thread.terminals[event.terminalId]
    : undefined;
  if (event.type === 'terminalStarted') {
    if (known !== undefined) return null;
    const { terminalId, command, cwd } = event;
    const started = { terminalId, command, cwd, startedAt: at, endedAt: null, exit: null };
    return [{ type: 'terminal', terminal: { ...started, output: '', cut: false } }];
  }
  if (known?.exit !== null) return null;
  return event.type === 'terminalPrinted'
    ? [printed(known, event.text, event.cut)]
    : [
        {
          type: 'terminal',
          terminal: {
            ...known,
            endedAt: at,
            exit: event.exit,
            output: event.output,
            cut: event.cut,
          },
        },
      ];
}

function printed(terminal: Terminal, text: string, cut: boolean): Change {
  if (!cut && terminal.output.length + text.length <= TERMINAL_OUTPUT_LIMIT) {
    return { type: 'terminalText', terminalId: terminal.terminalId, text };
  }
  const output = (cut ? text : terminal.output + text).slice(-TERMINAL_OUTPUT_LIMIT);
  return { type: 'terminal', terminal: { ...terminal, output, cut: true } };
}
