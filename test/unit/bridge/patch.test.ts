import assert from 'node:assert/strict';
import test from 'node:test';

import { apply, coalesce, turnAt } from '../../../src/bridge/patch.ts';
import { EMPTY_THREAD, type Change, type Entry, type Turn } from '../../../src/thread/thread.ts';
import { random } from '../thread/random.ts';

const agent = (text: string): Entry => ({ kind: 'agent', at: 1, messageId: null, text });

function turn(id: string, ...entries: Entry[]): Turn {
  const state = { kind: 'running', cancelling: false } as const;
  return { id, startedAt: 1, endedAt: null, state, entries };
}

const text = (index: number, value: string, at = 0): Change => ({
  type: 'text',
  turn: at,
  index,
  text: value,
});
const entry = (index: number, value: Entry): Change => ({
  type: 'entry',
  turn: 0,
  index,
  entry: value,
});

test('text appended to one entry becomes one append', () => {
  assert.deepEqual(coalesce([text(0, 'a'), text(0, 'b'), text(0, 'c')]), [text(0, 'abc')]);
});

test('text of two entries that grow by turns becomes one append each', () => {
  assert.deepEqual(coalesce([text(0, 'a'), text(1, 'x'), text(0, 'b'), text(1, 'y')]), [
    text(0, 'ab'),
    text(1, 'xy'),
  ]);
});

test('a new entry is sent with the text that followed in the same frame', () => {
  assert.deepEqual(coalesce([entry(1, agent('a')), text(1, 'b')]), [entry(1, agent('ab'))]);
});

test('an entry that is replaced again is sent once, as it became last', () => {
  const changes = [text(0, 'lost'), entry(0, agent('one')), text(1, 'x'), entry(0, agent('two'))];
  assert.deepEqual(coalesce(changes), [entry(0, agent('two')), text(1, 'x')]);
});

test('fields become one set, the last value of each', () => {
  const fields = [
    { type: 'fields', fields: { draft: 'a', title: 'T' } },
    { type: 'fields', fields: { draft: 'b' } },
  ] as const;
  assert.deepEqual(coalesce(fields), [{ type: 'fields', fields: { draft: 'b', title: 'T' } }]);
});

test('the same index in two turns is two entries', () => {
  const changes = [text(0, 'a', 0), text(0, 'b', 1)];
  assert.deepEqual(coalesce(changes), changes);
});

test('two new turns stay two', () => {
  const changes = [
    { type: 'turn', turn: turn('a') },
    { type: 'turn', turn: turn('b') },
  ] as const;
  assert.deepEqual(coalesce(changes), changes);
});

test('the state of a turn is sent once, as it became last', () => {
  const state = (kind: 'interrupted' | 'unprompted'): Change => ({
    type: 'turnState',
    turn: 0,
    state: { kind },
    endedAt: null,
  });
  assert.deepEqual(coalesce([state('unprompted'), state('interrupted')]), [state('interrupted')]);
});

test('no changes are no changes', () => {
  assert.deepEqual(coalesce([]), []);
});

test('joined changes do to a thread what the changes did, for thousands of random lists', () => {
  const { below } = random(5);
  for (let round = 0; round < 2000; round++) {
    let thread = apply(EMPTY_THREAD, [{ type: 'turn', turn: turn('0', agent('')) }]);
    const before = thread;
    const changes: Change[] = [];
    for (let count = below(12); count > 0; count--) {
      const at = below(thread.past.length + 1);
      const change = randomChange(at, turnAt(thread, at)?.entries.length ?? 0, below);
      thread = apply(thread, [change]);
      changes.push(change);
    }
    assert.deepEqual(apply(before, coalesce(changes)), thread, JSON.stringify(changes));
  }
});

function randomChange(at: number, entries: number, below: (limit: number) => number): Change {
  const letter = 'abcdef'.charAt(below(6));
  switch (below(6)) {
    case 0:
      return { type: 'fields', fields: { draft: letter } };
    case 1:
      return { type: 'turn', turn: turn(letter, agent(letter)) };
    case 2:
      return { type: 'turnState', turn: at, state: { kind: 'interrupted' }, endedAt: below(9) };
    case 3:
      return { type: 'entry', turn: at, index: entries, entry: agent(letter) };
    case 4:
      return { type: 'entry', turn: at, index: below(entries), entry: agent(letter) };
    default:
      return { type: 'text', turn: at, index: below(entries), text: letter };
  }
}

test('a change of what is not there is a fault', () => {
  assert.throws(() => apply(EMPTY_THREAD, [text(0, 'a')]), RangeError);
  const thread = apply(EMPTY_THREAD, [{ type: 'turn', turn: turn('0') }]);
  assert.throws(() => apply(thread, [text(0, 'a')]), RangeError);
  assert.throws(() => apply(thread, [entry(1, agent('a'))]), RangeError);
  const plan: Entry = { kind: 'plan', at: 1, steps: [] };
  assert.throws(() => apply(thread, [entry(0, plan), text(0, 'a')]), TypeError);
});
