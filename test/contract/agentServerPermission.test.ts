import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PermissionAnswer } from '../../src/agent/server/api.ts';
import { until } from './agentDriver.ts';
import { deferred, Embedded, settle } from './agentServerEmbedded.ts';

const MIB = 1024 * 1024;
const OPTION = { optionId: 'yes', name: 'Yes', kind: 'allow_once' } as const;
const PERMISSION = 'session/request_permission';

describe('a permission request', () => {
  test('is settled by a selection or a cancellation; anything else that is an answer is none', async () => {
    const outcomes: (PermissionAnswer | string)[] = [];
    const embedded = await new Embedded({
      prompt: async (_content, client, signal) => {
        outcomes.push(
          await client
            .requestPermission({ toolCallId: 'a' }, [OPTION], signal)
            .catch(() => 'error'),
        );
        return 'end_turn';
      },
    }).open();
    const result = (outcome: unknown) => ({ jsonrpc: '2.0', result: { outcome } });
    const cancelled = { outcome: 'cancelled' } as const;
    for (const [answer, expected] of [
      [result({ outcome: 'selected', optionId: 'yes' }), { outcome: 'selected', option: OPTION }],
      [result({ outcome: 'cancelled' }), cancelled],
      [result({ outcome: 'selected', optionId: 'other' }), cancelled],
      [result({ outcome: 'selected' }), cancelled],
      [result({ outcome: 'accepted', optionId: 'yes' }), cancelled],
      [result('yes'), cancelled],
      [{ jsonrpc: '2.0', result: null }, cancelled],
      [{ jsonrpc: '2.0', error: { code: -32000, message: 'no' } }, 'error'],
      [{ result: { outcome: { outcome: 'selected', optionId: 'yes' } } }, 'error'],
      [{ jsonrpc: '1.0', result: { outcome: { outcome: 'selected', optionId: 'yes' } } }, 'error'],
      [{ jsonrpc: '2.0' }, 'error'],
      [{ jsonrpc: '2.0', error: 'no' }, 'error'],
    ] as const) {
      const id = embedded.prompt();
      await embedded.reply(PERMISSION, answer);
      assert.deepEqual(await embedded.result(id), { stopReason: 'end_turn' });
      assert.deepEqual(outcomes.at(-1), expected, JSON.stringify(answer));
    }
    await embedded.close();
  });

  test('is answered though 256 frames wait and more are refused', async () => {
    const outcomes: string[] = [];
    const embedded = await new Embedded({
      prompt: async (_content, client, signal) => {
        const answer = await client.requestPermission({ toolCallId: 'a' }, [OPTION], signal);
        outcomes.push(answer.outcome);
        return 'end_turn';
      },
    }).open();
    const first = embedded.prompt();
    for (let count = 0; count < 256; count += 1) embedded.prompt();
    assert.equal(await embedded.code(embedded.prompt()), -32603);
    await embedded.reply(PERMISSION, {
      jsonrpc: '2.0',
      result: { outcome: { outcome: 'cancelled' } },
    });
    assert.deepEqual(await embedded.result(first), { stopReason: 'end_turn' });
    assert.deepEqual(outcomes, ['cancelled']);
    await embedded.close();
  });

  test('is settled by an answer that is too long, too, as an error', async () => {
    const outcomes: string[] = [];
    const embedded = await new Embedded({
      options: { maxLineBytes: 1000 },
      prompt: async (_content, client, signal) => {
        await client
          .requestPermission({ toolCallId: 'a' }, [OPTION], signal)
          .catch(() => outcomes.push('error'));
        return 'end_turn';
      },
    }).open();
    const id = embedded.prompt();
    await until('the request', () => embedded.sent(PERMISSION).length === 1);
    // Not an answer, though its text has one in it.
    embedded.tell({ method: 'x', params: { text: '"id":0,"result"', pad: ' '.repeat(1000) } });
    await until('the complaint', () => embedded.frames().some((frame) => frame['id'] === null));
    assert.deepEqual(outcomes, []);
    const [request] = embedded.sent(PERMISSION);
    embedded.tell({ id: request?.['id'], result: { _meta: { pad: ' '.repeat(1000) } } });
    assert.deepEqual(await embedded.result(id), { stopReason: 'end_turn' });
    assert.deepEqual(outcomes, ['error']);
    const complaints = embedded.frames().filter((frame) => frame['id'] === null);
    assert.match(JSON.stringify(complaints), /-32600.*-32600/);
    await embedded.close();
  });

  test('is given up when its own signal aborts, and the client hears of it', async () => {
    const stop = new AbortController();
    const embedded = await new Embedded({
      prompt: async (_content, client) => {
        await client.requestPermission({ toolCallId: 'a' }, [OPTION], stop.signal).catch(() => 0);
        return 'refusal';
      },
    }).open();
    const id = embedded.prompt();
    await until('the request', () => embedded.sent(PERMISSION).length === 1);
    stop.abort();
    assert.deepEqual(await embedded.result(id), { stopReason: 'refusal' });
    assert.deepEqual(
      embedded.sent('$/cancel_request').map(({ params }) => params),
      embedded.sent(PERMISSION).map(({ id: requestId }) => ({ requestId })),
    );
    await embedded.close();
  });

  test('is given up while it is still being written, and the next frame does not land inside it', async () => {
    for (const way of ['signal', 'cancel', 'end'] as const) {
      const stop = new AbortController();
      const gone = deferred<string>();
      const embedded = await new Embedded({
        prompt: async (_content, client, signal) => {
          const toolCall = { toolCallId: 'x'.repeat(MIB) };
          await client
            .requestPermission(toolCall, [OPTION], AbortSignal.any([stop.signal, signal]))
            .catch(() => {
              gone.resolve('given up');
            });
          return 'end_turn';
        },
      }).open();
      embedded.output.pause();
      // The pipe holds one frame: that of the request waits behind this one.
      embedded.send('no/such', {});
      embedded.prompt();
      await settle();
      if (way === 'signal') stop.abort();
      if (way === 'cancel') embedded.cancel();
      if (way === 'end') embedded.ending.abort();
      assert.equal(await gone.promise, 'given up', way);
      embedded.output.resume();
      if (way !== 'end') await embedded.initialize();
      await settle();
      // Every line is whole: `frames` parses each of them.
      assert.ok(embedded.frames().length >= 3);
      if (way !== 'end') await embedded.close();
    }
  });
});
