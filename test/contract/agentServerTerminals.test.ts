import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { describe, test } from 'node:test';
import type { ClientConnection } from '@agentclientprotocol/sdk';
import { client, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import type { Session, SessionClient } from '../../src/agent/server/api.ts';
import { serve } from '../../src/agent/server/serve.ts';
import type { ClientCapabilities, PromptResponse } from '../../src/protocol/acp.ts';
import { bytesOf, until } from './agentDriver.ts';

const { terminal } = methods.client;
const CREATE = { command: 'ls', args: ['-la'], env: [{ name: 'A', value: '1' }] };

type App = ReturnType<typeof client>;

/** One session of an embedded agent, with the SDK's own client at the other end. */
class Embedded {
  readonly logged: string[] = [];
  private readonly ending = new AbortController();
  private readonly served: Promise<void>;
  private readonly connection: ClientConnection;

  constructor(app: App, prompt: Session['prompt']) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    this.served = serve(
      {
        info: { name: 'embedded', title: 'Embedded', version: '1.0.0' },
        newSession: () => ({ id: 's', prompt }),
      },
      {
        input,
        output,
        signal: this.ending.signal,
        options: { log: (line) => this.logged.push(line) },
      },
    );
    this.connection = app.connect(ndJsonStream(Writable.toWeb(input), bytesOf(output)));
  }

  async open(clientCapabilities: ClientCapabilities = { terminal: true }): Promise<this> {
    const { agent } = this.connection;
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities });
    await agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] });
    return this;
  }

  /** The stop reason of one prompt. */
  async prompt(): Promise<string> {
    const answer: PromptResponse = await this.connection.agent.request(
      methods.agent.session.prompt,
      { sessionId: 's', prompt: [{ type: 'text', text: 'x' }] },
    );
    return answer.stopReason;
  }

  cancel(): Promise<void> {
    return this.connection.agent.notify(methods.agent.session.cancel, { sessionId: 's' });
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.served;
  }
}

/** A client that names each terminal `t1`, and notes what is asked of it. */
function noting(heard: unknown[]): App {
  const note = (name: string) => (context: { readonly params: unknown }) => {
    heard.push([name, context.params]);
    return {};
  };
  return client({ name: 'test' })
    .onRequest(terminal.create, ({ params }) => (heard.push(params), { terminalId: 't1' }))
    .onRequest(terminal.kill, note('kill'))
    .onRequest(terminal.release, note('release'));
}

const ID = { sessionId: 's', terminalId: 't1' };

describe('terminals of the agent library', () => {
  test('run from create to release, with what the client says', async () => {
    const heard: unknown[] = [];
    const seen: unknown[] = [];
    const app = noting(heard)
      .onRequest(terminal.output, () => ({ output: 'out', truncated: true }))
      .onRequest(terminal.waitForExit, () => ({ exitCode: 3 }));
    const embedded = await new Embedded(app, async (_content, host, signal) => {
      assert.equal(host.capabilities.terminal, true);
      const one = await host.createTerminal({ ...CREATE, outputByteLimit: 9 }, signal);
      seen.push(one.id, await one.output(signal));
      await one.kill();
      seen.push(await one.waitForExit(signal));
      await one.release();
      return 'end_turn';
    }).open();
    assert.equal(await embedded.prompt(), 'end_turn');
    assert.deepEqual(seen, [
      't1',
      { output: 'out', truncated: true, exitStatus: null },
      { exitCode: 3, signal: null },
    ]);
    assert.deepEqual(heard, [
      { sessionId: 's', ...CREATE, outputByteLimit: 9 },
      ['kill', ID],
      ['release', ID],
    ]);
    await embedded.close();
  });

  test('are known not to be there before anything is asked', async () => {
    const seen: unknown[] = [];
    const embedded = await new Embedded(client({ name: 'test' }), (_content, host) => {
      seen.push(host.capabilities.terminal);
      return Promise.resolve('end_turn');
    }).open({});
    await embedded.prompt();
    assert.notEqual(seen[0], true);
    await embedded.close();
  });

  test('reject with what the client answered', async () => {
    const said: string[] = [];
    const app = client({ name: 'test' }).onRequest(terminal.create, () => {
      throw new RequestError(-32603, 'The program "ls" was not found.');
    });
    const embedded = await new Embedded(app, async (_content, host, signal) => {
      await host.createTerminal(CREATE, signal).catch((error: unknown) => {
        said.push(error instanceof RequestError ? error.message : 'another error');
      });
      return 'end_turn';
    }).open();
    await embedded.prompt();
    assert.deepEqual(said, ['The program "ls" was not found.']);
    await embedded.close();
  });

  test('are taken back when the turn is cancelled while the client still asks its person', async () => {
    const seen = { asked: false, takenBack: false };
    const app = client({ name: 'test' }).onRequest(
      terminal.create,
      ({ signal }) =>
        new Promise((_, reject) => {
          seen.asked = true;
          signal.addEventListener('abort', () => {
            seen.takenBack = true;
            reject(RequestError.requestCancelled());
          });
        }),
    );
    const embedded = await new Embedded(app, creating).open();
    const turn = embedded.prompt();
    await until('the question', () => seen.asked);
    await embedded.cancel();
    assert.equal(await turn, 'cancelled');
    await until('the end of the question', () => seen.takenBack);
    await embedded.close();
  });

  test('are released when the client makes them after they were given up', async () => {
    const heard: unknown[] = [];
    let make = (): void => undefined;
    let isAsked = false;
    const app = client({ name: 'test' })
      .onRequest(
        terminal.create,
        () =>
          new Promise<{ terminalId: string }>((resolve) => {
            isAsked = true;
            make = () => {
              resolve({ terminalId: 't1' });
            };
          }),
      )
      .onRequest(terminal.release, ({ params }) => (heard.push(params), {}));
    const embedded = await new Embedded(app, creating).open();
    const turn = embedded.prompt();
    await until('the request', () => isAsked);
    await embedded.cancel();
    assert.equal(await turn, 'cancelled');
    make();
    await until('the release', () => heard.length === 1);
    assert.deepEqual(heard, [ID]);
    await embedded.close();
  });

  test('are not asked for after the turn was cancelled', async () => {
    const heard: unknown[] = [];
    let isRunning = false;
    const embedded = await new Embedded(noting(heard), async (_content, host, signal) => {
      isRunning = true;
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      await creating(_content, host, signal);
      return 'end_turn';
    }).open();
    const turn = embedded.prompt();
    await until('the turn', () => isRunning);
    await embedded.cancel();
    assert.equal(await turn, 'cancelled');
    assert.deepEqual(heard, []);
    await embedded.close();
  });

  test('do not hold up a cancelled turn where the client never answers the release', async () => {
    const heard: string[] = [];
    const app = client({ name: 'test' })
      .onRequest(terminal.create, () => ({ terminalId: 't1' }))
      .onRequest(terminal.waitForExit, () => (heard.push('wait'), never()))
      .onRequest(terminal.release, () => (heard.push('release'), never()));
    const embedded = await new Embedded(app, async (_content, host, signal) => {
      const one = await host.createTerminal(CREATE, signal);
      try {
        await one.waitForExit(signal);
      } finally {
        await one.release();
      }
      return 'end_turn';
    }).open();
    const turn = embedded.prompt();
    await until('the wait', () => heard.includes('wait'));
    await embedded.cancel();
    assert.equal(await turn, 'cancelled');
    await until('the release', () => heard.includes('release'));
    await embedded.close();
  });
});

async function creating(
  _content: unknown,
  host: SessionClient,
  signal: AbortSignal,
): Promise<'end_turn'> {
  await host.createTerminal(CREATE, signal);
  return 'end_turn';
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
