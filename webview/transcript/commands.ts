import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Terminal, ToolCallEntry } from '../../src/bridge/messages.ts';
import type { Store } from '../store.ts';
import { usePage } from '../ui/page.ts';
import { agentCommand, type CommandState } from './terminalWords.ts';

/** The commands of a call. */
export interface Commands {
  /** Ids of the terminals among its content that are Parley's. */
  readonly own: readonly string[];
  /** Whether one of those runs. */
  readonly running: boolean;
  /** There is a terminal that the agent runs or ran itself, and something to show of it. */
  readonly agents: boolean;
  /** How its only command stands, where that says more than the state of the call. */
  readonly state: CommandState | null;
}

/** The commands of a call. Whoever asks is drawn again when one begins or ends, and not when one prints. */
export function useCommands(entry: ToolCallEntry): Commands {
  const { store } = usePage();
  const known = useMemo(() => {
    const ids = entry.content.flatMap((part) =>
      part.type === 'terminal' ? [part.terminalId] : [],
    );
    let before: readonly OwnCommand[] = [];
    return computed(() => {
      const now = [...new Set(ids)].flatMap((id) => stateOf(store, id));
      const same = now.length === before.length && now.every((one, at) => isSame(one, before[at]));
      return same ? before : (before = now);
    });
  }, [entry.content]);
  return commandsOf(entry, known.value);
}

type OwnCommand = CommandState & Pick<Terminal, 'terminalId'>;

function stateOf(store: Store, id: string): readonly OwnCommand[] {
  const terminal = store.terminal(id).value;
  if (terminal === undefined) return [];
  const { terminalId, exit, startedAt, endedAt } = terminal;
  return [{ terminalId, exit, startedAt, endedAt }];
}

function isSame(a: OwnCommand, b: OwnCommand | undefined): boolean {
  return a.terminalId === b?.terminalId && a.exit === b.exit && a.endedAt === b.endedAt;
}

function commandsOf(entry: ToolCallEntry, states: readonly OwnCommand[]): Commands {
  const own = states.map(({ terminalId }) => terminalId);
  const running = states.some(({ exit }) => exit === null);
  const agents = showsAgentTerminal(entry, own);
  return { own, running, agents, state: onlyState(entry, states, agents) };
}

function showsAgentTerminal(entry: ToolCallEntry, own: readonly string[]): boolean {
  if (entry.output !== '') return true;
  const told = entry.cwd !== null || (entry.exit !== null && entry.exit.code !== null);
  switch (entry.state) {
    case 'running':
      return told || entry.content.some((part) => isForeign(part, own));
    case 'done':
    case 'failed':
      return told;
    default:
      return false;
  }
}

function isForeign(part: ToolCallEntry['content'][number], own: readonly string[]): boolean {
  return part.type === 'terminal' && !own.includes(part.terminalId);
}

function onlyState(
  entry: ToolCallEntry,
  states: readonly OwnCommand[],
  agents: boolean,
): CommandState | null {
  if (['waiting', 'cancelled', 'rejected'].includes(entry.state)) return null;
  if (agents) return states.length === 0 ? agentCommand(entry) : null;
  return states.length === 1 ? (states[0] ?? null) : null;
}
