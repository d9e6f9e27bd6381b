import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { after, describe, test } from 'node:test';
import type { SessionUpdate } from '../../src/protocol/acp.ts';
import { Driver, choose, exitOf, makeFolder, startAgent, until } from './agentDriver.ts';

const folder = makeFolder({
  'a.ts': 'export const a = 1;\n',
  '.hidden/b.ts': 'export const b = 2;\n',
});
const outside = makeFolder({ 'secret.txt': 'the secret words\n' });

after(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.rmSync(outside, { recursive: true, force: true });
});

/** Runs the agent with these lines as its whole input and gives back what it answered. */
async function exchange(
  lines: readonly (string | object)[],
): Promise<readonly Record<string, unknown>[]> {
  const child = startAgent();
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString('utf8');
  });
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  child.stdin.write(`${text.join('\n')}\n`);
  const answers = (): readonly string[] => output.split('\n').slice(0, -1);
  await until('an answer to every line', () => answers().length >= lines.length);
  child.stdin.end();
  assert.deepEqual(await exitOf(child), { code: 0, signal: null });
  return answers().map((line) => {
    const value: unknown = JSON.parse(line);
    assert.ok(typeof value === 'object' && value !== null);
    return Object.fromEntries(Object.entries(value));
  });
}

const initialize = (id: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
});

/** The number of an error answer. */
function codeOf({ error }: Readonly<Record<string, unknown>>): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

describe('the reference agent on the wire', () => {
  test('tells in initialize who it is and what it takes, false values too', async () => {
    const driver = new Driver();
    const answer = await driver.initialize({});
    assert.equal(answer.protocolVersion, 1);
    const { name, title } = answer.agentInfo ?? {};
    assert.deepEqual([name, title], ['parley-reference', 'Parley Reference Agent']);
    assert.deepEqual(answer.agentCapabilities, {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, fork: {} },
    });
    assert.deepEqual(answer.authMethods, []);
    await driver.stop();
  });

  test('refuses sessions before initialize', async () => {
    const driver = new Driver();
    await assert.rejects(driver.newSession(folder), { code: -32600 });
    await driver.initialize({});
    assert.ok(await driver.newSession(folder));
    await driver.stop();
  });

  test('answers ids that are strings, 0 and null with the same id', async () => {
    const answers = await exchange([initialize('one'), initialize(0), initialize(null)]);
    assert.deepEqual(
      answers.map(({ id }) => id),
      ['one', 0, null],
    );
    assert.ok(answers.every(({ result }) => result !== undefined));
  });

  test('answers malformed lines with an error and lives on', async () => {
    const answers = await exchange([
      'this is no JSON',
      [initialize(1)],
      { id: 2, method: 'initialize', params: {} },
      { jsonrpc: '2.0', id: { a: 1 }, method: 'initialize' },
      '17',
      initialize(3),
    ]);
    assert.deepEqual(
      answers.map((answer) => answer['id']),
      [null, null, null, null, null, 3],
    );
    assert.deepEqual(answers.map(codeOf), [-32700, -32600, -32600, -32600, -32600, undefined]);
  });

  test('answers every envelope that is not one with -32600 and id null, before anything is done', async () => {
    const bad = [
      { jsonrpc: '1.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } },
      { jsonrpc: 2, id: 1, method: 'initialize', params: { protocolVersion: 1 } },
      { jsonrpc: '2.0', id: true, method: 'initialize', params: { protocolVersion: 1 } },
      { jsonrpc: '2.0', id: [1], method: 'initialize', params: { protocolVersion: 1 } },
      { jsonrpc: '2.0', id: 1, method: 7 },
      { jsonrpc: '2.0', id: 1, method: null },
      { method: 'session/cancel', params: { sessionId: 'x' } },
      { jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: 1 },
      '{"jsonrpc":"2.0","id":1e999,"method":"initialize","params":{"protocolVersion":1}}',
      '[]',
      'null',
      '"text"',
    ];
    const session = { jsonrpc: '2.0', id: 9, method: 'session/new', params: {} };
    const answers = await exchange([...bad, session]);
    assert.deepEqual(
      answers.slice(0, -1).map((answer) => [answer['id'], codeOf(answer)]),
      bad.map(() => [null, -32600]),
    );
    // Had one of them been carried out, there would be other complaints about this one.
    assert.deepEqual([answers.at(-1)?.['id'], codeOf(answers.at(-1) ?? {})], [9, -32600]);
  });

  test('answers what is not JSON in UTF-8 with -32700', async () => {
    const child = startAgent();
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
    const frame = Buffer.from(`${JSON.stringify(initialize('\u00e9'))}\n`, 'latin1');
    child.stdin.write(frame);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize"\n');
    await until('two answers', () => output.split('\n').length === 3);
    child.stdin.end();
    await exitOf(child);
    for (const line of output.trimEnd().split('\n')) {
      assert.match(line, /^\{"jsonrpc":"2.0","id":null,"error":\{"code":-32700,/);
    }
  });

  test('says of a method that nobody knows that it is unknown, before initialize and after', async () => {
    const unknown = (id: number) => ({ jsonrpc: '2.0', id, method: 'no/such', params: {} });
    const answers = await exchange([unknown(1), initialize(2), unknown(3)]);
    assert.deepEqual(answers.map(codeOf), [-32601, undefined, -32601]);
    assert.deepEqual(
      answers.map(({ id }) => id),
      [1, 2, 3],
    );
  });

  test('lets nothing of sessions or of signing in through before initialize', async () => {
    const early = ['session/new', 'session/load', 'session/prompt', 'session/x', 'authenticate'];
    const answers = await exchange(
      early.map((method, id) => ({ jsonrpc: '2.0', id, method, params: { sessionId: 'x' } })),
    );
    assert.deepEqual(
      answers.map(codeOf),
      early.map(() => -32600),
    );
  });

  test('opens a session for a client that does not wait for the answer to initialize', async () => {
    const answers = await exchange([
      initialize(1),
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'session/new',
        params: { cwd: folder, mcpServers: [] },
      },
    ]);
    assert.deepEqual(answers.slice(0, 2).map(codeOf), [undefined, undefined]);
  });

  test('ignores notifications and answers that it does not know', async () => {
    const child = startAgent();
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
    for (const frame of [
      { jsonrpc: '2.0', method: 'no/such', params: {} },
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'nobody' } },
      { jsonrpc: '2.0', method: 'session/cancel', params: 7 },
      { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 77 } },
      { jsonrpc: '2.0', method: '$/cancel_request' },
      { jsonrpc: '2.0', id: 77, result: {} },
      { id: 78, error: { code: 1, message: 'x' } },
      initialize('last'),
    ]) {
      child.stdin.write(`${JSON.stringify(frame)}\n`);
    }
    await until('an answer', () => output.includes('\n'));
    child.stdin.end();
    assert.deepEqual(await exitOf(child), { code: 0, signal: null });
    assert.equal(output.split('\n').length, 2, output);
    assert.match(output, /"id":"last"/);
  });

  test('answers what has come when its input ends at once, a last line without a newline too', async () => {
    const child = startAgent();
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
    child.stdin.end(`${JSON.stringify(initialize(1))}\n${JSON.stringify(initialize(2))}`);
    assert.deepEqual(await exitOf(child), { code: 0, signal: null });
    await until('both answers', () => output.split('\n').length === 3);
    assert.match(output, /"id":1,"result".*\n.*"id":2,"result"/);
  });

  const hasProc = fs.existsSync('/proc/self/status');
  test('holds nothing of a line that is too long', { skip: !hasProc }, async () => {
    const child = startAgent();
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
    const piece = Buffer.alloc(1024 * 1024, 0x78);
    const peak = (): number => {
      const status = fs.readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
    };
    child.stdin.write(`${JSON.stringify(initialize(1))}\n`);
    await until('the handshake', () => output.includes('\n'));
    const before = peak();
    for (let count = 0; count < 300; count += 1) {
      if (!child.stdin.write(piece)) await once(child.stdin, 'drain');
    }
    child.stdin.write(`\n${JSON.stringify(initialize(2))}\n`);
    await until('the next answer', () => output.includes('"id":2'));
    assert.match(output, /"id":null,"error":\{"code":-32600/);
    assert.ok(peak() - before < 100 * 1024, `it grew by ${peak() - before} kB for 300 MiB`);
    child.stdin.end();
    await exitOf(child);
  });

  test('answers a line of more than 4 MiB with an error and reads the next', async () => {
    const long = JSON.stringify({ ...initialize(1), padding: 'x'.repeat(4 * 1024 * 1024) });
    const answers = await exchange([long, initialize(2)]);
    assert.deepEqual(answers.map(codeOf), [-32600, undefined]);
    assert.equal(answers[1]?.['id'], 2);
  });

  test('tolerates blank lines, CRLF and lines that come in pieces', async () => {
    const child = startAgent();
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
    const bytes = Buffer.from(`\r\n\n${JSON.stringify({ ...initialize('ü🚀'), _meta: '漢' })}\r\n`);
    for (const byte of bytes) {
      child.stdin.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until('an answer', () => output.endsWith('\n'));
    assert.match(output, /"id":"ü🚀"/);
    child.stdin.end();
    await exitOf(child);
  });

  test('says what it does not support instead of passing over it', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    const image = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' };
    await assert.rejects(driver.prompt(id, [image]), { code: -32602, message: /"image"/ });
    await assert.rejects(driver.request('session/prompt', { sessionId: 'nobody', prompt: [] }), {
      code: -32002,
    });
    await assert.rejects(driver.request('session/new', { cwd: 'not/absolute', mcpServers: [] }), {
      code: -32602,
    });
    const server = { name: 'x', command: '/bin/true', args: [], env: [] };
    await assert.rejects(driver.request('session/new', { cwd: folder, mcpServers: [server] }), {
      code: -32602,
    });
    await assert.rejects(driver.request('no/such/method', {}), { code: -32601 });
    await assert.rejects(driver.request('authenticate', { methodId: 'x' }), { code: -32602 });
    await driver.stop();
  });

  test('stops at once when cancelled while it is slow', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    const turn = driver.prompt(id, '/slow');
    await until('the first line', () => driver.said(id).includes('second 1 of 60'));
    const asked = Date.now();
    await driver.cancel(id);
    assert.equal((await turn).stopReason, 'cancelled');
    assert.ok(Date.now() - asked < 900, 'it finished its second first');
    const said = driver.said(id);
    assert.equal((await driver.prompt(id, '/help')).stopReason, 'end_turn');
    assert.ok(driver.said(id).startsWith(said), 'it spoke on after the answer');
    await driver.stop();
  });

  test('stops a stream that has no pauses, and a cancellation right behind its prompt counts', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    const turn = driver.prompt(id, '/stream 2000');
    await until('a piece', () => driver.said(id).length > 100);
    await driver.cancel(id);
    assert.equal((await turn).stopReason, 'cancelled');
    const next = driver.prompt(id, '/slow');
    await driver.cancel(id);
    assert.equal((await next).stopReason, 'cancelled');
    await driver.stop();
  });

  test('answers cancelled while its permission request is open, and takes it back', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    const turn = driver.prompt(id, '/edit a.ts');
    const open = await driver.permission();
    await driver.cancel(id);
    assert.equal((await turn).stopReason, 'cancelled');
    open.answer(choose(open, 'allow_once'));
    assert.equal((await driver.prompt(id, '/help')).stopReason, 'end_turn');
    assert.deepEqual(driver.writes, []);
    await driver.stop();
  });

  test('keeps two sessions apart while both run', async () => {
    const driver = await Driver.start();
    const [one, two] = [await driver.newSession(folder), await driver.newSession(outside)];
    const slow = driver.prompt(one, '/slow');
    const edit = driver.prompt(two, '/edit secret.txt');
    const open = await driver.permission();
    assert.equal(open.params.sessionId, two);
    await until('the slow one', () => driver.said(one).includes('second 1'));
    await driver.cancel(one);
    assert.equal((await slow).stopReason, 'cancelled');
    open.answer(choose(open, 'reject_once'));
    assert.equal((await edit).stopReason, 'end_turn');
    assert.doesNotMatch(driver.said(one), /secret/);
    await driver.stop();
  });

  test('runs two prompts of one session one after the other', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    const first = driver.prompt(id, '/edit a.ts');
    const second = driver.prompt(id, '/think');
    const open = await driver.permission();
    assert.equal(driver.thought(id), '');
    open.answer(choose(open, 'reject_once'));
    assert.deepEqual(
      [(await first).stopReason, (await second).stopReason],
      ['end_turn', 'end_turn'],
    );
    const order = driver.updates(id).map(({ sessionUpdate }: SessionUpdate) => sessionUpdate);
    assert.ok(order.indexOf('agent_thought_chunk') > order.lastIndexOf('tool_call_update'));
    await driver.stop();
  });

  test('cancels the prompt that waits too, and that one leaves no trace', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    const first = driver.prompt(id, '/slow');
    const second = driver.prompt(id, '/think about nothing');
    await until('the first', () => driver.said(id) !== '');
    await driver.cancel(id);
    assert.deepEqual(
      [(await first).stopReason, (await second).stopReason],
      ['cancelled', 'cancelled'],
    );
    assert.equal(driver.thought(id), '');
    await driver.stop();
  });

  test('ends a prompt that is taken back with -32800', async () => {
    const child = startAgent();
    let output = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
    const send = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    send(initialize(1));
    await until('the handshake', () => output.includes('"id":1'));
    send({ id: 2, method: 'session/new', params: { cwd: folder, mcpServers: [] } });
    const sessionId = await until('a session', () => /"sessionId":"([^"]+)"/.exec(output)?.[1]);
    send({
      id: 3,
      method: 'session/prompt',
      params: { sessionId, prompt: [{ type: 'text', text: '/slow' }] },
    });
    await until('words', () => output.includes('agent_message_chunk'));
    send({ method: '$/cancel_request', params: { requestId: 3 } });
    await until('the error', () => /"id":3,"error":\{"code":-32800/.test(output));
    child.stdin.end();
    assert.deepEqual(await exitOf(child), { code: 0, signal: null });
  });
});
