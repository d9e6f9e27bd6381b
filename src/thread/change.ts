import type { Change, Entry, Thread, Turn } from './thread.ts';

/** Applies changes in order. Pure; no change gives the same object. A change whose address is not there is a fault and throws. */
export function apply(thread: Thread, changes: readonly Change[]): Thread {
  return changes.reduce(applyOne, thread);
}

/** The turn at an index that counts over `past` and `latest`. */
export function turnAt(thread: Thread, index: number): Turn | undefined {
  return index === thread.past.length ? (thread.latest ?? undefined) : thread.past[index];
}

function applyOne(thread: Thread, change: Change): Thread {
  switch (change.type) {
    case 'fields':
      return { ...thread, ...change.fields };
    case 'turn':
      return {
        ...thread,
        past: thread.latest === null ? thread.past : [...thread.past, thread.latest],
        latest: change.turn,
      };
    case 'turnState':
      return withTurn(thread, change.turn, (turn) => ({
        ...turn,
        state: change.state,
        endedAt: change.endedAt,
      }));
    case 'entry':
      return withTurn(thread, change.turn, (turn) => ({
        ...turn,
        entries: withEntry(turn.entries, change.index, change.entry),
      }));
    case 'text':
      return withTurn(thread, change.turn, (turn) => {
        const entry = turn.entries[change.index];
        if (entry === undefined) throw new RangeError(`no entry ${change.index}`);
        return {
          ...turn,
          entries: turn.entries.with(change.index, withText(entry, change.text)),
        };
      });
  }
}

function withTurn(thread: Thread, index: number, change: (turn: Turn) => Turn): Thread {
  const turn = turnAt(thread, index);
  if (turn === undefined) throw new RangeError(`no turn ${index}`);
  if (index === thread.past.length) return { ...thread, latest: change(turn) };
  return { ...thread, past: thread.past.with(index, change(turn)) };
}

function withEntry(entries: readonly Entry[], index: number, entry: Entry): readonly Entry[] {
  if (index === entries.length) return [...entries, entry];
  if (index > entries.length) throw new RangeError(`no entry ${index}`);
  return entries.with(index, entry);
}

/** The entry with more text, or a tool call with more output. An entry that holds no text is a fault and throws. */
export function withText(entry: Entry, text: string): Entry {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return { ...entry, text: entry.text + text };
    case 'tool':
      return { ...entry, output: entry.output + text };
    case 'block':
    case 'plan':
    case 'notice':
      throw new TypeError(`an entry of kind ${entry.kind} has no text`);
  }
}
