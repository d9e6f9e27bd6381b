import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal } from '../../src/agent/server/faults.ts';
import type { Parts } from './agentServerEmbedded.ts';
import { aborted, deferred, Embedded, sessionOf } from './agentServerEmbedded.ts';

/** An agent that has it all, as far as a test does not say otherwise. */
function full(parts: Parts = {}): Parts {
  return {
    listSessions: () => ({ sessions: [] }),
    resumeSession: (id) => (id === 'gone' ? undefined : sessionOf(id)),
    forkSession: (id) => (id === 'gone' ? undefined : sessionOf(`${id}-copy`)),
    closeSession: () => undefined,
    deleteSession: () => undefined,
    ...parts,
  };
}

async function opened(parts: Parts = full()): Promise<Embedded> {
  return new Embedded(parts).open();
}

function about(embedded: Embedded, method: string, sessionId = 's1'): number {
  return embedded.send(method, { sessionId, cwd: '/', mcpServers: [] });
}

const OPTIONAL = {
  list: 'session/list',
  resume: 'session/resume',
  close: 'session/close',
  delete: 'session/delete',
  fork: 'session/fork',
};

describe('what an agent may offer beyond the rest', () => {
  test('is declared where its method is there, and -32601 where it is not', async () => {
    const none = await new Embedded().open();
    for (const method of Object.values(OPTIONAL)) {
      assert.equal(await none.code(about(none, method)), -32601, method);
    }
    await none.close();
    const all = new Embedded(full()).listen();
    const answer = JSON.stringify(await all.initialize());
    for (const name of Object.keys(OPTIONAL)) assert.ok(answer.includes(`"${name}":{}`), name);
    await all.close();
  });

  test('waits for signing in where that is needed', async () => {
    const methods = [{ id: 'key', name: 'Key' }];
    const auth = { methods, authenticate: () => undefined };
    const embedded = new Embedded(full({ options: { auth } })).listen();
    await embedded.initialize();
    for (const method of ['session/list', 'session/resume', 'session/delete', 'session/fork']) {
      assert.equal(await embedded.code(about(embedded, method, 'old')), -32000, method);
    }
    await embedded.close();
  });

  test('keeps what its methods throw to the log, and tells what they refuse', async () => {
    const secret = (): never => {
      throw new Error('inner words');
    };
    const embedded = await opened(
      full({
        listSessions: () => {
          throw new Refusal(-32602, 'This is no cursor.');
        },
        resumeSession: secret,
        forkSession: secret,
        deleteSession: secret,
        closeSession: secret,
      }),
    );
    assert.equal(await embedded.code(embedded.send('session/list', {})), -32602);
    for (const method of ['session/resume', 'session/fork', 'session/delete', 'session/close']) {
      const { error } = await embedded.answer(about(embedded, method));
      assert.deepEqual(error, { code: -32603, message: `${method}: internal error` });
    }
    assert.equal(embedded.logged.filter((line) => line.includes('inner words')).length, 4);
    await embedded.close();
  });
});

describe('closing a session', () => {
  test('cancels what runs and what waits, in the order in which it was asked', async () => {
    const closed: string[] = [];
    const embedded = await opened(
      full({
        prompt: async (_content, _client, signal) => {
          await aborted(signal);
          return 'end_turn';
        },
        closeSession: (id) => void closed.push(id),
      }),
    );
    const [running, waiting] = [embedded.prompt(), embedded.prompt()];
    const close = about(embedded, 'session/close');
    assert.deepEqual(await embedded.result(close), {});
    const answers = embedded
      .frames()
      .filter((frame) => [running, waiting, close].some((id) => frame['id'] === id));
    assert.deepEqual(
      answers.map(({ id, result }) => [id, result]),
      [
        [running, { stopReason: 'cancelled' }],
        [waiting, { stopReason: 'cancelled' }],
        [close, {}],
      ],
    );
    assert.deepEqual(closed, ['s1']);
    assert.equal(await embedded.code(embedded.prompt()), -32002);
    assert.equal(await embedded.code(about(embedded, 'session/close')), -32002);
    await embedded.close();
  });

  test('ends its signal, and makes room for another', async () => {
    const signals: AbortSignal[] = [];
    const embedded = await opened(
      full({
        newSession: (_cwd, signal) => {
          signals.push(signal);
          return sessionOf(`s${signals.length}`);
        },
        options: { maxSessions: 1 },
      }),
    );
    assert.equal(await embedded.code(embedded.newSession()), -32602);
    await embedded.result(about(embedded, 'session/close'));
    assert.equal(signals[0]?.aborted, true);
    assert.deepEqual(await embedded.result(embedded.newSession()), { sessionId: 's2' });
    await embedded.close();
  });
});

describe('a session that is opened again', () => {
  test('may not have a turn that runs: -32600', async () => {
    const end = deferred();
    const embedded = await opened(
      full({
        prompt: async () => {
          await end.promise;
          return 'end_turn';
        },
      }),
    );
    const prompt = embedded.prompt();
    for (const method of ['session/resume', 'session/fork', 'session/delete']) {
      assert.equal(await embedded.code(about(embedded, method)), -32600, method);
    }
    end.resolve();
    assert.deepEqual(await embedded.result(prompt), { stopReason: 'end_turn' });
    await embedded.close();
  });

  test('is the one that was asked for, and must be there', async () => {
    const embedded = await opened(
      full({ resumeSession: (id) => (id === 'gone' ? undefined : sessionOf('x')) }),
    );
    assert.equal(await embedded.code(about(embedded, 'session/resume', 'gone')), -32002);
    assert.equal(await embedded.code(about(embedded, 'session/resume', 'old')), -32603);
    assert.equal(await embedded.code(about(embedded, 'session/fork', 'gone')), -32002);
    // "Deleting a session that never existed SHOULD succeed silently."
    assert.deepEqual(await embedded.result(about(embedded, 'session/delete', 'gone')), {});
    await embedded.close();
  });

  test('as a copy has an id of its own', async () => {
    const embedded = await opened(full({ forkSession: () => sessionOf('s1') }));
    assert.equal(await embedded.code(about(embedded, 'session/fork')), -32603);
    for (const params of [{}, { sessionId: 7, cwd: '/' }, { sessionId: 's1', cwd: 'here' }]) {
      assert.equal(await embedded.code(embedded.send('session/fork', params)), -32602);
    }
    await embedded.close();
  });

  test('with what was not declared is refused, as a new one', async () => {
    const embedded = await opened();
    const server = { name: 'x', command: '/bin/true', args: [], env: [] };
    for (const method of ['session/resume', 'session/fork']) {
      const request = { sessionId: 's1', cwd: '/', mcpServers: [server] };
      assert.equal(await embedded.code(embedded.send(method, request)), -32602, method);
    }
    await embedded.close();
  });
});

describe('modes and options of a session', () => {
  const options = [
    {
      type: 'select' as const,
      id: 'a',
      name: 'A',
      currentValue: 'x',
      options: [{ value: 'x', name: 'X' }],
    },
    { type: 'boolean' as const, id: 'b', name: 'B', currentValue: true },
  ];

  test('that it does not have are -32601', async () => {
    const embedded = await opened();
    const mode = embedded.send('session/set_mode', { sessionId: 's1', modeId: 'x' });
    const option = embedded.send('session/set_config_option', {
      sessionId: 's1',
      configId: 'x',
      value: 'y',
    });
    assert.deepEqual([await embedded.code(mode), await embedded.code(option)], [-32601, -32601]);
    await embedded.close();
  });

  test('leave out switches for a client that knows none, in answers and updates', async () => {
    for (const [capabilities, expected] of [
      [{}, 1],
      [{ session: { configOptions: { boolean: {} } } }, 2],
    ] as const) {
      const session = {
        ...sessionOf('s1', async (_content, client) => {
          await client.settings(options);
          return 'end_turn';
        }),
        settings: { options: () => options, set: () => undefined },
      };
      const embedded = new Embedded({ newSession: () => session }).listen();
      await embedded.initialize(capabilities);
      const answer = JSON.stringify(await embedded.result(embedded.newSession()));
      assert.equal(answer.match(/"id":/g)?.length, expected);
      await embedded.result(embedded.prompt());
      const update = JSON.stringify(embedded.updates());
      assert.equal(update.match(/"id":/g)?.length, expected);
      const value = { sessionId: 's1', configId: 'b', type: 'boolean', value: false };
      const { error } = await embedded.answer(embedded.send('session/set_config_option', value));
      assert.equal(error === undefined, expected === 2);
      await embedded.close();
    }
  });

  test('are changed while a turn runs, without waiting for it', async () => {
    const end = deferred();
    const chosen: unknown[] = [];
    const session = {
      ...sessionOf('s1', async () => {
        await end.promise;
        return 'end_turn';
      }),
      modes: {
        state: { currentModeId: 'm', availableModes: [{ id: 'm', name: 'M' }] },
        set: (id: string) => void chosen.push(id),
      },
      settings: {
        options: () => options,
        set: (id: string, value: unknown) => void chosen.push(id, value),
      },
    };
    const embedded = await new Embedded({ newSession: () => session }).open();
    const prompt = embedded.prompt();
    await embedded.result(embedded.send('session/set_mode', { sessionId: 's1', modeId: 'm' }));
    const option = { sessionId: 's1', configId: 'a', value: 'x' };
    await embedded.result(embedded.send('session/set_config_option', option));
    assert.deepEqual(chosen, ['m', 'a', 'x']);
    end.resolve();
    await embedded.result(prompt);
    await embedded.close();
  });
});
