import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { SessionUpdate } from '../../src/protocol/acp.ts';
import { choose, Driver, exitOf, makeFolder, startAgent, until } from './agentDriver.ts';

let folder = '';
let kept = '';

beforeEach(() => {
  folder = makeFolder({
    'README.md': '# Things\n\nSome words.\n',
    'a.ts': 'export const a = 1;\n',
  });
  kept = makeFolder();
});

afterEach(() => {
  for (const each of [folder, kept]) fs.rmSync(each, { recursive: true, force: true });
});

function start(): Promise<Driver> {
  return Driver.start(undefined, { PARLEY_AGENT_SESSIONS: kept });
}

function request(driver: Driver, method: string, sessionId: string): Promise<unknown> {
  return driver.request(method, { sessionId, cwd: folder, mcpServers: [] });
}

interface Listed {
  readonly sessionId: string;
  readonly title?: string;
}

async function list(driver: Driver, params: object = {}): Promise<readonly Listed[]> {
  const answer = await driver.request('session/list', params);
  assert.ok(typeof answer === 'object' && answer !== null && 'sessions' in answer);
  assert.ok(Array.isArray(answer.sessions));
  return answer.sessions.map((one: Listed) => one);
}

/** What a conversation looks like to somebody who only sees the updates. */
function told(updates: readonly SessionUpdate[]): readonly string[] {
  const messages = new Map<string, string>();
  for (const update of updates) {
    if ('messageId' in update && 'content' in update && update.content.type === 'text') {
      const id = `${update.sessionUpdate} ${update.messageId ?? ''}`;
      messages.set(id, (messages.get(id) ?? '') + update.content.text);
    }
    if (update.sessionUpdate === 'tool_call') messages.set(update.toolCallId, update.title);
  }
  return [...messages.values()];
}

describe('a session of the reference agent', () => {
  test('survives its process: it is listed, loaded as it went, and goes on', async () => {
    const first = await start();
    const id = await first.newSession(folder);
    await first.prompt(id, 'explain README.md');
    const before = told(first.updates(id)).filter((one) => one !== '');
    await first.stop();

    const second = await start();
    const [listed] = await list(second, { cwd: folder });
    assert.deepEqual([listed?.sessionId, listed?.title], [id, 'explain README.md']);
    await request(second, 'session/load', id);
    const replayed = told(second.updates(id));
    assert.equal(replayed[0], 'explain README.md', 'it begins with what the person said');
    assert.deepEqual(replayed.slice(1), before);

    const seen = new Set(
      second.updates(id).flatMap((one) => ('messageId' in one ? [one.messageId] : [])),
    );
    const length = second.updates(id).length;
    await second.prompt(id, 'explain a.ts');
    const fresh = second.updates(id).slice(length);
    assert.match(told(fresh).join(), /a\.ts/);
    for (const one of fresh) {
      if ('messageId' in one)
        assert.equal(seen.has(one.messageId), false, 'ids are not used twice');
    }
    await second.stop();
  });

  test('is resumed without a replay', async () => {
    const first = await start();
    const id = await first.newSession(folder);
    await first.prompt(id, 'explain README.md');
    await first.stop();
    const second = await start();
    const answer = await request(second, 'session/resume', id);
    assert.ok(typeof answer === 'object' && answer !== null && 'modes' in answer);
    assert.deepEqual(told(second.updates(id)), []);
    assert.equal((await second.prompt(id, '/help')).stopReason, 'end_turn');
    await second.stop();
  });

  test('survives that its process is killed in the middle of a turn, with a result for every call', async () => {
    const first = await start();
    const id = await first.newSession(folder);
    void first.prompt(id, '/edit README.md').catch(() => undefined);
    await first.permission();
    first.child.kill('SIGKILL');
    await exitOf(first.child);
    const second = await start();
    await request(second, 'session/load', id);
    const calls = second.updates(id).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    const edit = calls.at(-1);
    assert.ok(edit?.sessionUpdate === 'tool_call');
    assert.deepEqual([edit.title, edit.status], ['Edit README.md', 'failed']);
    assert.match(JSON.stringify(edit.content), /Cancelled/);
    await second.stop();
  });

  test('records a call that a cancelled turn never ran as failed, with the reason', async () => {
    const driver = await start();
    const id = await driver.newSession(folder);
    const turn = driver.prompt(id, '/edit README.md');
    const open = await driver.permission();
    await driver.cancel(id);
    open.answer({ outcome: { outcome: 'cancelled' } });
    assert.equal((await turn).stopReason, 'cancelled');
    const text = fs.readFileSync(path.join(kept, `${id}.ndjson`), 'utf8');
    assert.match(text, /"status":"failed".*"reason":"cancelled"/);
    await driver.stop();
  });

  test('is forked: both go on, each by itself', async () => {
    const driver = await start();
    const id = await driver.newSession(folder);
    await driver.prompt(id, 'explain README.md');
    const answer = await request(driver, 'session/fork', id);
    assert.ok(typeof answer === 'object' && answer !== null && 'sessionId' in answer);
    const copy = String(answer.sessionId);
    assert.notEqual(copy, id);
    await driver.prompt(copy, '/title The copy');
    await driver.prompt(id, '/title The first');
    const titles = (await list(driver)).map(({ title }) => title);
    assert.deepEqual([...titles].sort(), ['The copy', 'The first']);
    await request(driver, 'session/load', copy);
    assert.equal(told(driver.updates(copy)).includes('explain README.md'), true);
    await driver.stop();
  });

  test('is closed, which cancels its turn, and can be loaded again', async () => {
    const driver = await start();
    const id = await driver.newSession(folder);
    const turn = driver.prompt(id, '/slow');
    await until('the turn', () => driver.updates(id).length > 2);
    await driver.request('session/close', { sessionId: id });
    assert.equal((await turn).stopReason, 'cancelled');
    await assert.rejects(driver.prompt(id, '/help'), { code: -32002 });
    await request(driver, 'session/load', id);
    assert.equal((await driver.prompt(id, '/help')).stopReason, 'end_turn');
    await driver.stop();
  });

  test('is deleted, and gone', async () => {
    const driver = await start();
    const id = await driver.newSession(folder);
    await driver.prompt(id, '/help');
    await driver.request('session/delete', { sessionId: id });
    assert.deepEqual(await list(driver), []);
    assert.deepEqual(fs.readdirSync(kept), []);
    await assert.rejects(driver.prompt(id, '/help'), { code: -32002 });
    await assert.rejects(request(driver, 'session/load', id), { code: -32002 });
    await driver.stop();
  });

  test('in which nothing was said is not kept', async () => {
    const driver = await start();
    await driver.newSession(folder);
    assert.equal(fs.readdirSync(kept).length, 1);
    await driver.stop();
    assert.deepEqual(fs.readdirSync(kept), []);
  });

  test('works where nothing can be kept, with a word in the log', async () => {
    const file = path.join(folder, 'README.md');
    const driver = await Driver.start(undefined, { PARLEY_AGENT_SESSIONS: file });
    const id = await driver.newSession(folder);
    assert.equal((await driver.prompt(id, '/help')).stopReason, 'end_turn');
    assert.match(driver.log, /will not be kept/);
    await driver.stop();
  });
});

describe('requests about sessions', () => {
  const ABOUT_ONE = ['session/load', 'session/resume', 'session/fork', 'session/delete'];
  const HOSTILE = ['nobody', '', '../../etc/passwd', '01234567-89ab-cdef-0123-456789abcdef'];

  test('say that an id is unknown: -32002', async () => {
    // In raw frames: the SDK's client takes that for a success where something is to be closed.
    const child = startAgent([], { PARLEY_AGENT_SESSIONS: kept });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString('utf8')));
    const params = { protocolVersion: 1, clientCapabilities: {} };
    const frames: object[] = [{ id: 0, method: 'initialize', params }];
    for (const method of ['session/load', 'session/resume', 'session/fork', 'session/close']) {
      for (const sessionId of HOSTILE) {
        const asked = { sessionId, cwd: folder, mcpServers: [] };
        frames.push({ id: frames.length, method, params: asked });
      }
    }
    for (const frame of frames) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
    }
    await until('all answers', () => output.split('\n').length > frames.length);
    assert.equal(output.match(/"code":-32002/g)?.length, frames.length - 1);
    child.stdin.end();
    await exitOf(child);
  });

  test('delete what is not there without a word, and no file of anybody else', async () => {
    const driver = await start();
    fs.writeFileSync(path.join(kept, 'mine.ndjson'), 'x');
    for (const sessionId of [...HOSTILE, 'mine', '../mine']) {
      assert.deepEqual(await driver.request('session/delete', { sessionId }), {});
    }
    assert.deepEqual(fs.readdirSync(kept), ['mine.ndjson']);
    await driver.stop();
  });

  test('disturb no turn that runs: -32600', async () => {
    const driver = await start();
    const id = await driver.newSession(folder);
    const turn = driver.prompt(id, '/edit README.md');
    const open = await driver.permission();
    for (const method of ABOUT_ONE) {
      await assert.rejects(request(driver, method, id), { code: -32600 }, method);
    }
    open.answer(choose(open, 'reject_once'));
    assert.equal((await turn).stopReason, 'end_turn');
    await driver.stop();
  });

  test('list only those of a folder, and take no foreign cursor', async () => {
    const driver = await start();
    const id = await driver.newSession(folder);
    await driver.prompt(id, '/help');
    assert.deepEqual(await list(driver, { cwd: path.dirname(folder) }), []);
    assert.equal((await list(driver, { cwd: folder }))[0]?.sessionId, id);
    for (const params of [{ cursor: 'x' }, { cwd: 'here' }]) {
      await assert.rejects(driver.request('session/list', params), { code: -32602 });
    }
    await driver.stop();
  });
});
