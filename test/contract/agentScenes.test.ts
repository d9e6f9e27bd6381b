import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ConnectionClosed, RequestError } from '../../src/protocol/connection.ts';
import { drive, open, prompt, until, type Driven, type DriveOptions } from './wireAgent.ts';

const FOLDER = path.resolve('test/fixtures/scenes');

/** The bundled agent, which plays a scene of test/fixtures/scenes, and Parley's own process and connection. */
function played(
  scene: string,
  use: (agent: Driven) => Promise<void>,
  options: Pick<DriveOptions, 'handlers' | 'args'> = {},
): Promise<void> {
  const args = ['--scene', path.join(FOLDER, `${scene}.json`), ...(options.args ?? [])];
  return drive(scene, use, { ...options, program: 'dist/agent.js', args });
}

const tested = new Set<string>();

function scene(name: string, claim: string, use: (agent: Driven) => Promise<void>): void {
  tested.add(`${name}.json`);
  test(`${name}: ${claim}`, () => played(name, use));
}

scene(
  'shortest',
  'a scene of three steps is an agent, and refuses what comes after it',
  async (agent) => {
    const sessionId = await open(agent);
    assert.deepEqual(await prompt(agent, sessionId, 'Hi "you"'), { stopReason: 'end_turn' });
    assert.equal(agent.said(), 'You wrote: Hi "you"');
    await assert.rejects(prompt(agent, sessionId), new RequestError(-32603, 'The scene is over.'));
    await agent.process.stop();
    assert.deepEqual(await agent.process.exited, { code: 0, signal: null });
  },
);

scene(
  'halfLine',
  'half a line that ends in a character holds up nothing but itself',
  async (agent) => {
    const sessionId = await open(agent);
    const turn = prompt(agent, sessionId);
    await until(() => agent.said() === 'Whole. ', 'what came before');
    await Promise.all([agent.process.stop(), assert.rejects(turn, ConnectionClosed)]);
    assert.match(agent.reports.join('\n'), /no message/);
    const [last = ''] = agent.lines.slice(-1).map(({ raw }) => raw);
    assert.ok(last.endsWith(`"sessionId":"${sessionId}","x":"\uFFFD`), last);
  },
);

scene('noise', 'lines that are no messages are passed over', async (agent) => {
  const sessionId = await open(agent);
  assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
  assert.equal(agent.said(), 'Heard all the same.');
  assert.match(agent.reports.join('\n'), /Welcome!/);
});

scene(
  'flood',
  '20,000 pieces arrive whole and in order, before the end of the turn',
  async (agent) => {
    const sessionId = await open(agent);
    assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
    const expected = Array.from({ length: 20_000 }, (_, index) => `${index + 1} `).join('');
    assert.equal(agent.said(), expected);
  },
);

scene(
  'silence',
  'nothing is answered any more, and the end of the input ends it',
  async (agent) => {
    const sessionId = await open(agent);
    const turn = prompt(agent, sessionId);
    await until(() => agent.said() === 'Well, ', 'the last words');
    const ignored = agent.connection.newSession({ cwd: '/', mcpServers: [] });
    await agent.connection.cancel(sessionId);
    await Promise.all([
      agent.process.stop(),
      assert.rejects(turn, ConnectionClosed),
      assert.rejects(ignored, ConnectionClosed),
    ]);
    assert.deepEqual(await agent.process.exited, { code: 0, signal: null });
  },
);

scene('exit', 'the last words are heard, then the process ends with the code', async (agent) => {
  const sessionId = await open(agent);
  await assert.rejects(prompt(agent, sessionId), ConnectionClosed);
  assert.equal(agent.said(), 'Half an ans');
  assert.equal(agent.updates.length, 2);
  assert.deepEqual(await agent.process.exited, { code: 7, signal: null });
  await until(() => agent.stderr.includes('panic: out of cheese'), 'stderr');
});

scene('earlyLate', 'updates come before the session is known and after the turn', async (agent) => {
  const sessionId = await open(agent);
  assert.equal(sessionId, 'early-1');
  assert.equal(agent.updates.length, 2, 'both early updates came before the answer');
  await prompt(agent, sessionId);
  await until(() => agent.updates.length === 5, 'late updates');
  assert.equal(agent.said(), 'Too early. In time. Too late.');
  const late = { sessionUpdate: 'usage_update', used: 10, size: 100 };
  assert.deepEqual(agent.updates.at(-1)?.update, late);
});

scene(
  'unknownKinds',
  'what nobody knows is refused or passed over, and costs nothing',
  async (agent) => {
    const sessionId = await open(agent);
    const { stopReason } = await prompt(agent, sessionId);
    assert.equal(stopReason, 'a reason of its own');
    assert.equal(agent.said(), 'Still here.');
  },
);

tested.add('permission.json');
test('permission: a loop asks in each turn, takes either answer, and Stop ends it', async () => {
  const options = ['yes', 'no'];
  const asked: unknown[] = [];
  const handlers: DriveOptions['handlers'] = {
    requestPermission: ({ toolCall }) => {
      asked.push(toolCall.toolCallId);
      const optionId = options.shift();
      if (optionId === undefined) return new Promise(() => undefined);
      return Promise.resolve({ outcome: { outcome: 'selected', optionId } });
    },
  };
  const use = async (agent: Driven): Promise<void> => {
    const sessionId = await open(agent);
    assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
    assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
    assert.equal(
      agent.said(),
      'The answer was {"outcome":"selected","optionId":"yes"}.' +
        'The answer was {"outcome":"selected","optionId":"no"}.',
    );
    const turn = prompt(agent, sessionId);
    await until(() => asked.length === 3, 'the third question');
    await agent.connection.cancel(sessionId);
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
    assert.deepEqual(await agent.process.exited, { code: 0, signal: null });
    assert.deepEqual(asked, ['call-1', 'call-2', 'call-3']);
    const plan = agent.updates[0]?.update;
    assert.ok(plan?.sessionUpdate === 'plan' && 'entries' in plan);
    assert.equal(plan.entries[0]?.content, `Ask in ${process.cwd()}`);
  };
  await played('permission', use, { handlers, args: ['--speed', '100'] });
});

test('every example is played by a test', () => {
  const examples = fs.readdirSync(FOLDER).filter((name) => name !== 'scene.schema.json');
  assert.deepEqual(examples.sort(), [...tested].sort());
});
