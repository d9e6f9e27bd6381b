import { isUnsettled, settled } from './toolCall.ts';
import type { Change, Entry, Thread, ToolCallEntry, Turn, TurnState } from './thread.ts';

/** The address of an entry, and what stands there. */
export interface Place<E extends Entry = Entry> {
  readonly turn: number;
  readonly index: number;
  readonly entry: E;
}

/**
 * Late output of a command that runs on after its turn is looked for a call in so many turns before the latest one: a
 * bound for the time that an update with an unknown id takes.
 */
const LATE_TURNS = 50;

export function runningTurn(thread: Thread): Turn | null {
  return thread.latest?.state.kind === 'running' ? thread.latest : null;
}

/** Whether the person pressed Stop and the agent has not answered yet. */
export function isCancelling(thread: Thread): boolean {
  const state = thread.latest?.state;
  return state?.kind === 'running' && state.cancelling;
}

/** A turn that begins; whatever the one before left open is settled. */
export function beginTurn(thread: Thread, turn: Turn): readonly Change[] {
  return [...settle(thread, turn.startedAt), { type: 'turn', turn }];
}

/** A turn of what an agent says unasked. Its id says where it stands, so that the same events give the same thread. */
export function unpromptedTurn(thread: Thread, at: number, entry: Entry): Turn {
  const index = thread.past.length + (thread.latest === null ? 0 : 1);
  return {
    id: `unprompted-${index}`,
    startedAt: at,
    endedAt: null,
    state: { kind: 'unprompted' },
    entries: [entry],
  };
}

/** A new entry at the end of the latest turn, or of a turn that nobody prompted if there is none. */
export function append(thread: Thread, entry: Entry): readonly Change[] {
  const { latest } = thread;
  if (latest === null) {
    return [{ type: 'turn', turn: unpromptedTurn(thread, entry.at, entry) }];
  }
  return [
    ...closeThought(thread, entry.at),
    { type: 'entry', turn: thread.past.length, index: latest.entries.length, entry },
  ];
}

/** The thought at the end of the latest turn is over: something else followed. */
export function closeThought(thread: Thread, at: number): readonly Change[] {
  const last = thread.latest?.entries.at(-1);
  if (thread.latest === null || last?.kind !== 'thought' || last.endedAt !== null) return [];
  const index = thread.latest.entries.length - 1;
  return [{ type: 'entry', turn: thread.past.length, index, entry: { ...last, endedAt: at } }];
}

/** Another entry in the place of one; nothing if it is the same. */
export function replace(place: Place, entry: Entry): readonly Change[] {
  if (entry === place.entry) return [];
  return [{ type: 'entry', turn: place.turn, index: place.index, entry }];
}

/** Nothing in the latest turn stays open: calls and questions are cancelled, a thought ends. */
export function settle(thread: Thread, at: number): readonly Change[] {
  return [...settleCalls(thread, at), ...closeThought(thread, at)];
}

/** Calls of the latest turn that have not ended, and questions about them, are cancelled. */
export function settleCalls(thread: Thread, at: number): readonly Change[] {
  const entries = thread.latest?.entries ?? [];
  return entries.flatMap((entry, index): readonly Change[] =>
    entry.kind === 'tool' && isUnsettled(entry)
      ? [{ type: 'entry', turn: thread.past.length, index, entry: settled(entry, at) }]
      : [],
  );
}

/** The latest turn ends. */
export function endTurn(thread: Thread, state: TurnState, at: number): readonly Change[] {
  return [
    ...settle(thread, at),
    { type: 'turnState', turn: thread.past.length, state, endedAt: at },
  ];
}

/** The newest entry of the latest turn that fits, looked for from the end. */
export function placeInLatest<E extends Entry>(
  thread: Thread,
  fits: (entry: Entry) => entry is E,
): Place<E> | null {
  return thread.latest === null ? null : placeIn(thread.latest, thread.past.length, fits);
}

function placeIn<E extends Entry>(
  { entries }: Turn,
  turn: number,
  fits: (entry: Entry) => entry is E,
): Place<E> | null {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry !== undefined && fits(entry)) return { turn, index, entry };
  }
  return null;
}

/** A call in the turns before the latest one, the newest first. */
export function lateCall(thread: Thread, toolCallId: string): Place<ToolCallEntry> | null {
  const { past } = thread;
  for (let turn = past.length - 1; turn >= Math.max(0, past.length - LATE_TURNS); turn--) {
    const candidate = past[turn];
    const place = candidate ? placeIn(candidate, turn, isCall(toolCallId)) : null;
    if (place !== null) return place;
  }
  return null;
}

export function isCall(toolCallId: string): (entry: Entry) => entry is ToolCallEntry {
  return (entry): entry is ToolCallEntry =>
    entry.kind === 'tool' && entry.toolCallId === toolCallId;
}
