import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasForgotten, isUnused, titleOf } from '../../../src/client/session/threadTitle.ts';
import { EMPTY_THREAD, type Entry, type Thread, type Turn } from '../../../src/thread/thread.ts';

const user = (text: string): Entry => ({ kind: 'user', at: 0, messageId: null, text });
const turn = (state: Turn['state'], ...entries: readonly Entry[]): Turn => ({
  id: 't',
  startedAt: 0,
  endedAt: null,
  state,
  entries,
});
const ended = { kind: 'stopped', reason: 'end_turn' } as const;
const thread = (fields: Partial<Thread>): Thread => ({ ...EMPTY_THREAD, ...fields });

test('a chat is called what it was named, on one line', () => {
  const named = thread({ title: 'Fix\nthe  build ', latest: turn(ended, user('Hi')) });
  assert.equal(titleOf(named), 'Fix the build');
});

test('a chat without a name is called by the first words of its first prompt', () => {
  const said = user(`Please find out why the build\nfails on Windows ${'and so on '.repeat(20)}`);
  const title = titleOf(thread({ past: [turn(ended, said)], latest: turn(ended, user('No')) }));
  assert.equal(title, 'Please find out why the build fails on Windows and so on and…');
});

test('a chat in which nothing was said is a new chat, and unused', () => {
  assert.equal(titleOf(EMPTY_THREAD), 'New chat');
  assert.equal(isUnused(EMPTY_THREAD), true);
});

for (const [what, fields] of [
  ['a draft', { draft: 'x' }],
  ['a turn', { latest: turn(ended) }],
  ['a queued prompt', { queue: [{ id: 'q', text: 'x' }] }],
  ['a title', { title: 'x' }],
] as const) {
  test(`a chat with ${what} is used`, () => {
    assert.equal(isUnused(thread(fields)), false);
  });
}

test('an agent can forget only what it took part in', () => {
  const failed = { kind: 'failed', failure: { message: 'No', details: '' } } as const;
  const answer: Entry = { kind: 'agent', at: 0, messageId: null, text: 'Yes' };
  assert.equal(hasForgotten(EMPTY_THREAD), false);
  assert.equal(hasForgotten(thread({ latest: turn(failed, user('Hi')) })), false);
  const cancelled = { kind: 'stopped', reason: 'cancelled' } as const;
  assert.equal(hasForgotten(thread({ latest: turn(cancelled, user('Hi')) })), false);
  assert.equal(hasForgotten(thread({ latest: turn(failed, user('Hi'), answer) })), true);
  assert.equal(hasForgotten(thread({ past: [turn(ended, user('Hi'))] })), true);
});
