import { withText } from '../thread/change.ts';
import type { Change } from '../thread/thread.ts';

export { apply, turnAt } from '../thread/change.ts';

/**
 * Joins the changes of one frame, so that each address is changed once: text that is appended becomes one append, an
 * entry that is replaced again is sent once, with the text that followed. The result does the same to a thread as the
 * changes did.
 */
export function coalesce(changes: readonly Change[]): readonly Change[] {
  const joined: Change[] = [];
  const places = new Map<string, number>();
  for (const change of changes) {
    const address = addressOf(change);
    const place = places.get(address) ?? joined.length;
    const before = joined[place];
    // A change may move up to the one it joins: those between are for other addresses.
    const both = before === undefined ? change : join(before, change);
    if (both === null) {
      places.set(address, joined.length);
      joined.push(change);
    } else {
      places.set(address, place);
      joined[place] = both;
    }
  }
  return joined;
}

function addressOf(change: Change): string {
  switch (change.type) {
    case 'fields':
    case 'turn':
      return change.type;
    case 'turnState':
      return String(change.turn);
    case 'entry':
    case 'text':
      return `${change.turn}/${change.index}`;
    case 'terminal':
      return `terminal ${change.terminal.terminalId}`;
    case 'terminalText':
      return `terminal ${change.terminalId}`;
  }
}

/** One change that does what both do, which have the same address; `null` if there is none. */
function join(before: Change, change: Change): Change | null {
  if (before.type === 'fields' && change.type === 'fields') {
    return { type: 'fields', fields: { ...before.fields, ...change.fields } };
  }
  if (change.type === 'text' && before.type === 'text') {
    return { ...before, text: before.text + change.text };
  }
  if (change.type === 'text' && before.type === 'entry') {
    return { ...before, entry: withText(before.entry, change.text) };
  }
  if (change.type === 'terminalText' && before.type === 'terminalText') {
    return { ...before, text: before.text + change.text };
  }
  if (change.type === 'terminalText' && before.type === 'terminal') {
    const { terminal } = before;
    return { ...before, terminal: { ...terminal, output: terminal.output + change.text } };
  }
  if (change.type === 'terminal') return change;
  return change.type === 'entry' || change.type === 'turnState' ? change : null;
}
