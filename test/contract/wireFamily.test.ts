import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, describe, test } from 'node:test';
import { AgentProcess } from '../../src/client/agents/agentProcess.ts';
import { NEVER, startTerminals } from './terminalRunner.ts';
import { alive, until } from './wireAgent.ts';

const skip = process.platform === 'linux' ? false : 'only Linux can tell';

const agents: AgentProcess[] = [];

/** An agent that is a shell script, and the first numbers that it prints. */
async function started(script: string, count: number) {
  const agent = new AgentProcess(
    { command: '/bin/sh', args: ['-c', script], env: {}, cwd: process.cwd() },
    () => undefined,
    { input: 5_000, terminate: 5_000, kill: 5_000 },
  );
  agents.push(agent);
  let output = '';
  agent.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  const pids = (): number[] => output.split('\n').slice(0, -1).map(Number);
  await until(() => pids().length === count, `${count} numbers`);
  return { agent, pids: pids() };
}

describe('the end of an agent', { skip }, () => {
  after(async () => {
    await Promise.all(agents.map((agent) => agent.stop()));
  });

  test('comes to a child with a session of its own, also when its parents are gone', async () => {
    const { agent, pids } = await started(
      "(setsid sh -c 'echo $$; exec sleep 60' &); setsid sh -c 'echo $$; exec sleep 60' & read line",
      2,
    );
    assert.ok(pids.every(alive));
    await agent.stop();
    assert.deepEqual(pids.filter(alive), []);
    assert.deepEqual(await agent.exited, { code: 1, signal: null });
  });

  test('comes to a child without a mark, that was only known while its parent ran', async () => {
    const { agent, pids } = await started(
      "env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec /bin/sleep 60' & read line",
      1,
    );
    await agent.stop();
    assert.deepEqual(pids.filter(alive), []);
  });

  test('comes to those whom an agent left behind that ended by itself', async () => {
    const { agent, pids } = await started(
      "setsid sh -c 'echo $$; exec sleep 60' & read line; exit 0",
      1,
    );
    assert.ok(pids.every(alive));
    agent.stdin.end();
    assert.deepEqual(await agent.exited, { code: 0, signal: null });
    await until(() => !pids.some(alive), 'nobody is left');
    await agent.stop();
  });

  test('does not wait for an ended child that nobody collects', async () => {
    // One of its group has ended; its parent had left everything before, and collects nobody.
    const { agent, pids } = await started(
      "((sh -c 'echo $$; until grep -q sleep /proc/$PPID/comm; do sleep 0.01; done' & exec env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec /bin/sleep 60') &); read line",
      2,
    );
    const isZombie = (pid: number): boolean =>
      / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
    await until(() => pids.some(isZombie), 'one of them has ended and was not collected');
    const stays = pids.find((pid) => !isZombie(pid)) ?? 0;
    try {
      const before = performance.now();
      await agent.stop();
      assert.ok(performance.now() - before < 4_000, 'the times were not used up');
    } finally {
      process.kill(stays, 'SIGKILL');
    }
  });

  test('does not come to another agent, nor to a command that Parley runs for it', async () => {
    const terminals = startTerminals();
    const one = await started('echo $$; read line', 1);
    const other = await started('echo $$; read line', 1);
    try {
      const id = await terminals.run('echo $$; while :; do sleep 0.1; done');
      await until(() => terminals.set.output(id).output !== '', 'it runs');
      const pid = Number(terminals.set.output(id).output);
      await one.agent.stop();
      assert.deepEqual([...one.pids, ...other.pids, pid].filter(alive), [...other.pids, pid]);
      await terminals.set.kill(id);
      await terminals.set.waitForExit(id, NEVER);
      assert.deepEqual(other.pids.filter(alive), other.pids);
    } finally {
      await other.agent.stop();
      terminals.dispose();
    }
  });
});
