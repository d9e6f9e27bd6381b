import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, describe, test } from 'node:test';
import { Driver, exitOf, makeFolder, startAgent, until } from './agentDriver.ts';

const folder = makeFolder({ 'a.ts': 'export const a = 1;\n' });

after(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
};

describe('the reference agent as a process', () => {
  test('ends when its input ends, also in the middle of a turn', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    driver.prompt(id, '/slow').catch(() => undefined);
    await until('words', () => driver.said(id) !== '');
    assert.deepEqual(await driver.stop(), { code: 0, signal: null });
  });

  test('ends on SIGTERM, also with a permission request open', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    driver.prompt(id, '/edit a.ts').catch(() => undefined);
    await driver.permission();
    driver.child.kill('SIGTERM');
    assert.deepEqual(await exitOf(driver.child), { code: 0, signal: null });
  });

  test('ends when nobody reads its output any more', async () => {
    const driver = await Driver.start();
    const id = await driver.newSession(folder);
    driver.prompt(id, '/stream 2000').catch(() => undefined);
    await until('words', () => driver.said(id) !== '');
    driver.child.stdout.destroy();
    assert.deepEqual(await exitOf(driver.child), { code: 0, signal: null });
  });

  test('ends on SIGTERM though the client has stopped reading', async () => {
    const child = startAgent();
    const send = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    let output = '';
    const listen = (data: Buffer): void => {
      output += data.toString('utf8');
    };
    child.stdout.on('data', listen);
    send(initialize);
    await until('the handshake', () => output.includes('"id":1'));
    send({ id: 2, method: 'session/new', params: { cwd: folder, mcpServers: [] } });
    const sessionId = await until('a session', () => /"sessionId":"([^"]+)"/.exec(output)?.[1]);
    send({
      id: 3,
      method: 'session/prompt',
      params: { sessionId, prompt: [{ type: 'text', text: '/stream 2000' }] },
    });
    await until('words', () => output.includes('agent_message_chunk'));
    child.stdout.pause();
    child.stdout.off('data', listen);
    child.kill('SIGTERM');
    assert.deepEqual(await exitOf(child), { code: 0, signal: null });
  });

  test('prints its help and its version, and refuses options that it does not know', async () => {
    const run = async (option: string) => {
      const child = startAgent([option]);
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (data: Buffer) => (stdout += data.toString('utf8')));
      child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
      return { ...(await exitOf(child)), stdout, stderr };
    };
    const help = await run('--help');
    assert.equal(help.code, 0);
    assert.match(help.stdout, /PARLEY_AGENT_PACE_MS/);
    assert.match((await run('--version')).stdout, /^parley-reference \d+\.\d+\.\d+ \(ACP v1\)\n$/);
    const unknown = await run('--nonsense');
    assert.equal(unknown.code, 2);
    assert.equal(unknown.stdout, '');
    assert.match(unknown.stderr, /--nonsense/);
  });
});
