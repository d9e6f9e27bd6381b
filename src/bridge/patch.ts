import type { Change } from '../thread/thread.ts';

export { apply, turnAt } from '../thread/change.ts';

/**
 * Joins the changes of one frame: text appended to the same entry becomes one append, fields become one set, and an
 * entry that is replaced again is sent once. The result does the same to a thread as the changes did.
 */
export function coalesce(changes: readonly Change[]): readonly Change[] {
  const joined: Change[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    if (last === undefined || !join(joined, last, change)) joined.push(change);
  }
  return joined;
}

function join(joined: Change[], last: Change, change: Change): boolean {
  if (last.type === 'text' && change.type === 'text' && sameEntry(last, change)) {
    joined[joined.length - 1] = { ...last, text: last.text + change.text };
    return true;
  }
  if (last.type === 'fields' && change.type === 'fields') {
    joined[joined.length - 1] = { type: 'fields', fields: { ...last.fields, ...change.fields } };
    return true;
  }
  if (last.type === 'entry' && change.type === 'entry' && sameEntry(last, change)) {
    joined[joined.length - 1] = change;
    return true;
  }
  return false;
}

function sameEntry(
  a: { turn: number; index: number },
  b: { turn: number; index: number },
): boolean {
  return a.turn === b.turn && a.index === b.index;
}
