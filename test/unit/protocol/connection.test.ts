import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { Cancelled, UserError } from '../../../src/base/errors.ts';
import {
  AgentConnection,
  ConnectionClosed,
  RequestError,
  type AgentRequestHandlers,
} from '../../../src/protocol/connection.ts';

/** The agent's end of a connection, written by hand. */
class Agent {
  readonly events: string[] = [];
  readonly reports: string[] = [];
  readonly connection: AgentConnection;
  private readonly stdin = new PassThrough();
  private readonly stdout = new PassThrough();
  private heard = '';

  constructor(handlers: Partial<AgentRequestHandlers> = {}) {
    this.stdin.on('data', (piece: Buffer) => (this.heard += piece.toString()));
    this.connection = new AgentConnection(
      { stdin: this.stdin, stdout: this.stdout },
      {
        sessionUpdate: (_, { sessionUpdate }) => this.events.push(sessionUpdate),
        requestPermission: () => Promise.resolve({ outcome: { outcome: 'cancelled' } }),
        readTextFile: () => Promise.resolve({ content: '' }),
        writeTextFile: () => Promise.resolve({}),
        createTerminal: () => Promise.resolve({ terminalId: 't' }),
        terminalOutput: () => Promise.resolve({ output: '', truncated: false }),
        waitForTerminalExit: () => Promise.resolve({ exitCode: 0 }),
        killTerminal: () => Promise.resolve({}),
        releaseTerminal: () => Promise.resolve({}),
        ...handlers,
      },
      { maxLineBytes: 1 << 20, report: (message) => this.reports.push(message) },
    );
  }

  /** Sends lines as they are, in one piece. */
  say(...lines: readonly string[]): void {
    this.stdout.write(lines.map((line) => `${line}\n`).join(''));
  }

  end(): void {
    this.stdout.end();
  }

  breakInput(): void {
    this.stdin.destroy(new Error('write EPIPE'));
  }

  /** What we have sent, once there are at least so many lines. */
  async sent(count: number): Promise<string[]> {
    const deadline = Date.now() + 5_000;
    for (;;) {
      const lines = this.heard.split('\n').filter((line) => line !== '');
      if (lines.length >= count) return lines;
      assert.ok(Date.now() < deadline, `${lines.length} of ${count} lines were sent`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const initialize = { protocolVersion: 1, clientCapabilities: {} };
const session = { cwd: '/', mcpServers: [] };
const prompt = { sessionId: 's', prompt: [] };

async function answered<T>(result: string, ask: (agent: Agent) => Promise<T>): Promise<T> {
  const agent = new Agent();
  const answer = ask(agent);
  await agent.sent(1);
  agent.say(`{"jsonrpc":"2.0","id":0,"result":${result}}`);
  return answer;
}

describe('initialize', () => {
  test('is sent with the id 0, params by name and the version 1', async () => {
    const agent = new Agent();
    void agent.connection.initialize(initialize).catch(() => undefined);
    const [line] = await agent.sent(1);
    assert.equal(
      line,
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}',
    );
    agent.connection.dispose();
  });

  for (const version of ['1', '"1"', '"1.0.0"']) {
    test(`takes ${version} for version 1`, async () => {
      const answer = await answered(`{"protocolVersion":${version}}`, ({ connection }) =>
        connection.initialize(initialize),
      );
      assert.equal(answer.protocolVersion, 1);
    });
  }

  test('refuses another version in words, and an answer without one', async () => {
    for (const result of [
      '{"protocolVersion":2}',
      '{"protocolVersion":"2.0"}',
      '{}',
      'null',
      '[]',
    ]) {
      await assert.rejects(
        answered(result, ({ connection }) => connection.initialize(initialize)),
        UserError,
        result,
      );
    }
  });

  test('does not lose the answer for capabilities or authentication methods that do not fit', async () => {
    const answer = await answered(
      `{"protocolVersion":1,"agentCapabilities":{"loadSession":"yes","promptCapabilities":[],
        "sessionCapabilities":{"list":{},"close":true},"mcpCapabilities":{"http":true}},
        "authMethods":[7,{"id":"a","name":"A"},{"id":"t","name":"T","type":"terminal","args":["login"]}],
        "agentInfo":{"name":"x"}}`.replaceAll('\n', ' '),
      ({ connection }) => connection.initialize(initialize),
    );
    assert.equal(answer.agentCapabilities?.loadSession, false);
    assert.deepEqual(answer.agentCapabilities.sessionCapabilities?.list, {});
    assert.equal(answer.agentCapabilities.sessionCapabilities.close, null);
    assert.equal(answer.agentCapabilities.mcpCapabilities?.http, true);
    assert.deepEqual(answer.authMethods, [
      { id: 'a', name: 'A', description: null },
      { id: 't', name: 'T', description: null, type: 'terminal', args: ['login'], env: {} },
    ]);
    assert.deepEqual(answer.agentInfo, { name: 'x', title: null, version: '' });
  });

  test('is not sent when its signal has aborted before', async () => {
    const { connection } = new Agent();
    await assert.rejects(connection.initialize(initialize, AbortSignal.abort()), Cancelled);
    connection.dispose();
  });
});

describe('answers', () => {
  test('session/new needs a session id; modes and options that do not fit are left out', async () => {
    const answer = await answered(
      '{"sessionId":"s","modes":{"currentModeId":7},"configOptions":"none","models":[]}',
      ({ connection }) => connection.newSession(session),
    );
    assert.deepEqual(answer, { sessionId: 's', modes: null, configOptions: [] });
    for (const result of ['{}', 'null', '{"sessionId":""}', '{"sessionId":7}']) {
      const asked = answered(result, ({ connection }) => connection.newSession(session));
      await assert.rejects(asked, UserError, result);
    }
  });

  test('stop reasons keep their words, in the spelling of the protocol', async () => {
    const spellings = [
      ['end_turn', 'end_turn'],
      ['endTurn', 'end_turn'],
      ['maxTurnRequests', 'max_turn_requests'],
      ['something_new', 'something_new'],
    ] as const;
    for (const [said, expected] of spellings) {
      const answer = await answered(`{"stopReason":"${said}"}`, ({ connection }) =>
        connection.prompt(prompt),
      );
      assert.deepEqual(answer, { stopReason: expected });
    }
    const none = await answered('null', ({ connection }) => connection.prompt(prompt));
    assert.deepEqual(none, { stopReason: 'end_turn' });
  });

  const errors: readonly (readonly [string, number, string])[] = [
    [
      '{"code":-32000,"message":"Authentication required","data":{"a":1}}',
      -32000,
      'Authentication required',
    ],
    // The code that the library uses for itself, said by an agent.
    ['{"code":-32099,"message":"mine"}', -32099, 'mine'],
    ['{"code":-32097,"message":"mine too"}', -32097, 'mine too'],
    ['{"code":"E1","message":"text"}', -32603, 'text'],
    ['"just text"', -32603, 'just text'],
    ['{"code":1}', 1, 'The agent gave no reason.'],
    ['[1]', -32603, 'The agent gave no reason.'],
  ];
  for (const [error, code, message] of errors) {
    test(`the error ${error} rejects with its code and words`, async () => {
      const agent = new Agent();
      const asked = agent.connection.prompt(prompt);
      await agent.sent(1);
      agent.say(`{"id":0,"error":${error}}`);
      await assert.rejects(asked, (reason) => {
        assert.ok(reason instanceof RequestError);
        assert.deepEqual([reason.code, reason.message], [code, message]);
        return true;
      });
    });
  }

  test('without "jsonrpc", with the id as a string, or without result are answers', async () => {
    const agent = new Agent();
    const first = agent.connection.prompt(prompt);
    await agent.sent(1);
    agent.say('{"result":{"stopReason":"end_turn"},"id":"0"}');
    await first;
    const second = agent.connection.prompt(prompt);
    await agent.sent(2);
    agent.say('{"id":1}');
    assert.deepEqual(await second, { stopReason: 'end_turn' });
  });

  test('are seen by who waits for them before the update that follows in the same piece', async () => {
    const agent = new Agent();
    const turn = agent.connection.prompt(prompt).then(() => agent.events.push('answered'));
    await agent.sent(1);
    const update = (kind: string): string =>
      `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"${kind}","content":"x"}}}`;
    agent.say(
      update('agent_thought_chunk'),
      update('agent_message_chunk'),
      '{"id":0,"result":{"stopReason":"end_turn"}}',
      update('user_message_chunk'),
    );
    await turn;
    // The next one asks for nothing but that the late update be handled.
    void agent.connection.prompt(prompt).catch(() => undefined);
    await agent.sent(2);
    while (agent.events.length < 4) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(agent.events, [
      'agent_thought_chunk',
      'agent_message_chunk',
      'answered',
      'user_message_chunk',
    ]);
    agent.connection.dispose();
  });
});

describe('requests of the agent', () => {
  const permission = (params: string): string =>
    `{"id":"p","method":"session/request_permission","params":${params}}`;

  test('for permission are taken in every shape that offers something', async () => {
    const asked: unknown[] = [];
    const agent = new Agent({
      requestPermission: (params) => {
        asked.push(params);
        return Promise.resolve({ outcome: { outcome: 'selected', optionId: 'a' } });
      },
    });
    agent.say(
      permission('{"sessionId":"s","toolCallId":"top","options":{"optionId":"a","name":"A"}}'),
    );
    agent.say(
      permission(
        '{"sessionId":"s","toolCall":{"toolCallId":"c","status":"pending"},"options":[{"optionId":"a","kind":"allow_always","name":"A"},{"optionId":"b","name":"","kind":"maybe"},{"name":"no id"}]}',
      ),
    );
    const lines = await agent.sent(2);
    assert.equal(
      lines[0],
      '{"jsonrpc":"2.0","id":"p","result":{"outcome":{"outcome":"selected","optionId":"a"}}}',
    );
    assert.deepEqual(asked, [
      {
        sessionId: 's',
        toolCall: { toolCallId: 'top' },
        options: [{ optionId: 'a', name: 'A', kind: 'other' }],
      },
      {
        sessionId: 's',
        toolCall: { toolCallId: 'c', status: 'pending' },
        options: [
          { optionId: 'a', name: 'A', kind: 'allow_always' },
          { optionId: 'b', name: 'b', kind: 'other' },
        ],
      },
    ]);
    agent.connection.dispose();
  });

  test('with params that do not fit are told what is wrong, and the handler is not called', async () => {
    const never = (): never => assert.fail('the handler was called');
    const agent = new Agent({
      requestPermission: never,
      readTextFile: never,
      writeTextFile: never,
    });
    const bad = [
      [
        'session/request_permission',
        '{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[]}',
        '"options"',
      ],
      [
        'session/request_permission',
        '{"sessionId":"s","options":[{"optionId":"a","name":"A"}]}',
        '"toolCall"',
      ],
      ['session/request_permission', '[]', 'object'],
      ['fs/read_text_file', '{"sessionId":"s"}', '"path"'],
      ['fs/read_text_file', '{"sessionId":"s","path":"/a","line":-1}', '"line"'],
      ['fs/read_text_file', '{"sessionId":"s","path":"/a","limit":1.5}', '"limit"'],
      ['fs/write_text_file', '{"sessionId":"s","path":"/a","content":null}', '"content"'],
      ['fs/write_text_file', '"text"', 'Invalid params'],
    ] as const;
    for (const [index, [method, params]] of bad.entries()) {
      agent.say(`{"id":${index},"method":"${method}","params":${params}}`);
    }
    agent.say('{"id":100,"method":"fs/read_text_file"}');
    const lines = await agent.sent(bad.length + 1);
    for (const [index, [, params, field]] of bad.entries()) {
      const line = lines.find((answer) => answer.startsWith(`{"jsonrpc":"2.0","id":${index},`));
      assert.ok(line !== undefined, params);
      assert.ok(line.includes('-32602'), line);
      assert.ok(line.includes(JSON.stringify(field).slice(1, -1)), `${line} names ${field}`);
    }
    assert.ok(lines.some((line) => line.includes('"id":100') && line.includes('-32602')));
    agent.connection.dispose();
  });

  test('that we do not know get -32601, and unknown notifications nothing', async () => {
    const agent = new Agent();
    agent.say('{"method":"_x/note"}', '{"method":"$/progress","params":null}');
    agent.say('{"id":0,"method":"elicitation/create","params":{}}', '{"id":1,"method":"_x/ask"}');
    const lines = await agent.sent(2);
    assert.equal(lines.length, 2);
    assert.ok(lines.every((line) => line.includes('"code":-32601')));
    assert.deepEqual(agent.reports, []);
    agent.connection.dispose();
  });

  test('with the same id twice are both answered, once each', async () => {
    const agent = new Agent({ readTextFile: ({ path }) => Promise.resolve({ content: path }) });
    const read = (id: string, path: string): string =>
      `{"id":${id},"method":"fs/read_text_file","params":{"sessionId":"s","path":"${path}"}}`;
    agent.say(read('7', '/a'), read('7', '/b'), read('"7"', '/c'));
    const lines = await agent.sent(3);
    assert.deepEqual(lines, [
      '{"jsonrpc":"2.0","id":7,"result":{"content":"/a"}}',
      '{"jsonrpc":"2.0","id":7,"result":{"content":"/b"}}',
      '{"jsonrpc":"2.0","id":"7","result":{"content":"/c"}}',
    ]);
    agent.connection.dispose();
  });
});

describe('the end', () => {
  test('rejects what waits, aborts what the agent waits for, and is told once', async () => {
    let aborted = 0;
    const agent = new Agent({
      readTextFile: (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (aborted += 1));
        }),
    });
    let closed = 0;
    const end = new Promise<void>((resolve) => {
      agent.connection.onClose(() => {
        closed += 1;
        resolve();
      });
    });
    const turn = agent.connection.prompt(prompt);
    await agent.sent(1);
    agent.say('{"id":0,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}');
    agent.end();
    await Promise.all([assert.rejects(turn, ConnectionClosed), end]);
    assert.equal(aborted, 1);
    agent.connection.dispose();
    assert.equal(closed, 1);
    await assert.rejects(agent.connection.newSession(session), ConnectionClosed);
    assert.deepEqual(agent.reports, []);
  });

  test('comes after the answer that was the last thing to be said', async () => {
    const agent = new Agent();
    const order: string[] = [];
    agent.connection.onClose(() => order.push('closed'));
    const turn = agent.connection.prompt(prompt).then(() => order.push('answered'));
    await agent.sent(1);
    agent.say('{"id":0,"result":{"stopReason":"end_turn"}}');
    agent.end();
    await turn;
    while (order.length < 2) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(order, ['answered', 'closed']);
  });

  test('comes too when the agent takes no more input, though its output stays open', async () => {
    const agent = new Agent();
    const turn = agent.connection.prompt(prompt);
    await agent.sent(1);
    agent.breakInput();
    await assert.rejects(turn, ConnectionClosed);
  });

  test('by dispose rejects what waits and is not told', async () => {
    const agent = new Agent();
    let closed = 0;
    agent.connection.onClose(() => (closed += 1));
    const turn = agent.connection.prompt(prompt);
    await agent.sent(1);
    agent.connection.dispose();
    await assert.rejects(turn, ConnectionClosed);
    assert.equal(closed, 0);
  });

  test('at once after the start leaves nothing to load and nobody waiting', async () => {
    const { connection } = new Agent();
    const asked = connection.initialize(initialize);
    connection.dispose();
    await assert.rejects(asked, ConnectionClosed);
  });
});
