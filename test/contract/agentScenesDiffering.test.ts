import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { drive, open, prompt, until } from './wireAgent.ts';
import { INITIALIZE, newSession, promptOf, ScenePeer, type Recorded } from './scenePeer.ts';

/** A recorded session `rec` with an answer to initialize that names its agent. */
const OPENED: readonly Recorded[] = [
  ['send', { id: 0, method: 'initialize', params: {} }],
  ['recv', { id: 0, result: { protocolVersion: 1, agentInfo: { name: 'recorded' } } }],
  ['send', { id: 1, method: 'session/new', params: { cwd: '/recorded', mcpServers: [] } }],
  ['recv', { id: 1, result: { sessionId: 'rec', modes: { currentModeId: 'ask' } } }],
];

const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

function said(text: string, sessionId = 'rec'): Recorded {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  return ['recv', { method: 'session/update', params: { sessionId, update } }];
}

function turn(id: number, ...inside: readonly Recorded[]): readonly Recorded[] {
  return [
    ['send', promptOf(id, 'rec', 'Recorded')],
    ...inside,
    ['recv', { id, result: { stopReason: 'end_turn' } }],
  ];
}

function asked(id: number, answer: object | string): readonly Recorded[] {
  const params = { sessionId: 'rec', toolCall: { toolCallId: 'c1' }, options: OPTIONS };
  const outcome = typeof answer === 'string' ? { outcome: 'selected', optionId: answer } : answer;
  return [
    ['recv', { id, method: 'session/request_permission', params }],
    ['send', { id, result: { outcome } }],
  ];
}

/** Opens the recorded session with ids of its own. */
async function opened(peer: ScenePeer): Promise<void> {
  peer.send(INITIALIZE, newSession('n'));
  assert.equal((await peer.frame()).id, 'i');
  const { id, result } = await peer.frame();
  assert.deepEqual([id, result?.['sessionId']], ['n', 'rec']);
}

function cancel(sessionId = 'rec'): object {
  return { method: 'session/cancel', params: { sessionId } };
}

test('a prompt of any text takes the next turn, and after the last one each is told so', async (t) => {
  const peer = ScenePeer.replay(t, [...OPENED, ...turn(2, said('one')), ...turn(3, said('two'))]);
  await opened(peer);
  for (const [id, text] of [
    ['a', 'one'],
    ['b', 'two'],
    ['c', 'The recording is over: it has no more turns than the 2 played.'],
    ['d', 'The recording is over: it has no more turns than the 2 played.'],
  ] as const) {
    peer.send(promptOf(id, 'rec', 'Anything'));
    assert.deepEqual(await peer.words(), { sessionId: 'rec', text });
    const end = await peer.frame();
    assert.deepEqual([end.id, end.result], [id, { stopReason: 'end_turn' }]);
  }
  assert.deepEqual(await peer.end(), { code: 0, signal: null, lines: [] });
});

test('Stop ends a turn that was not stopped in the recording, and the next prompt takes the next turn', async (t) => {
  const first = turn(2, said('one'), ...asked(0, 'yes'), said('unheard'), ...asked(1, 'yes'));
  const peer = ScenePeer.replay(t, [...OPENED, ...first, said('late'), ...turn(3, said('two'))]);
  await opened(peer);
  peer.send(promptOf('a', 'rec'));
  assert.equal((await peer.words()).text, 'one');
  assert.equal((await peer.frame()).method, 'session/request_permission');
  peer.send(cancel(), { id: 0, result: { outcome: { outcome: 'cancelled' } } });
  assert.deepEqual(await peer.frame(), {
    jsonrpc: '2.0',
    id: 'a',
    result: { stopReason: 'cancelled' },
  });
  assert.equal((await peer.words()).text, 'late');
  peer.send(promptOf('b', 'rec'));
  assert.equal((await peer.words()).text, 'two');
  assert.equal((await peer.frame()).id, 'b');
});

test('Stop earlier than in the recording goes on from where it was pressed there', async (t) => {
  const [question, answer] = asked(1, { outcome: 'cancelled' });
  assert.ok(question !== undefined && answer !== undefined);
  const stopped = [
    said('one'),
    ...asked(0, 'yes'),
    said('unheard'),
    question,
    ['send', cancel()],
    ['recv', { method: '$/cancel_request', params: { requestId: 1 } }],
    answer,
    said('stopping'),
  ] as const;
  const peer = ScenePeer.replay(t, [...OPENED, ...turn(2, ...stopped)]);
  await opened(peer);
  peer.send(promptOf('a', 'rec'));
  assert.equal((await peer.words()).text, 'one');
  await peer.frame();
  peer.send(cancel());
  assert.equal((await peer.words()).text, 'stopping');
  assert.deepEqual((await peer.frame()).result, { stopReason: 'end_turn' }, 'as recorded');
});

test('a prompt that is cancelled at once takes its turn all the same', async (t) => {
  const peer = ScenePeer.replay(t, [...OPENED, ...turn(2, said('one')), ...turn(3, said('two'))]);
  peer.send(INITIALIZE, newSession('n'), promptOf('a', 'rec'), cancel(), promptOf('b', 'rec'));
  await peer.frame();
  await peer.frame();
  assert.deepEqual((await peer.frame()).result, { stopReason: 'cancelled' });
  assert.equal((await peer.words()).text, 'two');
});

test('a no where there was a yes ends the turn and says why; another kind of yes does not', async (t) => {
  const first = turn(2, ...asked(0, 'yes'), said('done'));
  const second = turn(3, ...asked(1, 'yes'), said('unheard'), ...asked(2, 'yes'));
  const peer = ScenePeer.replay(t, [...OPENED, ...first, ...second, ...turn(4, said('three'))]);
  await opened(peer);
  peer.send(promptOf('a', 'rec'));
  await peer.frame();
  peer.send({ id: 0, result: { outcome: { outcome: 'selected', optionId: 'always' } } });
  assert.equal((await peer.words()).text, 'done');
  assert.equal((await peer.frame()).id, 'a');

  peer.send(promptOf('b', 'rec'));
  await peer.frame();
  peer.send({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'no' } } });
  assert.deepEqual((await peer.frame()).params, {
    sessionId: 'rec',
    update: { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' },
  });
  assert.match(String((await peer.words()).text), /answered otherwise, so the turn ends here/);
  assert.deepEqual((await peer.frame()).result, { stopReason: 'end_turn' });

  peer.send(promptOf('c', 'rec'));
  assert.equal((await peer.words()).text, 'three');
});

test('what the recording does not have here is answered as the last of its kind, or refused', async (t) => {
  const mode = { id: 2, method: 'session/set_mode', params: { sessionId: 'rec', modeId: 'code' } };
  const recorded: readonly Recorded[] = [
    ...OPENED,
    ['send', mode],
    ['recv', { id: 2, result: { mode: 'set' } }],
    ...turn(3, ...asked(0, 'yes'), said('done')),
  ];
  const peer = ScenePeer.replay(t, recorded);
  await opened(peer);
  peer.send({ id: 'l', method: 'session/list', params: {} });
  assert.equal((await peer.frame()).error?.['code'], -32601);
  peer.send({ ...mode, id: 'm' });
  assert.deepEqual((await peer.frame()).result, { mode: 'set' });
  peer.send(promptOf('a', 'rec'));
  await peer.frame();
  peer.send({ ...mode, id: 'n' });
  assert.deepEqual((await peer.frame()).result, { mode: 'set' }, 'while a question is open');
});

test('what the client leaves out is left out: requests before a prompt, even the opening', async (t) => {
  const mode = { id: 2, method: 'session/set_mode', params: { sessionId: 'rec', modeId: 'code' } };
  const recorded: readonly Recorded[] = [
    ...OPENED,
    ['send', mode],
    ['recv', { id: 2, result: {} }],
    ...turn(3, said('one')),
  ];
  const peer = ScenePeer.replay(t, recorded);
  peer.send(promptOf('a', 'mine'));
  assert.deepEqual(await peer.words(), { sessionId: 'mine', text: 'one' });
  assert.equal((await peer.frame()).id, 'a');
});

test('a second session takes the next turn under its own id, and so does a loaded one', async (t) => {
  const peer = ScenePeer.replay(t, [...OPENED, ...turn(2, said('one')), ...turn(3, said('two'))]);
  await opened(peer);
  peer.send(newSession('again'));
  const { result } = await peer.frame();
  assert.deepEqual(result, { sessionId: 'rec-2', modes: { currentModeId: 'ask' } });
  peer.send(promptOf('a', 'rec-2'));
  assert.deepEqual(await peer.words(), { sessionId: 'rec-2', text: 'one' });
  await peer.frame();

  const loading = ScenePeer.replay(t, [...OPENED, ...turn(2, said('one'))]);
  const params = { sessionId: 'kept', cwd: '/', mcpServers: [] };
  loading.send(INITIALIZE, { id: 'l', method: 'session/load', params }, promptOf('a', 'kept'));
  await loading.frame();
  assert.equal((await loading.frame()).result?.['sessionId'], 'kept');
  assert.deepEqual(await loading.words(), { sessionId: 'kept', text: 'one' });
});

test('a terminal is called as the client calls it', async (t) => {
  const terminal = { type: 'terminal', terminalId: 'recorded-1' };
  const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c', content: [terminal] };
  const inside: readonly Recorded[] = [
    ['recv', { id: 0, method: 'terminal/create', params: { sessionId: 'rec', command: 'ls' } }],
    ['send', { id: 0, result: { terminalId: 'recorded-1' } }],
    ['recv', { method: 'session/update', params: { sessionId: 'rec', update } }],
  ];
  const peer = ScenePeer.replay(t, [...OPENED, ...turn(2, ...inside)]);
  await opened(peer);
  peer.send(promptOf('a', 'rec'));
  await peer.frame();
  peer.send({ id: 0, result: { terminalId: 'live-7' } });
  assert.deepEqual((await peer.frame()).params, {
    sessionId: 'rec',
    update: { ...update, content: [{ type: 'terminal', terminalId: 'live-7' }] },
  });
});

test('a recording that ends in a turn says so and ends it; other open requests are refused', async (t) => {
  const cut = [...OPENED, ...turn(2, said('one'))].slice(0, -1);
  const peer = ScenePeer.replay(t, [...cut, ['send', { id: 3, method: 'session/list' }]]);
  await opened(peer);
  peer.send(promptOf('a', 'rec'), { id: 'l', method: 'session/list' });
  assert.equal((await peer.words()).text, 'one');
  assert.equal((await peer.words()).text, 'The recording ends in this turn.');
  assert.deepEqual((await peer.frame()).result, { stopReason: 'end_turn' });
  const refusal = await peer.frame();
  assert.deepEqual([refusal.id, refusal.error?.['code']], ['l', -32603]);
});

test('a trace that begins in the middle of a connection can be played, noise and all', async (t) => {
  const [, ...rest] = turn(7, ['recv', '[debug] noise "é\u2028"'], said('one'));
  const peer = ScenePeer.replay(t, [
    ['recv', { id: 5, result: 'of an unknown request' }],
    ['send', promptOf(7, 'rec')],
    ...rest,
  ]);
  assert.deepEqual((await peer.frame()).result, 'of an unknown request');
  peer.send(INITIALIZE, newSession('n'));
  assert.equal((await peer.frame()).result?.['protocolVersion'], 1);
  assert.equal((await peer.frame()).result?.['sessionId'], 'replay-1');
  peer.send(promptOf('a', 'replay-1'));
  assert.equal(await peer.line(), '[debug] noise "é\u2028"');
  assert.deepEqual(await peer.words(), { sessionId: 'replay-1', text: 'one' });
});

test('with a speed the recorded pauses are kept, and Stop does not wait for them', async (t) => {
  const peer = ScenePeer.replay(
    t,
    [...OPENED, ...turn(2, said('one'), said('two'))],
    '--speed',
    '0.1',
  );
  const begun = performance.now();
  await opened(peer);
  peer.send(promptOf('a', 'rec'));
  await peer.words();
  // Three frames of the agent, each recorded 10 ms after the frame before it.
  assert.ok(performance.now() - begun >= 290, `${performance.now() - begun} ms`);
  const slow = ScenePeer.replay(t, [...OPENED, ...turn(2, said('one'))], '--speed', '0.0001');
  slow.send(promptOf('a', 'rec'), cancel());
  assert.deepEqual((await slow.frame()).result, { stopReason: 'cancelled' });
});

test('Parley itself cancels a recorded turn of a real agent that was never cancelled', async () => {
  const file = path.resolve('test/fixtures/transcripts/claude/tools.ndjson');
  let isAsked = false;
  await drive(
    'claude/tools',
    async (agent) => {
      const sessionId = await open(agent);
      const running = prompt(agent, sessionId, 'Something else');
      await until(() => isAsked, 'a question');
      await agent.connection.cancel(sessionId);
      assert.deepEqual(await running, { stopReason: 'cancelled' });
      await prompt(agent, sessionId);
      assert.match(
        agent.said(),
        /The recording is over: it has no more turns than the 1 played\.$/,
      );
    },
    {
      program: 'dist/agent.js',
      args: ['--replay', file],
      handlers: {
        requestPermission: () => {
          isAsked = true;
          return new Promise(() => undefined);
        },
      },
    },
  );
});
