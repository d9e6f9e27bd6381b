import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThreadStore } from '../../../src/client/session/threadStore.ts';
import { apply } from '../../../src/thread/change.ts';
import { EMPTY_THREAD, type Thread, type ThreadEvent } from '../../../src/thread/thread.ts';

function setUp() {
  const kept: ThreadEvent[] = [];
  const reports: string[] = [];
  const store = new ThreadStore(
    { append: (event) => kept.push(event) },
    (message) => reports.push(message),
    () => 42,
  );
  return { kept, reports, store };
}

test('an event changes the thread, is kept with its time, and its changes lead to the same thread', () => {
  const { kept, store } = setUp();
  let copy: Thread = EMPTY_THREAD;
  store.onDidChange((changes) => {
    copy = apply(copy, changes);
  });
  store.dispatch({ type: 'prompted', turnId: 't', text: 'Hi' });
  store.dispatch({ type: 'stopped', reason: 'end_turn' });
  assert.deepEqual(copy, store.thread);
  assert.deepEqual(kept, [
    { at: 42, type: 'prompted', turnId: 't', text: 'Hi' },
    { at: 42, type: 'stopped', reason: 'end_turn' },
  ]);
});

test('an event that changes nothing is not kept and tells nobody', () => {
  const { kept, store } = setUp();
  let told = 0;
  store.onDidChange(() => (told += 1));
  store.dispatch({ type: 'drafted', text: '' });
  store.dispatch({ type: 'queueHeld', held: true });
  assert.deepEqual([kept, told, store.thread], [[], 0, EMPTY_THREAD]);
});

test('what is only shown, and what comes from the log, is not kept', () => {
  const { kept, store } = setUp();
  store.replay({ at: 1, type: 'drafted', text: 'from the log' });
  store.show({ type: 'noticed', severity: 'info', text: 'for this window' });
  assert.deepEqual(kept, []);
  assert.equal(store.thread.draft, 'from the log');
  assert.equal(store.thread.latest?.entries.length, 1);
});

test('a listener that fails is reported and is in nobody else’s way', () => {
  const { kept, reports, store } = setUp();
  store.onDidChange(() => {
    throw new Error('the view is broken');
  });
  store.dispatch({ type: 'drafted', text: 'x' });
  assert.deepEqual([kept.length, store.thread.draft, reports.length], [1, 'x', 1]);
  assert.match(reports[0] ?? '', /the view is broken/);
});

test('a damaged event costs itself and nothing else', () => {
  const { reports, store } = setUp();
  const damaged: unknown = { at: 1, type: 'updated', update: { sessionUpdate: 'plan' } };
  store.replay(damaged as ThreadEvent);
  store.replay({ at: 2, type: 'drafted', text: 'after' });
  assert.equal(reports.length, 1);
  assert.equal(store.thread.draft, 'after');
});

test('after its end a store takes nothing in', () => {
  const { kept, store } = setUp();
  store.dispose();
  store.dispatch({ type: 'drafted', text: 'too late' });
  assert.deepEqual([kept, store.thread], [[], EMPTY_THREAD]);
});
