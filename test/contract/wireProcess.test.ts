import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../src/base/errors.ts';
import { AgentProcess } from '../../src/client/agents/agentProcess.ts';
import { ConnectionClosed } from '../../src/protocol/connection.ts';
import { alive, drive, open, prompt, until } from './wireAgent.ts';

function start(command: string, args: readonly string[] = [], cwd = process.cwd()): AgentProcess {
  return new AgentProcess({ command, args, env: {}, cwd }, () => undefined, {
    input: 200,
    terminate: 300,
  });
}

async function refused(agent: AgentProcess): Promise<string> {
  const error: unknown = await agent.spawned.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UserError, 'people see why');
  assert.deepEqual(await agent.exited, { code: null, signal: null });
  await agent.stop();
  return error.message;
}

function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-process-'));
  return use(folder).finally(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
}

test('a program that does not exist is told from a folder that does not exist', () =>
  withFolder(async (folder) => {
    assert.match(
      await refused(start('parley-no-such-program')),
      /"parley-no-such-program" was not found/,
    );
    const missing = path.join(folder, 'missing');
    const message = await refused(start(process.execPath, [], missing));
    assert.match(message, /folder ".*missing".* does not exist/);
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    assert.match(await refused(start(process.execPath, [], file)), /not a folder/);
  }));

test('a file that is no program is refused in words', { skip: process.platform === 'win32' }, () =>
  withFolder(async (folder) => {
    const file = path.join(folder, 'agent.txt');
    fs.writeFileSync(file, 'hello', { mode: 0o644 });
    assert.match(await refused(start(file)), /may not be run/);
  }),
);

test('a command line that the system does not take is refused in words, and throws nothing', async () => {
  const message = await refused(start(process.execPath, ['a\u0000b']));
  assert.match(message, /could not be started/);
});

test('arguments with blanks and quotes reach the agent as they are, and env comes on top of ours', async () => {
  const script =
    'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.PARLEY_TEST, !!process.env.PATH]))';
  const args = ['two words', '"quoted"', '$HOME', ''];
  const agent = new AgentProcess(
    {
      command: process.execPath,
      args: ['-e', script, ...args],
      env: { PARLEY_TEST: 'on top' },
      cwd: process.cwd(),
    },
    () => undefined,
  );
  let output = '';
  agent.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await agent.exited;
  await until(() => agent.stdout.readableEnded, 'the end of the output');
  assert.deepEqual(JSON.parse(output), [args, 'on top', true]);
});

test('stderr is decoded over the borders of pieces, and its tail is bounded', async () => {
  const script = `
    const bytes = Buffer.from('schön 日本語\\r\\n\\x1b[1mbold\\x1b[0m\\n' + 'x'.repeat(9000) + 'end');
    let n = 0;
    const next = () => { if (n < 60) process.stderr.write(bytes.subarray(n, n += 1), next); else process.stderr.write(bytes.subarray(n)); };
    next();`;
  const lines: string[] = [];
  const command = { command: process.execPath, args: ['-e', script], env: {}, cwd: process.cwd() };
  const agent = new AgentProcess(command, (line) => lines.push(line));
  await agent.exited;
  await until(() => lines.length === 3, 'all lines');
  assert.deepEqual(lines.slice(0, 2), ['schön 日本語', 'bold']);
  assert.equal(agent.stderrTail.length, 4_000);
  assert.ok(agent.stderrTail.endsWith('xend'));
});

test('stop ends an agent that ignores the end of its input and SIGTERM, and its stubborn child too', () =>
  drive('ignoresSigterm', async (agent) => {
    const sessionId = await open(agent);
    await prompt(agent, sessionId);
    const pids = agent.said().split(' ').map(Number);
    assert.equal(pids.length, 2);
    assert.ok(pids.every(alive), 'both run');
    const before = performance.now();
    await agent.process.stop();
    assert.ok(performance.now() - before >= 500, 'both times were given');
    assert.deepEqual(await agent.process.exited, { code: null, signal: 'SIGKILL' });
    await until(() => !pids.some(alive), 'nobody is left');
    assert.match(agent.stderr.join('\n'), /SIGTERM\? No\./);
  }));

test('a well-behaved agent ends with its input and hears no signal', () =>
  drive('earlyLate', async (agent) => {
    await open(agent);
    await agent.process.stop();
    assert.deepEqual(await agent.process.exited, { code: 0, signal: null });
  }));

test('an agent that exits is gone at once, though a daemon of it holds the output; the daemon is ended', () =>
  drive('leavesDaemon', async (agent) => {
    const sessionId = await open(agent);
    await prompt(agent, sessionId);
    const daemon = Number(agent.said());
    assert.deepEqual(await agent.process.exited, { code: 0, signal: null });
    await until(agent.closed, 'the connection closes');
    await assert.rejects(prompt(agent, sessionId), ConnectionClosed);
    await until(() => !alive(daemon), 'the daemon is gone');
  }));

test('a daemon that is known by nothing any more and holds the output does not keep the connection open', () =>
  drive(
    'leavesDaemon',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId);
      const daemon = Number(agent.said());
      try {
        assert.deepEqual(await agent.process.exited, { code: 0, signal: null });
        await until(agent.closed, 'the connection closes');
        assert.ok(alive(daemon), 'the daemon still holds the pipe');
      } finally {
        process.kill(daemon, 'SIGKILL');
      }
    },
    { args: ['detached'] },
  ));
