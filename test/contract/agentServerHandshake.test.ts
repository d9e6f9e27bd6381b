import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionSetup } from '../../src/agent/server/api.ts';
import type { Authentication } from '../../src/agent/server/options.ts';
import type { AuthMethod, ContentBlock, McpServer } from '../../src/protocol/acp.ts';
import { until } from './agentDriver.ts';
import { aborted, Connected, deferred, Embedded, sessionOf } from './agentServerEmbedded.ts';

const METHODS: readonly AuthMethod[] = [
  { id: 'browser', name: 'In the browser' },
  { id: 'key', name: 'With a key', description: 'Paste it' },
];
const INFO = { name: 'embedded', title: 'Embedded', version: '1.0.0' };
const STDIO = { name: 'x', command: '/bin/true', args: [], env: [] };
const HTTP = { type: 'http' as const, name: 'h', url: 'http://localhost', headers: [] };
const SSE = { type: 'sse' as const, name: 's', url: 'http://localhost', headers: [] };

function auth(authenticate: Authentication['authenticate']): Authentication {
  return { methods: METHODS, authenticate };
}

describe('initialize', () => {
  test('tells what the agent can do and what it cannot', async () => {
    const plain = new Connected();
    assert.deepEqual(await plain.initialize(), {
      protocolVersion: 1,
      agentInfo: INFO,
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: false, audio: false, embeddedContext: false },
        mcpCapabilities: { http: false, sse: false },
      },
      authMethods: [],
    });
    await plain.close();
    const able = new Connected({
      info: {
        ...INFO,
        prompt: { image: true, audio: true },
        mcp: { stdio: true, sse: true },
        additionalDirectories: true,
      },
      loadSession: () => undefined,
      options: { auth: auth(() => undefined) },
    });
    assert.deepEqual(await able.initialize(), {
      protocolVersion: 1,
      agentInfo: INFO,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: true, embeddedContext: false },
        mcpCapabilities: { http: false, sse: true },
        sessionCapabilities: { additionalDirectories: {} },
      },
      authMethods: METHODS,
    });
    await able.close();
  });

  test('answers version 1 to every version that a client may speak, and refuses what is none', async () => {
    const embedded = new Embedded().listen();
    for (const protocolVersion of [0, 1, 2, 65_535]) {
      const answer = await embedded.result(embedded.send('initialize', { protocolVersion }));
      assert.match(JSON.stringify(answer), /"protocolVersion":1,/);
    }
    for (const protocolVersion of [-1, 1.5, 'one', null]) {
      assert.equal(await embedded.code(embedded.send('initialize', { protocolVersion })), -32602);
    }
    await embedded.close();
  });

  test('opens nothing when it fails', async () => {
    const embedded = new Embedded().listen();
    assert.equal(await embedded.code(embedded.send('initialize', {})), -32602);
    assert.equal(await embedded.code(embedded.newSession()), -32600);
    await embedded.initialize();
    assert.deepEqual(await embedded.result(embedded.newSession()), { sessionId: 's1' });
    await embedded.close();
  });

  test('advertises signing in at a terminal only to clients that have one for it', async () => {
    const terminal = { type: 'terminal' as const, id: 'tui', name: 'At a terminal' };
    const options = { auth: { methods: [terminal], authenticate: () => undefined } };
    for (const [capabilities, expected] of [
      [{}, []],
      [{ auth: { terminal: true } }, [terminal]],
    ] as const) {
      const one = new Connected({ options });
      assert.deepEqual((await one.initialize(capabilities)).authMethods, expected);
      await one.close();
    }
  });
});

describe('signing in', () => {
  const signIn = (one: Connected, methodId: string) =>
    one.connection.agent.request('authenticate', { methodId });

  test('is -32602 for every id where nothing is advertised', async () => {
    const one = new Connected();
    await one.initialize();
    await assert.rejects(signIn(one, 'browser'), { code: -32602 });
    await one.newSession();
    await one.close();
  });

  test('comes after initialize', async () => {
    const embedded = new Embedded({ options: { auth: auth(() => undefined) } }).listen();
    const id = embedded.send('authenticate', { methodId: 'key' });
    assert.equal(await embedded.code(id), -32600);
    await embedded.initialize();
    assert.equal(await embedded.code(embedded.newSession()), -32000);
    await embedded.close();
  });

  test('has to succeed once before there are sessions; a failed attempt opens nothing', async () => {
    const asked: string[] = [];
    const outcomes = [new Error('wrong key: token=abcdefghij'), undefined, new Error('later')];
    const one = new Connected({
      loadSession: (id) => sessionOf(id),
      options: {
        auth: auth((methodId) => {
          asked.push(methodId);
          const outcome = outcomes.shift();
          if (outcome) throw outcome;
        }),
      },
    });
    await one.initialize();
    const closed = async (): Promise<void> => {
      await assert.rejects(one.newSession(), { code: -32000 });
      await assert.rejects(one.load('old'), { code: -32000 });
      await assert.rejects(one.prompt('any'), { code: -32000 });
    };
    await closed();
    await assert.rejects(signIn(one, 'nobody'), { code: -32602 });
    await assert.rejects(signIn(one, 'key'), {
      code: -32603,
      message: 'authenticate: internal error',
    });
    await closed();
    assert.deepEqual(await signIn(one, 'browser'), {});
    await one.newSession();
    await one.load('old');
    assert.equal(await one.prompt('old'), 'end_turn');
    await assert.rejects(signIn(one, 'key'), { code: -32603 });
    await one.newSession();
    assert.deepEqual(asked, ['key', 'browser', 'key']);
    assert.match(one.logged.join('\n'), /wrong key/);
    assert.doesNotMatch(one.logged.join('\n'), /abcdefghij/);
    await one.close();
  });

  test('holds on this connection and no other', async () => {
    const options = { auth: auth(() => undefined) };
    const [one, other] = [new Connected({ options }), new Connected({ options })];
    await Promise.all([one.initialize(), other.initialize()]);
    await signIn(one, 'key');
    await one.newSession();
    await assert.rejects(other.newSession(), { code: -32000 });
    await Promise.all([one.close(), other.close()]);
  });

  test('keeps sessions closed while it waits, and is given up when it is taken back', async () => {
    const hook = deferred();
    let begun: AbortSignal | undefined;
    const embedded = new Embedded({
      options: {
        auth: auth((_id, signal) => {
          begun = signal;
          return hook.promise;
        }),
      },
    }).listen();
    await embedded.initialize();
    const attempt = embedded.send('authenticate', { methodId: 'browser' });
    await until('the attempt', () => begun);
    assert.equal(await embedded.code(embedded.newSession()), -32000);
    embedded.takeBack(attempt);
    assert.equal(await embedded.code(attempt), -32800);
    assert.equal(begun?.aborted, true);
    // What comes of it after that is no success of this connection.
    hook.resolve();
    assert.equal(await embedded.code(embedded.newSession()), -32000);
    await embedded.close();
  });

  test('is given up at the end of the input', async () => {
    const ended = deferred();
    const embedded = new Embedded({
      options: { auth: auth((_id, signal) => aborted(signal).then(ended.resolve)) },
    }).listen();
    await embedded.initialize();
    embedded.send('authenticate', { methodId: 'browser' });
    await embedded.close();
    await ended.promise;
  });
});

describe('what an agent has not declared', () => {
  const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
  const audio: ContentBlock = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' };
  const resource: ContentBlock = { type: 'resource', resource: { uri: 'file:///a', text: 'a' } };
  const link: ContentBlock = { type: 'resource_link', uri: 'file:///a', name: 'a' };

  test('is refused by the name of its type when it comes in a prompt', async () => {
    let prompts = 0;
    const one = new Connected({
      info: { ...INFO, prompt: { image: true } },
      prompt: () => {
        prompts += 1;
        return Promise.resolve('end_turn');
      },
    });
    await one.initialize();
    await one.newSession();
    const prompt = (content: ContentBlock) =>
      one.connection.agent.request('session/prompt', { sessionId: 's1', prompt: [link, content] });
    await assert.rejects(prompt(audio), { code: -32602, message: /"audio"/ });
    await assert.rejects(prompt(resource), { code: -32602, message: /"resource"/ });
    assert.equal(prompts, 0);
    await prompt(image);
    assert.equal(prompts, 1);
    await one.close();
  });

  test('is refused when a session is to have it, before the agent is asked', async () => {
    let made = 0;
    const one = new Connected({
      newSession: () => {
        made += 1;
        return sessionOf('s');
      },
      loadSession: () => {
        made += 1;
        return undefined;
      },
    });
    await one.initialize();
    const { agent } = one.connection;
    for (const setup of [
      { mcpServers: [STDIO] },
      { mcpServers: [HTTP] },
      { mcpServers: [SSE] },
      { mcpServers: [], additionalDirectories: ['/tmp'] },
    ]) {
      const load = { sessionId: 'old', cwd: '/', ...setup };
      await assert.rejects(agent.request('session/new', { cwd: '/', ...setup }), { code: -32602 });
      await assert.rejects(agent.request('session/load', load), { code: -32602 });
    }
    const relative = { cwd: 'here', mcpServers: [] };
    await assert.rejects(agent.request('session/new', relative), { code: -32602 });
    assert.equal(made, 0);
    await agent.request('session/new', { cwd: '/', mcpServers: [], additionalDirectories: [] });
    await one.close();
  });

  test('is the only thing that is refused: the rest reaches the agent', async () => {
    const seen: SessionSetup[] = [];
    const one = new Connected({
      info: { ...INFO, mcp: { stdio: true, http: true }, additionalDirectories: true },
      newSession: (_cwd, _signal, setup) => {
        seen.push(setup);
        return sessionOf(`s${seen.length}`);
      },
    });
    await one.initialize();
    const open = (mcpServers: McpServer[], additionalDirectories: string[]) =>
      one.connection.agent.request('session/new', { cwd: '/', mcpServers, additionalDirectories });
    await open([STDIO, HTTP], ['/tmp', '/usr']);
    await assert.rejects(open([STDIO, SSE], []), { code: -32602, message: /"sse"/ });
    await assert.rejects(open([], ['tmp']), { code: -32602 });
    assert.deepEqual(seen, [
      { mcpServers: [STDIO, HTTP], additionalDirectories: ['/tmp', '/usr'] },
    ]);
    await one.close();
  });
});
