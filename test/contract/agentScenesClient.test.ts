import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitOf } from './agentDriver.ts';
import { INITIALIZE, newSession, promptOf, ScenePeer, written } from './scenePeer.ts';

const CANCEL = { method: 'session/cancel', params: { sessionId: 'session-1' } };

test('what the client sends instead of what is expected ends the scene with both, and code 1', async (t) => {
  const steps = [{ expect: { method: 'session/prompt', params: { sessionId: 'other' } } }];
  const peer = ScenePeer.scene(t, { steps });
  peer.send(INITIALIZE, promptOf(7, 'mine', 'api_key=swordfish'));
  assert.deepEqual(await exitOf(peer.child), { code: 1, signal: null });
  assert.match(peer.stderr, /played\.json: steps\[0\]\.expect: the client sent \{.*"mine".*, not /);
  assert.match(peer.stderr, /\{"method":"session\/prompt","params":\{"sessionId":"other"\}\}/);
  assert.ok(!peer.stderr.includes('swordfish'), 'secrets of a client are not told');
});

test('what does not come in time ends the scene, and so does a client that goes', async (t) => {
  const late = ScenePeer.scene(t, { steps: [{ expect: 'session/prompt', within: 50 }] });
  assert.deepEqual(await exitOf(late.child), { code: 1, signal: null });
  assert.match(late.stderr, /steps\[0\]\.expect: nothing came within 50 ms/);

  const steps = [{ raw: '' }, { repeat: [{ expect: 'session/prompt' }], times: 2 }];
  const gone = ScenePeer.scene(t, { steps });
  gone.send(promptOf(1, 's'));
  assert.equal((await gone.end()).code, 1);
  assert.match(gone.stderr, /steps\[1\]\.repeat\[0\]\.expect: the client has gone/);
});

test('a line that is no JSON of an object ends the scene', async (t) => {
  const peer = ScenePeer.scene(t, { steps: [{ expect: 'session/prompt' }] });
  peer.send('[{"jsonrpc":"2.0"}]');
  assert.equal((await exitOf(peer.child)).code, 1);
  assert.match(peer.stderr, /no object of JSON/);
});

test('of a broken scene nothing is played', async (t) => {
  const peer = ScenePeer.scene(t, {
    steps: [{ raw: 'words' }, { stderr: 'words' }, { expect: 1 }],
  });
  assert.deepEqual(await peer.end(), { code: 2, signal: null, lines: [] });
  assert.match(peer.stderr, /^\S*played\.json: steps\[2\]\.expect: must be the name/);
});

test('files that are missing, no files or too large are refused', async (t) => {
  const large = written(t, `{"scene":1,"steps":[],"about":"${'x'.repeat(16 << 20)}"}`);
  for (const [file, reason] of [
    ['/not/there.json', /ENOENT/],
    ['/dev/zero', /this is no file/],
    [large, /more than 16777216 bytes/],
  ] as const) {
    for (const option of file === large ? ['--scene'] : ['--scene', '--replay']) {
      const peer = new ScenePeer(t, [option, file]);
      assert.equal((await exitOf(peer.child)).code, 2, file);
      assert.match(peer.stderr, reason);
    }
  }
});

test('initialize and session/new have answers, other requests refusals, and the rest is passed over', async (t) => {
  const steps = [{ expect: 'session/prompt' }, { answer: '${session} in ${cwd}' }];
  const peer = ScenePeer.scene(t, { steps });
  peer.send(INITIALIZE, newSession(1), newSession('2'));
  const { protocolVersion, agentCapabilities } = (await peer.frame()).result ?? {};
  assert.deepEqual([protocolVersion, agentCapabilities], [1, {}]);
  assert.deepEqual(await peer.frame(), {
    jsonrpc: '2.0',
    id: 1,
    result: { sessionId: 'session-1' },
  });
  assert.deepEqual((await peer.frame()).result, { sessionId: 'session-2' });
  peer.send(CANCEL, { id: 'nobody asked', result: 1 }, { id: null, method: 'session/set_mode' });
  const refusal = await peer.frame();
  assert.deepEqual([refusal.id, refusal.error?.['code']], [null, -32601]);
  peer.send(promptOf(3, 'session-1'));
  assert.deepEqual((await peer.frame()).result, 'session-1 in /folder');
  assert.equal((await peer.end()).code, 0);
});

test('a reaction stands beside the sequence, takes as many frames as it says, and comes before a default', async (t) => {
  const reactions = [
    { on: 'initialize', times: 1, do: [{ fail: { code: 1, message: 'once' } }] },
    {
      on: { method: 'session/new', params: { cwd: '/folder' } },
      do: [{ pause: 5 }, { answer: { sessionId: 'of ${cwd}' } }],
    },
  ];
  const steps = [{ expect: 'session/prompt' }, { answer: '${session}' }];
  const peer = ScenePeer.scene(t, { reactions, steps });
  peer.send(INITIALIZE, INITIALIZE);
  assert.deepEqual((await peer.frame()).error, { code: 1, message: 'once' });
  assert.equal((await peer.frame()).result?.['protocolVersion'], 1);
  peer.send(newSession(1));
  assert.deepEqual((await peer.frame()).result, { sessionId: 'of /folder' });
  peer.send(promptOf(2, 'of /folder'));
  assert.deepEqual((await peer.frame()).result, 'of /folder');
});

test('frames that are expected wait for their step, in order or in any order', async (t) => {
  const steps = [
    { send: { id: 1, method: 'a' } },
    { send: { id: 2, method: 'b' } },
    { pause: 30 },
    { expect: { id: 2 }, anyOrder: true, as: 'b' },
    { expect: { id: 1 }, as: 'a' },
    { raw: '${a.result} ${b.result}\n' },
    { expect: { id: 1 } },
  ];
  const peer = ScenePeer.scene(t, { steps });
  peer.send({ id: 1, result: 'one' }, { id: 2, result: 'two' }, { id: 2, result: 'again' });
  await peer.line();
  await peer.line();
  assert.equal(await peer.line(), 'one two');
  assert.equal((await exitOf(peer.child)).code, 1);
  assert.match(peer.stderr, /steps\[6\]\.expect: the client sent \{.*"again"/);
});

test('a placeholder without a value ends the scene at its step', async (t) => {
  const peer = ScenePeer.scene(t, { steps: [{ say: 'in ${cwd}', session: 's' }] });
  assert.equal((await exitOf(peer.child)).code, 1);
  assert.match(peer.stderr, /steps\[0\]\.say: \$\{cwd\} has no value here/);
});

test('a scene can end its process by a signal, from a reaction too', async (t) => {
  const scene = {
    reactions: [{ on: 'session/cancel', do: [{ exit: 'SIGTERM' }] }],
    steps: [{ say: 'Hi', session: 's' }, { expect: 'session/prompt' }],
  };
  const peer = ScenePeer.scene(t, scene);
  await peer.line();
  peer.send(CANCEL);
  assert.deepEqual(await exitOf(peer.child), { code: null, signal: 'SIGTERM' });
});

test('pauses are divided by the speed, and none outlasts the client', async (t) => {
  const steps = [{ pause: 3_000_000 }, { raw: 'done\n' }];
  const fast = ScenePeer.scene(t, { steps }, '--speed', '100000');
  assert.equal(await fast.line(), 'done');
  const left = ScenePeer.scene(t, { steps });
  assert.deepEqual(await left.end(), { code: 0, signal: null, lines: ['done'] });
});

test('an endless loop that nobody ends ends with its client', async (t) => {
  const peer = ScenePeer.scene(t, { steps: [{ repeat: [{ raw: '${count}\n' }] }] });
  assert.equal(await peer.line(), '1');
  peer.child.stdin.end();
  assert.equal((await exitOf(peer.child)).code, 0);

  const quiet = ScenePeer.scene(t, { steps: [{ raw: 'now\n' }, { repeat: [{ raw: '' }] }] });
  assert.equal(await quiet.line(), 'now');
  quiet.send(INITIALIZE);
  assert.equal((await quiet.frame()).id, 'i', 'whoever says nothing has time to listen');
  assert.equal((await quiet.end()).code, 0);
});

test('what still waits when a scene falls silent or ends its process is not answered', async (t) => {
  for (const [last, code] of [
    [{ silence: true }, 0],
    [{ exit: 3 }, 3],
  ] as const) {
    const peer = ScenePeer.scene(t, { steps: [{ expect: 'session/prompt' }, last] });
    peer.send(promptOf(1, 's'), promptOf(2, 's'), promptOf(3, 's'));
    assert.deepEqual(await peer.end(), { code, signal: null, lines: [] });
  }
});
