import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionUpdate } from '../../../src/protocol/acp.ts';
import type { PermissionRequest } from '../../../src/protocol/connection.ts';
import { SessionRouter, type SessionListener } from '../../../src/client/agents/sessionRouter.ts';
import { unservedRequests } from '../../fakes/unservedRequests.ts';

const chunk = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

class Listener implements SessionListener {
  readonly texts: string[] = [];
  readonly told: (text: string) => void = (text) => this.texts.push(`told ${text}`);

  updated(update: SessionUpdate): void {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
      this.texts.push(update.content.text);
    }
  }

  permissionRequested(request: PermissionRequest): Promise<{ outcome: { outcome: 'cancelled' } }> {
    this.texts.push(`asked ${request.toolCall.toolCallId}`);
    return Promise.resolve({ outcome: { outcome: 'cancelled' } });
  }

  readonly requests: SessionListener['requests'] = {
    ...unservedRequests,
    readTextFile: ({ path }) => {
      this.texts.push(`read ${path}`);
      return Promise.resolve({ content: path });
    },
  };

  closed({ message }: { readonly message: string }): void {
    this.texts.push(`closed ${message}`);
  }
}

function setUp() {
  const reports: string[] = [];
  const router = new SessionRouter((message) => reports.push(message));
  return { reports, router, a: new Listener(), b: new Listener() };
}

test('each chat gets the updates of its own session', () => {
  const { router, a, b } = setUp();
  router.open('a', a);
  router.open('b', b);
  router.update('a', chunk('1'));
  router.update('b', chunk('2'));
  router.update('a', chunk('3'));
  assert.deepEqual([a.texts, b.texts], [['1', '3'], ['2']]);
});

test('updates of a session that nobody knows yet are kept for it, in order, and for no other', () => {
  const { router, a, b } = setUp();
  router.update('b', chunk('b1'));
  router.update('a', chunk('a1'));
  router.update('b', chunk('b2'));
  router.open('a', a);
  assert.deepEqual(a.texts, ['a1']);
  router.open('b', b);
  assert.deepEqual(b.texts, ['b1', 'b2']);
});

test('of too many early updates the oldest are dropped, with a report', () => {
  const { router, a, reports } = setUp();
  for (let n = 0; n < 1_200; n += 1) router.update('a', chunk(String(n)));
  router.open('a', a);
  assert.equal(a.texts.length, 1_000);
  assert.equal(a.texts[0], '200');
  assert.notEqual(reports.length, 0);
});

test('early updates take no more than four million characters', () => {
  const { router, a } = setUp();
  for (let n = 0; n < 6; n += 1) router.update('a', chunk(`${n}${'x'.repeat(1_000_000)}`));
  router.open('a', a);
  const [first] = a.texts;
  assert.ok(a.texts.length <= 4 && a.texts.length >= 3, String(a.texts.length));
  assert.equal(first?.[0], String(6 - a.texts.length));
});

test('a session that one chat has is not given to another one', () => {
  const { router, a, b } = setUp();
  router.open('a', a);
  assert.throws(() => {
    router.open('a', b);
  }, /another chat/);
  router.update('a', chunk('1'));
  assert.deepEqual([a.texts, b.texts], [['1'], []]);
});

test('when the agent is gone every chat hears it once, and nothing after it', () => {
  const { router, a, b } = setUp();
  router.open('a', a);
  router.open('b', b);
  router.closeAll({ message: 'gone', details: '', exit: null, stderr: '' });
  router.update('a', chunk('late'));
  assert.deepEqual([a.texts, b.texts], [['closed gone'], ['closed gone']]);
});

const asking = (sessionId: string, toolCallId: string): PermissionRequest => ({
  sessionId,
  toolCall: { toolCallId },
  options: [],
});
const CANCELLED = { outcome: { outcome: 'cancelled' } };
const never = new AbortController().signal;

test('a request of a session that is being opened waits for it, behind the updates that came before', async () => {
  const { router, a } = setUp();
  const expected = router.expect();
  const answer = router.ask(asking('a', 'c'), never);
  router.update('a', chunk('1'));
  assert.deepEqual(a.texts, []);
  router.open('a', a);
  expected.dispose();
  assert.deepEqual(await answer, CANCELLED);
  assert.deepEqual(a.texts, ['1', 'asked c']);
});

test('a request of a session that nobody opens is cancelled at once, and one that waited when the last opening is over', async () => {
  const { router, a, b } = setUp();
  assert.deepEqual(await router.ask(asking('a', 'c'), never), CANCELLED);
  const [first, second] = [router.expect(), router.expect()];
  let answered = 0;
  const waits = router.ask(asking('elsewhere', 'c'), never).then((answer) => {
    answered += 1;
    return answer;
  });
  router.open('a', a);
  first.dispose();
  first.dispose();
  await Promise.resolve();
  assert.equal(answered, 0);
  second.dispose();
  assert.deepEqual(await waits, CANCELLED);
  router.open('elsewhere', b);
  assert.deepEqual(b.texts, []);
});

test('a request that waits for its session ends when the agent takes it back or goes away', async () => {
  const { router, a } = setUp();
  router.expect();
  const abort = new AbortController();
  const takenBack = router.ask(asking('a', 'c'), abort.signal);
  const gone = router.ask(asking('a', 'd'), never);
  abort.abort();
  assert.deepEqual(await takenBack, CANCELLED);
  router.closeAll({ message: 'gone', details: '', exit: null, stderr: '' });
  assert.deepEqual(await gone, CANCELLED);
  assert.deepEqual(a.texts, []);
});

const reading = (
  router: SessionRouter,
  sessionId: string,
  signal = never,
): Promise<{ readonly content: string }> =>
  router.serve(sessionId, signal, (chat) =>
    chat.readTextFile({ sessionId, path: `/${sessionId}` }, signal),
  );

test('each chat serves the requests of its own session', async () => {
  const { router, a, b } = setUp();
  router.open('a', a);
  router.open('b', b);
  assert.equal((await reading(router, 'b')).content, '/b');
  assert.deepEqual([a.texts, b.texts], [[], ['read /b']]);
});

test('a request for a file in a session that is being opened waits for it', async () => {
  const { router, a } = setUp();
  const expected = router.expect();
  const content = reading(router, 'a');
  await Promise.resolve();
  assert.deepEqual(a.texts, []);
  router.open('a', a);
  expected.dispose();
  assert.equal((await content).content, '/a');
});

test('a request for a file in no session is an error that says so, at once or when no answer is expected any more', async () => {
  const { router } = setUp();
  const unknown = { code: -32602, message: 'There is no such session.' };
  await assert.rejects(reading(router, 'a'), unknown);
  const expected = router.expect();
  const waits = reading(router, 'a');
  const abort = new AbortController();
  const takenBack = reading(router, 'a', abort.signal);
  abort.abort();
  await assert.rejects(takenBack, unknown);
  expected.dispose();
  await assert.rejects(waits, unknown);
});
