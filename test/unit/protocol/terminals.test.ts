import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import {
  AgentConnection,
  type AgentRequestHandlers,
  type TerminalRequest,
} from '../../../src/protocol/connection.ts';

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === 'q';
}

const UNUSED = (): Promise<never> => Promise.reject(new Error('not expected'));

/** Sends one request of an agent and gives the client's answer to it. */
async function answerTo(
  method: string,
  params: unknown,
  handlers: Partial<AgentRequestHandlers>,
): Promise<Answer> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const connection = new AgentConnection(
    { stdin, stdout },
    {
      sessionUpdate: () => undefined,
      requestPermission: UNUSED,
      readTextFile: UNUSED,
      writeTextFile: UNUSED,
      createTerminal: UNUSED,
      terminalOutput: UNUSED,
      waitForTerminalExit: UNUSED,
      killTerminal: UNUSED,
      releaseTerminal: UNUSED,
      ...handlers,
    },
    { maxLineBytes: 1 << 24, report: () => undefined },
  );
  try {
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'q', method, params })}\n`);
    let heard = '';
    for await (const piece of stdin) {
      heard += String(piece);
      if (!heard.includes('\n')) continue;
      const message: unknown = JSON.parse(heard);
      assert.ok(isAnswer(message));
      return message;
    }
    throw new Error('no answer');
  } finally {
    connection.dispose();
  }
}

/** What `terminal/create` reaches the application as. */
async function created(params: object): Promise<TerminalRequest> {
  let taken: TerminalRequest | undefined;
  const { error } = await answerTo('terminal/create', params, {
    createTerminal: (request) => {
      taken = request;
      return Promise.resolve({ terminalId: 't1' });
    },
  });
  assert.equal(error, undefined);
  assert.ok(taken !== undefined);
  return taken;
}

describe('terminal/create', () => {
  test('is answered with the id of the terminal', async () => {
    const { result } = await answerTo(
      'terminal/create',
      { sessionId: 's', command: 'ls' },
      { createTerminal: () => Promise.resolve({ terminalId: 't1' }) },
    );
    assert.deepEqual(result, { terminalId: 't1' });
  });

  test('may leave out everything but the session and the command', async () => {
    assert.deepEqual(await created({ sessionId: 's', command: 'ls -la' }), {
      sessionId: 's',
      command: 'ls -la',
      args: [],
      env: [],
      cwd: null,
      outputByteLimit: null,
    });
  });

  test('may say null for what it leaves out', async () => {
    const request = { command: 'ls', args: null, env: null, cwd: null, outputByteLimit: null };
    const { args, env } = await created({ sessionId: 's', ...request });
    assert.deepEqual({ args, env }, { args: [], env: [] });
  });

  test('carries variables as a list of pairs, or as an object', async () => {
    const pairs = [{ name: 'A', value: '1' }];
    assert.deepEqual((await created({ sessionId: 's', command: 'x', env: pairs })).env, pairs);
    assert.deepEqual((await created({ sessionId: 's', command: 'x', env: { A: '1' } })).env, pairs);
  });

  for (const [what, params] of Object.entries({
    'no command': { sessionId: 's' },
    'an empty command': { sessionId: 's', command: '' },
    'no session': { command: 'ls' },
    'arguments that are no texts': { sessionId: 's', command: 'ls', args: [1] },
    'a negative limit': { sessionId: 's', command: 'ls', outputByteLimit: -1 },
    'a limit of half a byte': { sessionId: 's', command: 'ls', outputByteLimit: 0.5 },
    'too many arguments': { sessionId: 's', command: 'ls', args: Array(10_001).fill('a') },
    'a variable without a value': { sessionId: 's', command: 'ls', env: [{ name: 'A' }] },
  })) {
    test(`with ${what} is refused with -32602, and nothing runs`, async () => {
      assert.equal((await answerTo('terminal/create', params, {})).error?.code, -32602);
    });
  }
});

test('terminal/create is refused where all of it is longer than four million characters', async () => {
  const args = Array<string>(5).fill('a'.repeat(1024 * 1024));
  const { error } = await answerTo('terminal/create', { sessionId: 's', command: 'x', args }, {});
  assert.equal(error?.code, -32602);
  assert.match(error.message, /longer than 4194304 characters in all/);
});

test('a value that does not fit is told in a few words, however long it is', async () => {
  const args = 'a'.repeat(1024 * 1024);
  const { error } = await answerTo('terminal/create', { sessionId: 's', command: 'x', args }, {});
  assert.ok(error !== undefined && error.message.length < 400);
  assert.match(error.message, /"args": expected Array, got "aaa/);
});

const OUTPUT = { output: 'out', truncated: true, exitStatus: { exitCode: 1, signal: null } };
const EXIT = { exitCode: null, signal: 'SIGTERM' };
const TERMINAL = { sessionId: 's', terminalId: 't1' };

const METHODS: readonly (readonly [
  method: string,
  answer: object,
  handlers: (seen: unknown[]) => Partial<AgentRequestHandlers>,
])[] = [
  [
    'terminal/output',
    OUTPUT,
    (seen) => ({ terminalOutput: (params) => (seen.push(params), Promise.resolve(OUTPUT)) }),
  ],
  [
    'terminal/wait_for_exit',
    EXIT,
    (seen) => ({ waitForTerminalExit: (params) => (seen.push(params), Promise.resolve(EXIT)) }),
  ],
  [
    'terminal/kill',
    {},
    (seen) => ({ killTerminal: (params) => (seen.push(params), Promise.resolve({})) }),
  ],
  [
    'terminal/release',
    {},
    (seen) => ({ releaseTerminal: (params) => (seen.push(params), Promise.resolve({})) }),
  ],
];

for (const [method, answer, handlers] of METHODS) {
  test(`${method} reaches the application with its terminal, and its answer the agent`, async () => {
    const seen: unknown[] = [];
    const { result } = await answerTo(method, TERMINAL, handlers(seen));
    assert.deepEqual(result, answer);
    assert.deepEqual(seen, [TERMINAL]);
  });

  test(`${method} without a terminal is refused with -32602`, async () => {
    assert.equal((await answerTo(method, { sessionId: 's' }, {})).error?.code, -32602);
  });
}
