import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { serve } from '../../src/agent/server/serve.ts';
import { until } from './agentDriver.ts';
import { agentOf, Embedded, sessionOf, settle } from './agentServerEmbedded.ts';

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

  test('sends a message in pieces that share an id, and the pieces of another with another', async () => {
    const embedded = await new Embedded({
      async prompt(_content, client) {
        await client.thought('Hm', 't');
        await client.message('Hel', 'a');
        await client.message('lo', 'a');
        await client.message('Bye', 'b');
        return 'end_turn';
      },
    }).open();
    await embedded.answer(embedded.prompt());
    const text = (words: string) => ({ type: 'text', text: words });
    const message = 'agent_message_chunk';
    assert.deepEqual(embedded.updates(), [
      { sessionUpdate: 'agent_thought_chunk', messageId: 't', content: text('Hm') },
      { sessionUpdate: message, messageId: 'a', content: text('Hel') },
      { sessionUpdate: message, messageId: 'a', content: text('lo') },
      { sessionUpdate: message, messageId: 'b', content: text('Bye') },
    ]);
    await embedded.close();
  });

  test('tells the session that it is open when the client knows it, and not before', async () => {
    const opened: string[] = [];
    const embedded = new Embedded({
      newSession: () => ({
        ...sessionOf('s1'),
        async opened(client) {
          await client.commands([{ name: 'x', description: 'X' }]);
          opened.push('s1');
          throw new Error('the cat sat on the commands');
        },
      }),
    }).listen();
    await embedded.initialize();
    const id = embedded.newSession();
    await until('the commands', () => opened.length === 1);
    const order = embedded.frames().map((frame) => frame['id'] ?? frame['method']);
    assert.deepEqual(order.slice(1), [id, 'session/update']);
    await until('the log', () => /the cat sat/.test(embedded.logged.join()));
    assert.deepEqual(await embedded.result(embedded.prompt()), { stopReason: 'end_turn' });
    await embedded.close();
  });

  test('ends at once when its signal has aborted before, or its streams have ended', async () => {
    for (const way of ['signal', 'input', 'output'] as const) {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const { signal } = way === 'signal' ? { signal: AbortSignal.abort() } : new AbortController();
      if (way === 'input') {
        input.end().resume();
        await once(input, 'end');
      }
      if (way === 'output') {
        output.destroy();
        await once(output, 'close');
      }
      await serve(agentOf({}), { input, output, signal });
    }
  });

  test('leaves the streams alone and listens to nothing any more when it has ended', async () => {
    const embedded = await new Embedded().open();
    const { input, output } = embedded;
    embedded.ending.abort();
    await embedded.ended;
    assert.deepEqual(
      [input.destroyed, output.destroyed, output.writableEnded],
      [false, false, false],
    );
    assert.ok(input.isPaused());
    assert.deepEqual(
      [input.listenerCount('data'), input.listenerCount('end'), output.listenerCount('close')],
      [0, new PassThrough().listenerCount('end'), 0],
    );
    // A pipe that breaks later brings nothing down.
    output.destroy(new Error('EPIPE'));
    input.destroy(new Error('ECONNRESET'));
    await settle();
  });

  test('refuses options that make no sense', async () => {
    for (const options of [{ maxSessions: 1.5 }, { maxSessions: NaN }, { maxLineBytes: 0 }]) {
      await assert.rejects(new Embedded({ options }).ended, RangeError);
    }
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
