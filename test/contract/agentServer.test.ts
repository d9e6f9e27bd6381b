import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionClient } from '../../src/agent/server/api.ts';
import { until } from './agentDriver.ts';
import { Embedded, sessionOf } from './agentServerEmbedded.ts';

describe('the agent library', () => {
  test('keeps the session that holds an id when another one comes with the same', async () => {
    const embedded = await new Embedded({ newSession: () => sessionOf('s1') }).open();
    const again = await embedded.answer(embedded.send('session/new', { cwd: '/', mcpServers: [] }));
    assert.match(JSON.stringify(again['error']), /-32603/);
    assert.deepEqual((await embedded.answer(embedded.prompt()))['result'], {
      stopReason: 'end_turn',
    });
    await embedded.close();
  });

  test('sends what is set, empty or not, and leaves out what is not', async () => {
    const embedded = await new Embedded({
      async prompt(_content, client) {
        await client.plan(null);
        await client.toolCallUpdate({ toolCallId: 'a', status: 'completed' });
        await client.toolCallUpdate({ toolCallId: 'a', content: [], title: '' });
        return 'end_turn';
      },
    }).open();
    await embedded.answer(embedded.prompt());
    assert.deepEqual(embedded.updates(), [
      { sessionUpdate: 'plan', entries: [] },
      { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'a', content: [], title: '' },
    ]);
    await embedded.close();
  });

  test('answers a throw with an internal error, tells details only to the log, and lives on', async () => {
    const embedded = await new Embedded({
      prompt: () => Promise.reject(new Error('the cat ate token=s3cr3t-s3cr3t')),
    }).open();
    for (const round of [1, 2]) {
      const { error } = await embedded.answer(embedded.prompt());
      assert.deepEqual(
        error,
        { code: -32603, message: 'session/prompt: internal error' },
        `${round}`,
      );
    }
    assert.match(embedded.logged.join('\n'), /the cat ate/);
    assert.doesNotMatch(embedded.logged.join('\n'), /s3cr3t/);
    await embedded.close();
  });

  test('answers cancelled when what the turn was doing failed because of the cancellation', async () => {
    const embedded = await new Embedded({
      prompt: (_content, _client, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('aborted in the middle'));
          });
        }),
    }).open();
    const id = embedded.prompt();
    embedded.tell({ method: 'session/cancel', params: { sessionId: 's1' } });
    assert.deepEqual((await embedded.answer(id))['result'], { stopReason: 'cancelled' });
    assert.deepEqual(embedded.logged, []);
    await embedded.close();
  });

  test('settles a permission request: a foreign option as cancelled, a malformed answer as an error', async () => {
    const outcomes: string[] = [];
    const ask = (client: SessionClient, signal: AbortSignal): Promise<string> =>
      client
        .requestPermission(
          { toolCallId: 'a' },
          [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
          signal,
        )
        .then(
          (answer) => answer.outcome,
          () => 'error',
        );
    const embedded = await new Embedded({
      async prompt(_content, client, signal) {
        outcomes.push(await ask(client, signal));
        return 'end_turn';
      },
    }).open();
    const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
    for (const answer of [
      { jsonrpc: '2.0', result: selected('yes') },
      { jsonrpc: '2.0', result: selected('no') },
      { jsonrpc: '2.0', result: { outcome: { outcome: 'cancelled' } } },
      { jsonrpc: '2.0', result: 7 },
      { result: selected('yes') },
    ]) {
      const asked = embedded.frames().length;
      const id = embedded.prompt();
      const request = await until('the request', () =>
        embedded
          .frames()
          .slice(asked)
          .find(({ method }) => method === 'session/request_permission'),
      );
      embedded.input.write(`${JSON.stringify({ ...answer, id: request['id'] })}\n`);
      await embedded.answer(id);
    }
    assert.deepEqual(outcomes, ['selected', 'cancelled', 'cancelled', 'cancelled', 'error']);
    await embedded.close();
  });

  test('starts the next prompt only when the answer before it has been read', async () => {
    let started = 0;
    const embedded = await new Embedded({
      prompt: () => {
        started += 1;
        return Promise.resolve('end_turn');
      },
    }).open();
    embedded.output.pause();
    embedded.prompt();
    embedded.prompt();
    embedded.prompt();
    await until('the first', () => started >= 1);
    for (let round = 0; round < 20; round += 1)
      await new Promise((resolve) => setImmediate(resolve));
    assert.ok(started <= 2, `${started} prompts ran for a client that does not read`);
    embedded.output.resume();
    await until('all three', () => started === 3);
    await embedded.close();
  });

  test('gives a waiting permission request up when the turn is cancelled, though nobody reads', async () => {
    const done: string[] = [];
    const embedded = await new Embedded({
      async prompt(_content, client, signal) {
        await client
          .requestPermission({ toolCallId: 'x'.repeat(100_000) }, [], signal)
          .catch(() => done.push('given up'));
        return 'end_turn';
      },
    }).open();
    embedded.output.pause();
    embedded.prompt();
    for (let round = 0; round < 20; round += 1)
      await new Promise((resolve) => setImmediate(resolve));
    embedded.tell({ method: 'session/cancel', params: { sessionId: 's1' } });
    await until('the end of the wait', () => done.length === 1);
    embedded.ending.abort();
    await embedded.ended;
  });

  test('ends when its signal aborts, its input ends or its output breaks, and aborts the turn', async () => {
    const ways: readonly ((embedded: Embedded) => void)[] = [
      ({ ending }) => {
        ending.abort();
      },
      ({ input }) => {
        input.end();
      },
      ({ output }) => {
        output.destroy(new Error('EPIPE'));
      },
    ];
    for (const way of ways) {
      let [started, aborted] = [false, false];
      const embedded = await new Embedded({
        prompt: (_content, _client, signal) =>
          new Promise((resolve) => {
            started = true;
            signal.addEventListener('abort', () => {
              aborted = true;
              resolve('end_turn');
            });
          }),
      }).open();
      embedded.prompt();
      await until('the turn', () => started);
      way(embedded);
      await embedded.ended;
      await until('the abort', () => aborted);
    }
  });
});
