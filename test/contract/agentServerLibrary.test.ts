import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import type { PromptResponse } from '../../src/protocol/acp.ts';
import { bytesOf, makeFolder, until } from './agentDriver.ts';

const SMALL = path.resolve('test/fakes/agents/embedded.mjs');
const folder = makeFolder();

after(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A program that embeds the built library, with the SDK's own client at the other end of real pipes. */
class Program {
  readonly child;
  readonly connection;
  private readonly closed;
  stderr = '';
  said = '';

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.closed = once(this.child, 'close', { signal: AbortSignal.timeout(30_000) });
    this.child.stderr.on('data', (data: Buffer) => (this.stderr += data.toString('utf8')));
    const app = client({ name: 'test' }).onNotification('session/update', ({ params }) => {
      const { update } = params;
      if (update.sessionUpdate !== 'agent_message_chunk') return;
      if (update.content.type === 'text') this.said += update.content.text;
    });
    const stdin = Writable.toWeb(this.child.stdin);
    this.connection = app.connect(ndJsonStream(stdin, bytesOf(this.child.stdout)));
  }

  static async open(args: readonly string[] = [SMALL]): Promise<Program> {
    const program = new Program(args);
    await program.connection.agent.request(methods.agent.initialize, { protocolVersion: 1 });
    return program;
  }

  newSession(cwd = '/') {
    return this.connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  }

  async prompt(text: string, sessionId = 's1'): Promise<string> {
    const answer: PromptResponse = await this.connection.agent.request(
      methods.agent.session.prompt,
      { sessionId, prompt: [{ type: 'text', text }] },
    );
    return answer.stopReason;
  }

  async stop(): Promise<void> {
    this.child.stdin.end();
    await this.end();
  }

  /** It has ended by itself, and all that it had to say is here. */
  async end(): Promise<void> {
    assert.deepEqual(await this.closed, [0, null]);
  }
}

describe('a program that embeds the built library', () => {
  test('answers, and ends by itself when its input ends', async () => {
    const program = await Program.open();
    await program.newSession();
    assert.equal(await program.prompt('hello'), 'end_turn');
    assert.equal(program.said, 'You said hello');
    await program.stop();
    assert.equal(program.stderr, 'served\n');
  });

  test('says nothing on stderr of many turns at once and many messages at once', async () => {
    const program = await Program.open();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => program.newSession()));
    const waiting = sessions.map(({ sessionId }) => program.prompt('wait', sessionId));
    await program.newSession();
    assert.equal(await program.prompt('burst', 's21'), 'end_turn');
    for (const { sessionId } of sessions) {
      await program.connection.agent.notify(methods.agent.session.cancel, { sessionId });
    }
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['cancelled']));
    await program.stop();
    assert.equal(program.stderr, 'served\n');
  });

  test('answers whatever its hooks throw with an internal error, and lives on', async () => {
    const program = await Program.open();
    await program.newSession();
    const wrong = ['throw', 'throw text', 'throw nothing', 'throw a trap', 'wrong reason'];
    for (const text of [...wrong, 'no reason', 'not json']) {
      await assert.rejects(
        program.prompt(text),
        ({ code, message, data }: { code: number; message: string; data: unknown }) => {
          assert.deepEqual(
            [code, message, data],
            [-32603, 'session/prompt: internal error', undefined],
            text,
          );
          return true;
        },
      );
    }
    for (const name of ['throw', 'undefined', 'null', 'string', 'anonymous', 'mute']) {
      const error = { code: -32603, message: 'session/new: internal error' };
      await assert.rejects(program.newSession(`/${name}`), error, name);
    }
    const load = { sessionId: 'throw', cwd: '/', mcpServers: [] };
    await assert.rejects(program.connection.agent.request(methods.agent.session.load, load), {
      code: -32603,
      message: 'session/load: internal error',
    });
    assert.equal(await program.prompt('hello'), 'end_turn');
    assert.deepEqual(await program.newSession(), { sessionId: 's2' });
    await program.stop();
    for (const what of ['turn', 'session', 'history']) {
      assert.match(program.stderr, new RegExp(`the cat ate the ${what}`));
    }
    assert.doesNotMatch(program.stderr, /s3cr3t/);
  });

  test('tells the client what it refuses on purpose', async () => {
    const program = await Program.open();
    await program.newSession();
    await assert.rejects(program.prompt('refuse'), {
      code: -32000,
      message: 'Your subscription has ended.',
    });
    await program.stop();
    assert.equal(program.stderr, 'served\n');
  });

  test('keeps what its signing in throws to the log', async () => {
    const program = await Program.open([SMALL, '--sign-in']);
    const signIn = program.connection.agent.request(methods.agent.authenticate, {
      methodId: 'cat',
    });
    await assert.rejects(signIn, { code: -32603, message: 'authenticate: internal error' });
    await assert.rejects(program.newSession(), { code: -32000 });
    await program.stop();
    assert.match(program.stderr, /authenticate: .*the cat is not at home/);
    assert.doesNotMatch(program.stderr, /s3cr3t/);
  });

  test('ends by itself in the middle of a turn when its input ends, its output breaks or it is told to', async () => {
    for (const [text, end] of [
      ['wait', ({ child }: Program) => child.stdin.end()],
      ['flood', ({ child }: Program) => child.stdin.end()],
      ['flood', ({ child }: Program) => child.stdout.destroy()],
      ['wait', ({ child }: Program) => child.kill('SIGTERM')],
    ] as const) {
      const program = await Program.open();
      await program.newSession();
      let isAnswered = false;
      const settled = () => {
        isAnswered = true;
      };
      program.prompt(text).then(settled, settled);
      if (text === 'flood') await until('words', () => program.said !== '');
      else assert.deepEqual(await program.newSession(), { sessionId: 's2' });
      assert.ok(!isAnswered);
      end(program);
      await program.end();
      assert.equal(program.stderr, 'served\n');
    }
  });
});

test('a program gives up what it asks a client that does not read, and cuts no line', async () => {
  const child = spawn(process.execPath, [SMALL], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString('utf8')));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
  const send = (frame: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  };
  send({ id: 1, method: 'initialize', params: { protocolVersion: 1 } });
  send({ id: 2, method: 'session/new', params: { cwd: '/', mcpServers: [] } });
  await until('the session', () => stdout.includes('"id":2'));
  child.stdout.pause();
  const prompt = [{ type: 'text', text: 'ask much' }];
  send({ id: 3, method: 'session/prompt', params: { sessionId: 's1', prompt } });
  await until('the question', () => stderr.includes('asking'));
  send({ id: 4, method: 'no/such' });
  send({ method: 'session/cancel', params: { sessionId: 's1' } });
  await until('the end of the wait', () => stderr.includes('given up'));
  assert.ok(!stdout.includes('"id":4'), 'it was read all the same');
  child.stdout.resume();
  await until('both answers', () => /"id":3,"result"/.test(stdout) && stdout.includes('"id":4'));
  child.stdin.end();
  await once(child, 'close');
  const frames = stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const value: unknown = JSON.parse(line);
      assert.ok(typeof value === 'object' && value !== null);
      return 'method' in value ? value.method : 'id' in value && value.id;
    });
  assert.deepEqual(
    new Set(frames),
    new Set([1, 2, 'session/request_permission', '$/cancel_request', 3, 4]),
  );
  assert.match(stdout, /"id":3,"result":\{"stopReason":"cancelled"\}/);
});

const EMBEDDER = `
import { PassThrough } from 'node:stream';
import { Refusal, RequestError, serve } from './lib/agent-server.js';
import type {
  Agent, ContentBlock, ServeOptions, Session, SessionClient, SessionLoader, StopReason,
} from './lib/agent-server.js';

class Echo implements Session {
  constructor(readonly id: string) {}
  async opened(client: SessionClient): Promise<void> {
    await client.commands([{ name: 'echo', description: 'Echo' }]);
  }
  async prompt(
    content: readonly ContentBlock[],
    client: SessionClient,
    signal: AbortSignal,
  ): Promise<StopReason> {
    for (const block of content) {
      if (block.type !== 'text') throw new Refusal(-32602, 'Only text');
      await client.message('echo ' + block.text, 'm1');
    }
    const yes = { optionId: 'yes', name: 'Yes', kind: 'allow_once' } as const;
    try {
      const answer = await client.requestPermission({ toolCallId: 't' }, [yes], signal);
      await client.message(answer.outcome === 'selected' ? answer.option.name : 'no', 'm2');
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      await client.message('error ' + error.code, 'm2');
    }
    await client.plan(null);
    return 'end_turn';
  }
}

const agent: Agent & SessionLoader = {
  info: { name: 'echo', title: 'Echo', version: '1.0.0', prompt: { image: true } },
  newSession: () => new Echo('e1'),
  loadSession: async (id, _cwd, client) => {
    await client.userMessage('before', 'm0');
    return id === 'e0' ? new Echo(id) : undefined;
  },
};
const options: ServeOptions = { maxSessions: 3, overflow: 'evict-oldest' };
// What is wrong has to be found: that there is no error here would be one.
// @ts-expect-error There is no such reason to stop.
const wrongTurn: Session['prompt'] = () => Promise.resolve('done');
// @ts-expect-error A session has an id.
const wrongAgent: Agent = { info: agent.info, newSession: () => ({ prompt: wrongTurn }) };
// @ts-expect-error There is no such overflow.
const wrongOptions: ServeOptions = { overflow: 'explode' };
const { signal } = new AbortController();
await serve(agent, { input: process.stdin, output: process.stdout, signal, options });
const input = new PassThrough().end();
await serve({ info: agent.info, newSession: agent.newSession }, { input, output: new PassThrough(), signal });
`;

describe('the declarations of the library', () => {
  for (const file of ['agent-server.js', 'agent-server.d.ts']) {
    fs.mkdirSync(path.join(folder, 'lib'), { recursive: true });
    fs.copyFileSync(path.resolve('dist', file), path.join(folder, 'lib', file));
  }

  /** Compiles one embedder by itself, away from the project and with nothing but Node's own declarations. */
  function compile(name: string, text: string): { readonly status: number | null; said: string } {
    fs.writeFileSync(path.join(folder, `${name}.mts`), text);
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        path.resolve('node_modules/typescript/bin/tsc'),
        ...['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
        ...['--skipLibCheck', 'false', '--target', 'es2022', '--module', 'nodenext'],
        ...['--typeRoots', path.resolve('node_modules/@types'), '--types', 'node'],
        ...['--outDir', folder, path.join(folder, `${name}.mts`)],
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    return { status, said: stdout };
  }

  test('need nothing beside them, find what is wrong, and what compiles with them works', async () => {
    assert.deepEqual(compile('embedder', EMBEDDER), { status: 0, said: '' });
    const program = await Program.open([path.join(folder, 'embedder.mjs')]);
    assert.deepEqual(await program.newSession(), { sessionId: 'e1' });
    assert.equal(await program.prompt('cheese', 'e1'), 'end_turn');
    // This client serves no permission requests.
    assert.equal(program.said, 'echo cheeseerror -32601');
    const load = { sessionId: 'e0', cwd: '/', mcpServers: [] };
    assert.deepEqual(await program.connection.agent.request(methods.agent.session.load, load), {});
    await program.stop();
    assert.equal(program.stderr, '');
  });
});
