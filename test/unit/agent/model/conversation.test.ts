import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../../../../src/agent/model/conversation.ts';
import { Conversation } from '../../../../src/agent/model/conversation.ts';
import { shortened } from '../../../../src/agent/model/results.ts';

/** Fails unless every call has exactly one result right behind it, arguments are JSON, and roles take turns. */
function assertWhole(messages: readonly Message[]): void {
  let waiting: string[] = [];
  let before = '';
  for (const message of messages) {
    if (message.role === 'tool') {
      assert.equal(waiting.shift(), message.tool_call_id);
    } else {
      assert.deepEqual(waiting, []);
      assert.ok(message.role !== 'user' || before !== 'user');
      const made = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
      for (const call of made) JSON.parse(call.function.arguments);
      waiting = made.map(({ id }) => id);
    }
    before = message.role;
  }
  assert.deepEqual(waiting, []);
  assert.ok(messages.length === 0 || messages[0]?.role === 'user');
}

/** Numbers that look random and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

test('whatever happens, calls and results stay in pairs, and the whole fits where it can', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = numbers(seed);
    const conversation = new Conversation();
    for (let turn = 0; turn < 1 + next(6); turn += 1) {
      conversation.begin(`prompt ${turn}`);
      for (let round = 0; round < next(5); round += 1) {
        const made = Array.from({ length: next(4) }, (_, at) => ({
          id: ['', 'same', `id-${turn}-${round}-${at}`, 'not good!'][next(4)] ?? '',
          name: 'read',
          arguments:
            ['', '{', '[]', JSON.stringify({ path: 'x'.repeat(next(3_000)) })][next(4)] ?? '',
        }));
        const noted = conversation.answered('w'.repeat(next(50)), '', made);
        for (const { id } of noted.slice(0, next(5)))
          conversation.result(id, 'r'.repeat(next(9_000)));
        if (noted.length > 0 && next(3) === 0) break;
        for (const { id } of noted) conversation.result(id, 'late');
      }
      if (next(6) === 0) conversation.forget();
      conversation.end('cancelled by the user');
      assertWhole(conversation.messages());
      conversation.fit(6_000);
      assertWhole(conversation.messages());
      assert.ok(JSON.stringify(conversation.messages()).length < 16_000, `seed ${seed}`);
    }
  }
});

test('what fits is not touched', () => {
  const conversation = new Conversation();
  conversation.begin('hello');
  const [call] = conversation.answered('', '', [{ id: 'a', name: 'read', arguments: '{}' }]);
  conversation.result(call?.id ?? '', 'r'.repeat(2_000));
  conversation.end('x');
  const before = JSON.stringify(conversation.messages());
  conversation.fit(10_000);
  assert.equal(JSON.stringify(conversation.messages()), before);
});

test('the prompt of the person stays whole, also when nothing else does', () => {
  const conversation = new Conversation();
  const prompt = 'p'.repeat(20_000);
  conversation.begin(prompt);
  conversation.fit(1_000);
  assert.deepEqual(conversation.messages(), [{ role: 'user', content: prompt }]);
});

test(
  'very many short turns, as of a loaded chat, are dropped in one pass',
  { timeout: 30_000 },
  () => {
    const conversation = new Conversation();
    for (let turn = 0; turn < 50_000; turn += 1) {
      conversation.begin(`q${turn}`);
      conversation.answered(`a${turn}`, '', []);
      conversation.end('');
    }
    conversation.begin('now');
    conversation.fit(10_000);
    const messages = conversation.messages();
    assertWhole(messages);
    assert.equal(messages.at(-1)?.content, 'now');
    const size = messages.reduce((sum, { content }) => sum + content.length, 0);
    assert.ok(size <= 10_000 && messages.length > 100, `${messages.length} messages, ${size}`);
  },
);

test('a result that nobody waits for, or a second one, is not taken', () => {
  const conversation = new Conversation();
  conversation.begin('hello');
  conversation.answered('', '', [{ id: 'a', name: 'read', arguments: '{}' }]);
  conversation.result('b', 'stray');
  conversation.result('a', 'first');
  conversation.result('a', 'second');
  conversation.end('x');
  assertWhole(conversation.messages());
  assert.ok(JSON.stringify(conversation.messages()).includes('first'));
});

test('ids that a server makes are kept, others are such that every server takes them', () => {
  const conversation = new Conversation();
  conversation.begin('hello');
  const made = ['call_1', 'call_1', '', 'a b'].map((id) => ({ id, name: 'x', arguments: '{}' }));
  const [first, ...others] = conversation.answered('', '', made).map(({ id }) => id);
  assert.equal(first, 'call_1');
  for (const id of others) assert.match(id, /^[a-zA-Z0-9]{9}$/);
  assert.equal(new Set([first, ...others]).size, 4);
});

test('a shortened text has its beginning and its end, and says how much is missing', () => {
  const text = `begin${'x'.repeat(5_000)}end`;
  const short = shortened(text, 400);
  assert.ok(short.length <= 400);
  assert.match(short, /^begin.*\d+ characters left out.*end$/s);
  assert.equal(shortened(short, 400), short);
});
