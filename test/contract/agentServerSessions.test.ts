import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { client, methods } from '@agentclientprotocol/sdk';
import type { SessionLoader } from '../../src/agent/server/api.ts';
import type { SessionUpdate } from '../../src/protocol/acp.ts';
import { Driver, makeFolder, startAgent, until } from './agentDriver.ts';
import type { Parts } from './agentServerEmbedded.ts';
import {
  aborted,
  Connected,
  deferred,
  Embedded,
  sessionOf,
  settle,
} from './agentServerEmbedded.ts';

type Load = SessionLoader['loadSession'];

const known: Load = (id) => (id === 'old' ? sessionOf('old') : undefined);

async function connected(parts: Parts, app = client({ name: 'test' })): Promise<Connected> {
  const one = new Connected(parts, app);
  await one.initialize();
  return one;
}

describe('new sessions of the agent library', () => {
  test('get an id each', async () => {
    const one = await connected({});
    assert.deepEqual(await one.newSession(), { sessionId: 's1' });
    assert.deepEqual(await one.newSession(), { sessionId: 's2' });
    await one.close();
  });

  test('may not take the id of one that is held, which stays and works', async () => {
    let prompts = 0;
    const first = sessionOf('same', () => {
      prompts += 1;
      return Promise.resolve('end_turn');
    });
    const left = [first];
    const signals: AbortSignal[] = [];
    const one = await connected({
      newSession: (_cwd, signal) => {
        signals.push(signal);
        return left.shift() ?? sessionOf('same');
      },
    });
    await one.newSession();
    await assert.rejects(one.newSession(), { code: -32603 });
    assert.deepEqual(
      signals.map(({ aborted: isOver }) => isOver),
      [false, true],
    );
    assert.equal(await one.prompt('same'), 'end_turn');
    assert.equal(prompts, 1);
    await one.close();
  });

  test('may not take the id of one that was given up while its turn still runs', async () => {
    const turn = deferred();
    const ids = ['a', 'b', 'a', 'a'];
    const embedded = new Embedded({
      newSession: () =>
        sessionOf(ids.shift() ?? 'c', async () => {
          await turn.promise;
          return 'end_turn';
        }),
      options: { maxSessions: 1, overflow: 'evict-oldest' },
    }).listen();
    await embedded.initialize();
    await embedded.result(embedded.newSession());
    const prompt = embedded.prompt('x', 'a');
    await embedded.result(embedded.newSession());
    assert.equal(await embedded.code(embedded.newSession()), -32603);
    turn.resolve();
    assert.deepEqual(await embedded.result(prompt), { stopReason: 'cancelled' });
    assert.deepEqual(await embedded.result(embedded.newSession()), { sessionId: 'a' });
    await embedded.close();
  });

  test('must be sessions: a wrong one is an internal error, and nothing is held', async () => {
    const wrong = [{ id: 7 }, { id: '' }, { id: null }, { prompt: 1 }, { prompt: undefined }];
    const left = [...wrong];
    const one = await connected({
      // What an embedder without a compiler might return.
      newSession: () => Object.assign(sessionOf('s'), left.shift()),
    });
    for (let count = 0; count < wrong.length; count += 1) {
      await assert.rejects(one.newSession(), { code: -32603, message: /internal error/ });
    }
    await one.close();
  });

  test('end with their signal when nobody wants them any more', async () => {
    const signals: AbortSignal[] = [];
    const hook = deferred();
    const embedded = await new Embedded({
      newSession: async (_cwd, signal) => {
        signals.push(signal);
        if (signals.length === 2) await hook.promise;
        return sessionOf(`s${signals.length}`);
      },
    }).open();
    const second = embedded.newSession();
    await until('the hook', () => signals.length === 2);
    embedded.takeBack(second);
    assert.equal(await embedded.code(second), -32800);
    assert.deepEqual(
      signals.map((signal) => signal.aborted),
      [false, true],
    );
    hook.resolve();
    await settle();
    assert.equal(await embedded.code(embedded.prompt('x', 's2')), -32002);
    await embedded.close();
    assert.ok(signals[0]?.aborted);
  });
});

describe('loading sessions', () => {
  test('is unknown and not advertised where the agent has no loader', async () => {
    const one = new Connected();
    assert.equal((await one.initialize()).agentCapabilities?.loadSession, false);
    await assert.rejects(one.load('old'), { code: -32601 });
    await one.close();
  });

  test('replays what was said and answers then', async () => {
    const heard: SessionUpdate[] = [];
    const app = client({ name: 'test' }).onNotification(
      methods.client.session.update,
      ({ params }) => {
        assert.equal(params.sessionId, 'old');
        heard.push(params.update);
      },
    );
    const one = new Connected(
      {
        loadSession: async (id, cwd, host) => {
          await host.userMessage(`Where? ${cwd}`, 'm1');
          await host.message('He', 'm2');
          await host.message('re', 'm2');
          return sessionOf(id);
        },
      },
      app,
    );
    assert.equal((await one.initialize()).agentCapabilities?.loadSession, true);
    assert.deepEqual(await one.load('old'), {});
    const text = (words: string) => ({ type: 'text' as const, text: words });
    assert.deepEqual(heard, [
      { sessionUpdate: 'user_message_chunk', messageId: 'm1', content: text('Where? /') },
      { sessionUpdate: 'agent_message_chunk', messageId: 'm2', content: text('He') },
      { sessionUpdate: 'agent_message_chunk', messageId: 'm2', content: text('re') },
    ]);
    assert.equal(await one.prompt('old'), 'end_turn');
    await one.close();
  });

  test('says what is wrong: -32002 for an unknown id, -32603 for another session or a throw', async () => {
    const answers: Record<string, Load> = {
      unknown: () => undefined,
      other: () => sessionOf('another'),
      broken: () => {
        throw new Error('the cat sat on the disk');
      },
    };
    const one = await connected({ loadSession: (id, ...rest) => answers[id]?.(id, ...rest) });
    await assert.rejects(one.load('unknown'), { code: -32002 });
    await assert.rejects(one.load('other'), { code: -32603 });
    await assert.rejects(one.load('broken'), {
      code: -32603,
      message: 'session/load: internal error',
    });
    await assert.rejects(one.prompt('another'), { code: -32002 });
    assert.match(one.logged.join('\n'), /the cat sat/);
    await one.close();
  });

  test('is refused while a turn of that session runs or waits, and goes when it has ended', async () => {
    const turns = [deferred(), deferred()];
    let started = 0;
    let loads = 0;
    const embedded = await new Embedded({
      prompt: async () => {
        started += 1;
        await turns[started - 1]?.promise;
        return 'end_turn';
      },
      loadSession: (id) => {
        loads += 1;
        return sessionOf(id);
      },
    }).open();
    const first = embedded.prompt();
    const second = embedded.prompt();
    await until('the turn', () => started === 1);
    assert.equal(await embedded.code(embedded.load('s1')), -32600);
    turns[0]?.resolve();
    await embedded.result(first);
    assert.equal(await embedded.code(embedded.load('s1')), -32600);
    turns[1]?.resolve();
    await embedded.result(second);
    assert.equal(loads, 0);
    assert.deepEqual(await embedded.result(embedded.load('s1')), {});
    await embedded.close();
  });

  test('goes on after a turn that ended as the client asked', async () => {
    const one = await connected({ loadSession: (id) => sessionOf(id) });
    await one.newSession();
    for (let round = 0; round < 20; round += 1) {
      assert.equal(await one.prompt(), 'end_turn');
      assert.deepEqual(await one.load('s1'), {});
    }
    await one.close();
  });

  test('asks for permission while it waits, and holds the prompts behind it', async () => {
    const order: string[] = [];
    const embedded = new Embedded({
      loadSession: async (id, _cwd, host, signal) => {
        const answer = await host.requestPermission(
          { toolCallId: 'a' },
          [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          signal,
        );
        order.push(answer.outcome);
        return sessionOf(id, () => {
          order.push('prompt');
          return Promise.resolve('end_turn');
        });
      },
    }).listen();
    await embedded.initialize();
    const load = embedded.load('old');
    const prompt = embedded.prompt('x', 'old');
    await until('the request', () => embedded.sent('session/request_permission').length === 1);
    await settle();
    assert.deepEqual(order, []);
    await embedded.reply('session/request_permission', {
      jsonrpc: '2.0',
      result: { outcome: { outcome: 'selected', optionId: 'yes' } },
    });
    await embedded.result(load);
    await embedded.result(prompt);
    assert.deepEqual(order, ['selected', 'prompt']);
    await embedded.close();
  });

  test('is over for its client when it has answered, or when it is taken back', async () => {
    const late: string[] = [];
    const signals: AbortSignal[] = [];
    const embedded = new Embedded({
      loadSession: async (id, _cwd, host, signal) => {
        signals.push(signal);
        if (id === 'slow') await aborted(signal);
        void settle()
          .then(() => host.message('too late', 'm'))
          .catch(() => late.push(id));
        return sessionOf(id);
      },
    }).listen();
    await embedded.initialize();
    await embedded.result(embedded.load('quick'));
    const slow = embedded.load('slow');
    await until('the slow one', () => signals.length === 2);
    embedded.takeBack(slow);
    assert.equal(await embedded.code(slow), -32800);
    await until('both refusals', () => late.length === 2);
    assert.deepEqual(embedded.updates(), []);
    assert.equal(await embedded.code(embedded.prompt('x', 'slow')), -32002);
    await embedded.close();
  });

  test('puts the session in the place of the one before, whose signal aborts', async () => {
    const signals: AbortSignal[] = [];
    const one = await connected({
      newSession: (_cwd, signal) => {
        signals.push(signal);
        return sessionOf('s1');
      },
      loadSession: (id, _cwd, _client, signal) => {
        signals.push(signal);
        return id === 's1' && signals.length < 3 ? sessionOf('s1') : undefined;
      },
    });
    await one.newSession();
    await one.load('s1');
    assert.deepEqual(
      signals.map((signal) => signal.aborted),
      [true, false],
    );
    await assert.rejects(one.load('s1'), { code: -32002 });
    assert.equal(await one.prompt(), 'end_turn', 'a failed load took the held session away');
    assert.equal(signals[1]?.aborted, false);
    await one.close();
  });
});

describe('the bound on sessions', () => {
  test('refuses one more before the agent makes anything, also while others are being made', async () => {
    let made = 0;
    const hook = deferred();
    const one = await connected({
      newSession: async () => {
        made += 1;
        await hook.promise;
        return sessionOf(`s${made}`);
      },
      loadSession: known,
      options: { maxSessions: 1 },
    });
    const first = one.newSession();
    await until('the first', () => made === 1);
    await assert.rejects(one.newSession(), { code: -32602 });
    await assert.rejects(one.load('old'), { code: -32602 });
    hook.resolve();
    await first;
    await assert.rejects(one.newSession(), { code: -32602 });
    assert.equal(made, 1);
    await one.close();
  });

  test('gives the place of a session that could not be made to the next', async () => {
    let made = 0;
    const one = await connected({
      newSession: () => {
        made += 1;
        if (made === 1) throw new Error('not today');
        return sessionOf('s1');
      },
      loadSession: known,
      options: { maxSessions: 1 },
    });
    await assert.rejects(one.newSession(), { code: -32603 });
    await assert.rejects(one.load('unknown'), { code: -32002 });
    await one.newSession();
    await one.close();
  });

  test('loads a session again that is held, though there is no place for another', async () => {
    const one = await connected({ loadSession: known, options: { maxSessions: 1 } });
    await one.load('old');
    await one.load('old');
    await one.close();
  });

  test('is 1024 unless it is set, and none when it is negative', async () => {
    for (const [options, more] of [
      [{}, false],
      [{ maxSessions: -1 }, true],
    ] as const) {
      const one = await connected({ options });
      for (let count = 0; count < 1024; count += 1) await one.newSession();
      if (more) await one.newSession();
      else await assert.rejects(one.newSession(), { code: -32602 });
      await one.close();
    }
  });

  test('gives up the oldest: its turn is cancelled, a load waits for the end of that', async () => {
    const turn = deferred();
    const signals: AbortSignal[] = [];
    const embedded = new Embedded({
      newSession: (_cwd, signal) => {
        signals.push(signal);
        return sessionOf(`s${signals.length}`, async (_content, _client, cancelled) => {
          await aborted(cancelled);
          await turn.promise;
          return 'end_turn';
        });
      },
      loadSession: (id) => sessionOf(id),
      options: { maxSessions: 2, overflow: 'evict-oldest' },
    }).listen();
    await embedded.initialize();
    await embedded.result(embedded.newSession());
    await embedded.result(embedded.newSession());
    const [running, waiting] = [embedded.prompt(), embedded.prompt()];
    await embedded.result(embedded.newSession());
    assert.deepEqual(
      signals.map((signal) => signal.aborted),
      [true, false, false],
    );
    assert.equal(await embedded.code(embedded.load('s1')), -32600);
    turn.resolve();
    assert.deepEqual(await embedded.result(running), { stopReason: 'cancelled' });
    assert.deepEqual(await embedded.result(waiting), { stopReason: 'cancelled' });
    assert.equal(await embedded.code(embedded.prompt()), -32002);
    assert.deepEqual(await embedded.result(embedded.load('s1')), {});
    assert.equal(signals[1]?.aborted, true, 's2 was the oldest then');
    await embedded.close();
  });

  test('refuses all where none may be, whatever is said of overflow', async () => {
    const one = await connected({ options: { maxSessions: 0, overflow: 'evict-oldest' } });
    await assert.rejects(one.newSession(), { code: -32602 });
    await one.close();
  });

  test('is an option of the built agent', async () => {
    const folder = makeFolder();
    for (const args of [['--max-sessions', '1'], ['--max-sessions=1']]) {
      const driver = await Driver.start({}, {}, args);
      await driver.newSession(folder);
      await assert.rejects(driver.newSession(folder), { code: -32602 });
      await driver.stop();
    }
    const unbounded = await Driver.start({}, {}, ['--max-sessions', '-1']);
    for (let count = 0; count < 1025; count += 1) await unbounded.newSession(folder);
    await unbounded.stop();
    for (const args of [['--max-sessions'], ['--max-sessions', 'many'], ['--max-sessions=1.5']]) {
      const child = startAgent(args);
      let complaint = '';
      child.stderr.on('data', (data: Buffer) => (complaint += data.toString('utf8')));
      const code = await new Promise((resolve) => child.once('exit', resolve));
      assert.equal(code, 2);
      assert.match(complaint, /--max-sessions needs a whole number/);
    }
  });
});
