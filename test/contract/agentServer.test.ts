import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { Agent, Session, SessionClient } from '../../src/agent/server/api.ts';
import { serve } from '../../src/agent/server/serve.ts';
import { until } from './agentDriver.ts';

type Prompt = Session['prompt'];

/** An embedded agent behind two in-memory pipes, spoken to in raw frames. */
class Embedded {
  readonly input = new PassThrough();
  readonly output = new PassThrough({ highWaterMark: 1 });
  readonly logged: string[] = [];
  readonly ending = new AbortController();
  readonly ended: Promise<void>;
  private text = '';
  private ids = 0;

  constructor(agent: Partial<Agent> & { prompt?: Prompt; id?: string }) {
    const session = {
      id: agent.id ?? 'only',
      prompt: agent.prompt ?? (() => Promise.resolve('end_turn' as const)),
    };
    const whole: Agent = {
      info: { name: 'embedded', title: 'Embedded', version: '1.0.0' },
      newSession: () => session,
      ...agent,
    };
    this.ended = serve(whole, {
      input: this.input,
      output: this.output,
      signal: this.ending.signal,
      log: (line) => this.logged.push(line),
    });
  }

  listen(): this {
    this.output.on('data', (data: Buffer) => {
      this.text += data.toString('utf8');
    });
    return this;
  }

  frames(): readonly Record<string, unknown>[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const value: unknown = JSON.parse(line);
        assert.ok(typeof value === 'object' && value !== null);
        return Object.fromEntries(Object.entries(value));
      });
  }

  send(method: string, params: object): number {
    this.ids += 1;
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.ids, method, params })}\n`);
    return this.ids;
  }

  tell(frame: object): void {
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  }

  async answer(id: number): Promise<Record<string, unknown>> {
    return until(`the answer to ${id}`, () =>
      this.frames().find((frame) => frame['id'] === id && !('method' in frame)),
    );
  }

  /** Shakes hands and opens the session. */
  async open(): Promise<this> {
    this.listen();
    await this.answer(this.send('initialize', { protocolVersion: 1, clientCapabilities: {} }));
    await this.answer(this.send('session/new', { cwd: '/', mcpServers: [] }));
    return this;
  }

  prompt(): number {
    return this.send('session/prompt', {
      sessionId: 'only',
      prompt: [{ type: 'text', text: 'x' }],
    });
  }

  async close(): Promise<void> {
    this.input.end();
    await this.ended;
  }
}

function updatesOf(embedded: Embedded): readonly unknown[] {
  return embedded
    .frames()
    .flatMap(({ params }) =>
      typeof params === 'object' && params !== null && 'update' in params ? [params.update] : [],
    );
}

describe('the agent library', () => {
  test('keeps the session that holds an id when another one comes with the same', async () => {
    const embedded = await new Embedded({}).open();
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
    assert.deepEqual(updatesOf(embedded), [
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
    embedded.tell({ method: 'session/cancel', params: { sessionId: 'only' } });
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
    embedded.tell({ method: 'session/cancel', params: { sessionId: 'only' } });
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
