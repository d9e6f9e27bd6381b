import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cancelled } from '../../src/base/errors.ts';
import { ConnectionClosed, RequestError, RequestTimeout } from '../../src/protocol/connection.ts';
import { drive, open, prompt, until } from './wireAgent.ts';

test('an agent that dies at start leaves its exit code and the last of its stderr, without colours', () =>
  drive('diesAtStart', async (agent) => {
    await assert.rejects(open(agent), ConnectionClosed);
    assert.deepEqual(await agent.process.exited, { code: 3, signal: null });
    await until(() => agent.stderr.length === 2, 'two lines of stderr');
    assert.deepEqual(agent.stderr, [
      'Fatal: no licence found',
      '  looked in ~/.rogue/licence — nothing there',
    ]);
    assert.equal(
      agent.process.stderrTail,
      'Fatal: no licence found\n  looked in ~/.rogue/licence — nothing there\n',
    );
    await until(agent.closed, 'the connection tells its end');
  }));

test('an agent that dies in a turn has its last words heard before the prompt fails', () =>
  drive('diesMidTurn', async (agent) => {
    const sessionId = await open(agent);
    await assert.rejects(prompt(agent, sessionId), ConnectionClosed);
    assert.equal(agent.said(), 'Half an ans');
    assert.equal(agent.updates.length, 2);
    assert.deepEqual(await agent.process.exited, { code: 7, signal: null });
    await assert.rejects(prompt(agent, sessionId), ConnectionClosed, 'later prompts fail too');
  }));

test('initialize that is never answered ends with the time-out of its signal, and the agent is told', () =>
  drive('neverAnswers', async (agent) => {
    const request = { protocolVersion: 1, clientCapabilities: {} };
    const asked = agent.connection.initialize(request, AbortSignal.timeout(150));
    await assert.rejects(asked, RequestTimeout);
    await until(
      () => agent.stderr.includes('told to forget request 0'),
      'the agent hears $/cancel_request',
    );
    const controller = new AbortController();
    const again = agent.connection.initialize(request, controller.signal);
    controller.abort();
    await assert.rejects(again, Cancelled, 'a wish of the caller is no time-out');
  }));

test('banners and other lines that are no messages are reported and skipped', () =>
  drive('banner', async (agent) => {
    const sessionId = await open(agent);
    assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
    assert.equal(agent.said(), 'Hello after the banner');
    assert.match(agent.reports.join('\n'), /no message: .*Welcome to Rogue/);
    assert.match(agent.reports.join('\n'), /JSON that is no message: .*list/);
    assert.equal(agent.reports.length, 2, 'each kind once');
    const raw = agent.lines.filter(({ direction }) => direction === 'recv').map(({ raw }) => raw);
    assert.ok(raw.includes('true'), 'lines are traced as they are, without their end');
  }));

test('ids come back as they were, and answers with ids as strings are taken', () =>
  drive('stringIds', async (agent) => {
    const sessionId = await open(agent);
    assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
    assert.equal(
      agent.said(),
      '"0"=text of /text-zero "7c9e6679-7425-40de-944b-e07fc1f90ae7"=text of /uuid 0=text of /zero',
    );
    const answers = agent.lines.filter(
      ({ raw }) => raw.includes('"result"') && raw.includes('text of'),
    );
    assert.equal(answers.length, 3, 'each is answered exactly once');
  }));

test('updates before the answer to session/new and after the end of the turn are delivered in order', () =>
  drive('earlyLate', async (agent) => {
    const sessionId = await open(agent);
    assert.equal(sessionId, 'early-1');
    assert.equal(agent.updates.length, 2, 'both early updates came before the answer');
    await prompt(agent, sessionId);
    assert.equal(agent.said(), 'Too early. In time. ');
    await until(() => agent.updates.length === 5, 'late updates');
    assert.equal(agent.said(), 'Too early. In time. Too late.');
    assert.deepEqual(agent.updates.at(-1)?.update, {
      sessionUpdate: 'usage_update',
      used: 10,
      size: 100,
    });
  }));

test('a flood of 20,000 chunks arrives whole, in order, and before the answer that ends the turn', () =>
  drive('flood', async (agent) => {
    const sessionId = await open(agent);
    assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
    const expected = Array.from({ length: 20_000 }, (_, n) => `${n} `).join('');
    assert.equal(agent.said(), expected);
  }));

test('half a line holds nothing up but itself, and stopping the agent ends the wait', () =>
  drive('halfLine', async (agent) => {
    const sessionId = await open(agent);
    const turn = prompt(agent, sessionId);
    await until(() => agent.said() === 'Whole. ', 'what came before');
    await Promise.all([agent.process.stop(), assert.rejects(turn, ConnectionClosed)]);
    assert.match(agent.reports.join('\n'), /no message/);
  }));

test('an agent that ignores cancel keeps its turn, and stopping the process ends it', () =>
  drive('ignoresCancel', async (agent) => {
    const sessionId = await open(agent);
    const turn = prompt(agent, sessionId);
    await until(() => agent.updates.length > 2, 'chunks');
    await agent.connection.cancel(sessionId);
    const before = agent.updates.length;
    await until(() => agent.updates.length > before + 2, 'chunks after the cancel');
    await Promise.all([agent.process.stop(), assert.rejects(turn, ConnectionClosed)]);
  }));

test('a line over the limit is dropped with a report, and the next line is heard', () =>
  drive(
    'hugeLine',
    async (agent) => {
      const sessionId = await open(agent);
      assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
      assert.equal(agent.said(), 'after');
      assert.match(agent.reports.join('\n'), /more than 1000000 bytes.*dropped/);
    },
    { maxLineBytes: 1_000_000 },
  ));

test('a line of ten million characters below the limit is heard whole', () =>
  drive(
    'hugeLine',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId);
      assert.equal(agent.said().length, 10_000_000 + 'after'.length);
      assert.deepEqual(agent.reports, []);
    },
    { args: ['10'] },
  ));

test('nonsense is reported and skipped; what can be understood in it is not lost', () =>
  drive('nonsense', async (agent) => {
    const sessionId = await open(agent);
    assert.deepEqual(await prompt(agent, sessionId), { stopReason: 'end_turn' });
    // Unknown method, and bad params twice.
    assert.equal(agent.said(), '{"v1":-32601,"v2":-32602,"v3":-32602}');
    const plan = agent.updates.find(({ update }) => update.sessionUpdate === 'plan');
    assert.deepEqual(plan?.update, {
      sessionUpdate: 'plan',
      entries: [{ content: 'Good step', priority: 'medium', status: 'pending' }],
    });
    const reports = agent.reports.join('\n');
    assert.match(reports, /"telepathy"/);
    assert.match(reports, /"smell"/);
    assert.match(reports, /no id/);
    const count = agent.reports.length;
    await prompt(agent, sessionId);
    assert.equal(agent.reports.length, count, 'the same nonsense is reported once');
  }));

test('a request that the agent takes back is answered once, with -32800, and its handler hears of it', async () => {
  let aborted = false;
  const requestPermission = (_: unknown, signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        setTimeout(reject, 20, new Error('too late to matter'));
      });
    });
  await drive(
    'takesBack',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId);
      assert.equal(agent.said(), '[-32800]');
      assert.equal(aborted, true);
      assert.deepEqual(agent.reports, []);
    },
    { handlers: { requestPermission } },
  );
});

test('handlers of requests that are open when the agent dies hear that nobody waits any more', async () => {
  let aborted = false;
  const requestPermission = (_: unknown, signal: AbortSignal): Promise<never> =>
    new Promise(() => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
    });
  await drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      const turn = prompt(agent, sessionId, 'ask');
      await until(() => agent.lines.some(({ raw }) => raw.includes('request_permission')), 'asked');
      await Promise.all([agent.process.stop(), assert.rejects(turn, ConnectionClosed)]);
      assert.equal(aborted, true);
    },
    { handlers: { requestPermission } },
  );
});

test('a cancelled turn that is answered with null is a cancelled turn, and error answers keep their data', () =>
  drive('silentEnd', async (agent) => {
    const sessionId = await open(agent);
    const turn = prompt(agent, sessionId, 'wait');
    await agent.connection.cancel(sessionId);
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
    await assert.rejects(prompt(agent, sessionId, 'fail'), (error) => {
      assert.ok(error instanceof RequestError);
      assert.equal(error.code, -32603);
      assert.equal(error.message, 'Internal error');
      assert.deepEqual(error.data, { details: 'model is away' });
      return true;
    });
  }));

test('whoever writes to an agent that does not read waits, and hears when it is gone', () =>
  drive('deaf', async (agent) => {
    const sessionId = await open(agent);
    const megabyte = 'x'.repeat(1 << 20);
    let accepted = 0;
    const writes = (async () => {
      for (let n = 0; n < 100; n += 1) {
        await agent.connection.cancel(`${sessionId}${megabyte}`);
        accepted += 1;
      }
    })();
    const failed = assert.rejects(writes, ConnectionClosed);
    // A write that is not taken within a second will not be.
    let seen = -1;
    while (seen !== accepted) {
      seen = accepted;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    assert.ok(accepted < 5, `a caller that awaits stops after a few writes, not ${accepted}`);
    await agent.process.stop();
    await failed;
  }));
