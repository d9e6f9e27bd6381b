import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { AgentProcess } from '../../src/client/agents/agentProcess.ts';
import { alive, until } from './wireAgent.ts';

/** Set: this file is the program that the test below runs. */
const OUTER = 'PARLEY_TEST_OUTER';

if (process.env[OUTER] === undefined) {
  test('no agent outlives our own process, also when it ends without stopping them', async () => {
    const outer = spawn(process.execPath, [__filename], {
      env: { ...process.env, [OUTER]: 'yes' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    outer.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    await new Promise((resolve) => outer.once('close', resolve));
    const pid = Number(/agent (\d+)/.exec(output)?.[1]);
    assert.ok(pid > 0, `the outer process told the id of its agent: ${output}`);
    await until(() => !alive(pid), 'the agent ends with us');
  });
} else {
  startAndLeave();
}

/** Starts an agent that does not end by itself, and exits. */
function startAndLeave(): void {
  const stubborn =
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";
  const agent = new AgentProcess(
    { command: process.execPath, args: ['-e', stubborn], env: {}, cwd: process.cwd() },
    () => undefined,
  );
  agent.stdout.once('data', () => {
    process.stdout.write(`agent ${agent.pid ?? 0}\n`, () => process.exit(0));
  });
}
