import assert from 'node:assert/strict';
import test from 'node:test';

import { apply } from '../../../src/thread/change.ts';
import { reduce } from '../../../src/thread/reducer.ts';
import { EMPTY_THREAD, type Thread, type ThreadEvent } from '../../../src/thread/thread.ts';
import { assertHas, initialOf, threadFixtures } from './fixture.ts';
import { checkProperties, frozen, played } from './properties.ts';

for (const [index, fixture] of threadFixtures().entries()) {
  test(fixture.description, () => {
    const { given = [], events, expected, noChange, reports = [] } = frozen(fixture);
    assert.ok(noChange ?? expected !== undefined, 'a fixture says what must come of it');
    const before = frozen(played(frozen(initialOf(fixture)), given));
    const reported: string[] = [];

    let thread = before;
    for (const event of events) {
      const changes = reduce(thread, event, (message) => reported.push(message));
      if (noChange) assert.deepEqual(changes, []);
      thread = frozen(apply(thread, frozen(changes)));
    }

    if (noChange) assert.equal(thread, before);
    if (expected !== undefined) assertHas(thread, expected);
    assert.deepEqual(reported, reports);
    checkProperties(initialOf(fixture), [...given, ...events], index + 1);
  });
}

test('no changes give the same thread', () => {
  assert.equal(apply(EMPTY_THREAD, []), EMPTY_THREAD);
});

function running(): Thread {
  return played(EMPTY_THREAD, [{ at: 1, type: 'prompted', turnId: 't', text: 'Go' }]);
}

function output(data: string): ThreadEvent {
  const _meta = { terminal_output_delta: { data } };
  const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta } as const;
  return { at: 2, type: 'updated', update };
}

test('endless output keeps its end, and no half character at its start', () => {
  const piece = output('\u{1F600}'.repeat(250_000)); // 500,000 units, in pairs
  const call = played(running(), [piece, piece, piece, piece, output('y')]).latest?.entries.at(-1);
  assert.ok(call?.kind === 'tool');
  assert.equal(call.output.length, 999_999);
  assert.ok(call.output.startsWith('\u{1F600}'));
  assert.ok(call.output.endsWith('\u{1F600}y'));
});

test('output that arrives whole at once is bounded too', () => {
  const call = played(running(), [output(`${'a'.repeat(3_000_000)}end`)]).latest?.entries.at(-1);
  assert.ok(call?.kind === 'tool');
  assert.ok(call.output.length <= 2_000_000);
  assert.ok(call.output.endsWith('aend'));
});

test('a piece of an answer is one change, as long as the piece, however long the chat is', () => {
  let thread = running();
  for (let index = 0; index < 200; index++) {
    const update = { sessionUpdate: 'tool_call', toolCallId: `c${index}`, title: 'x' } as const;
    thread = played(thread, [{ at: 3, type: 'updated', update }]);
  }
  const say = (text: string): ThreadEvent => ({
    at: 4,
    type: 'updated',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  });
  thread = played(thread, [say('Hello')]);
  assert.deepEqual(
    reduce(thread, say(' you'), () => assert.fail()),
    [{ type: 'text', turn: 0, index: 201, text: ' you' }],
  );
});

test('a piece leaves the turns of the past and the other entries as the same objects', () => {
  const prompt = (turnId: string): ThreadEvent => ({ at: 1, type: 'prompted', turnId, text: 'Go' });
  const say: ThreadEvent = {
    at: 2,
    type: 'updated',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Yes' } },
  };
  const before = played(EMPTY_THREAD, [prompt('a'), { at: 2, type: 'stopped', reason: 'x' }]);
  const thread = played(before, [prompt('b'), say]);
  const after = played(thread, [say]);
  assert.equal(after.past, thread.past);
  assert.equal(after.latest?.entries[0], thread.latest?.entries[0]);
});

test('an update of a kind that the protocol does not have yet is reported and changes nothing', () => {
  const event: unknown = { at: 1, type: 'updated', update: { sessionUpdate: 'dream' } };
  const other: unknown = { at: 1, type: 'dreamt' };
  const reports: string[] = [];
  for (const value of [event, other]) {
    assert.ok(isEvent(value));
    assert.deepEqual(
      reduce(running(), value, (message) => reports.push(message)),
      [],
    );
  }
  assert.equal(reports.length, 2);
});

function isEvent(value: unknown): value is ThreadEvent {
  return typeof value === 'object' && value !== null && 'type' in value;
}
