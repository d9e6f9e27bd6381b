import type { Change, Entry, Terminal, Thread, Turn } from './thread.ts';

/** Applies changes in order. Pure; no change gives the same object. A change whose address is not there is a fault and throws. */
export function apply(thread: Thread, changes: readonly Change[]): Thread {
  let next = thread;
  for (const change of changes) next = applyOne(next, change);
  return next;
}

/** The turn at an index that counts over `past` and `latest`. */
export function turnAt(thread: Thread, index: number): Turn | undefined {
  return index === thread.past.length ? (thread.latest ?? undefined) : thread.past[index];
}

/** The entry with more text, or a tool call with more output. An entry that holds no text is a fault and throws. */
export function withText(entry: Entry, text: string): Entry {
  switch (entry.kind) {
    case 'user':
    case 'agent':
      return {
        kind: entry.kind,
        at: entry.at,
        messageId: entry.messageId,
        text: entry.text + text,
      };
    case 'thought':
      return {
        kind: 'thought',
        at: entry.at,
        endedAt: entry.endedAt,
        messageId: entry.messageId,
        text: entry.text + text,
      };
    case 'tool':
      return { ...entry, output: entry.output + text };
    case 'block':
    case 'plan':
    case 'notice':
      throw new TypeError(`an entry of kind ${entry.kind} has no text`);
  }
}

// What runs for each chunk (`withTurn`, `withEntries`, `withText`, `replaced`) names the fields: five times as fast as
// spreading the object, and a field that is forgotten does not compile.

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
    case 'turnState': {
      const { state, endedAt } = change;
      return withTurn(thread, change.turn, { ...existing(thread, change.turn), state, endedAt });
    }
    case 'entry': {
      const turn = existing(thread, change.turn);
      const entries = withEntry(turn.entries, change.index, change.entry);
      return withTurn(thread, change.turn, withEntries(turn, entries));
    }
    case 'text': {
      const turn = existing(thread, change.turn);
      const entry = turn.entries[change.index];
      if (entry === undefined) throw new RangeError(`no entry ${change.index}`);
      const entries = replaced(turn.entries, change.index, withText(entry, change.text));
      return withTurn(thread, change.turn, withEntries(turn, entries));
    }
    case 'terminal':
      return withTerminal(thread, change.terminal);
    case 'terminalText': {
      const terminal = thread.terminals[change.terminalId];
      if (terminal === undefined) throw new RangeError(`no terminal ${change.terminalId}`);
      return withTerminal(thread, { ...terminal, output: terminal.output + change.text });
    }
  }
}

function withTerminal(thread: Thread, terminal: Terminal): Thread {
  return { ...thread, terminals: { ...thread.terminals, [terminal.terminalId]: terminal } };
}

function existing(thread: Thread, index: number): Turn {
  const turn = turnAt(thread, index);
  if (turn === undefined) throw new RangeError(`no turn ${index}`);
  return turn;
}

function withTurn(thread: Thread, index: number, turn: Turn): Thread {
  const isLatest = index === thread.past.length;
  return {
    title: thread.title,
    past: isLatest ? thread.past : replaced(thread.past, index, turn),
    latest: isLatest ? turn : thread.latest,
    draft: thread.draft,
    queue: thread.queue,
    queueHeld: thread.queueHeld,
    commands: thread.commands,
    usage: thread.usage,
    terminals: thread.terminals,
  };
}

function withEntries(turn: Turn, entries: readonly Entry[]): Turn {
  const { id, startedAt, endedAt, state } = turn;
  return { id, startedAt, endedAt, state, entries };
}

function withEntry(entries: readonly Entry[], index: number, entry: Entry): readonly Entry[] {
  if (index > entries.length) throw new RangeError(`no entry ${index}`);
  return index === entries.length ? [...entries, entry] : replaced(entries, index, entry);
}

function replaced<T>(list: readonly T[], index: number, value: T): readonly T[] {
  const copy = list.slice();
  copy[index] = value;
  return copy;
}
