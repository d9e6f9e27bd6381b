import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';

import { AgentProcess } from '../../src/client/agents/agentProcess.ts';
import { eventually } from '../fakes/eventually.ts';
import { expectedOf, frameOf, readRecording, recordings } from './recording.ts';
import { replayed, type LiveAgent } from './replayed.ts';
import { shownThread } from './shownThread.ts';

/** The bundled agent, which plays a recording; every line that it says is compared with the recorded one. */
class Player implements LiveAgent {
  readonly process: AgentProcess;
  private readonly said: string[] = [];
  private readonly stderr: string[] = [];
  private hasExited = false;

  constructor(name: string) {
    const file = path.resolve('test/fixtures/transcripts', `${name}.ndjson`);
    this.process = new AgentProcess(
      {
        command: process.execPath,
        args: [path.resolve('dist/agent.js'), '--replay', file],
        env: {},
        cwd: process.cwd(),
      },
      (line) => this.stderr.push(line),
    );
    void this.process.exited.then(() => {
      this.hasExited = true;
    });
    let rest = '';
    // Not with readline, which takes U+2028 for the end of a line.
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      this.said.push(...lines);
    });
  }

  send(line: string): void {
    this.process.stdin.write(`${line}\n`);
  }

  async next(recorded: string): Promise<string> {
    await eventually(
      `the agent says ${recorded.slice(0, 200)}`,
      () => this.said.length > 0 || this.hasExited,
    );
    const line = this.said.shift();
    assert.ok(line !== undefined, `the agent has ended: ${this.stderr.join('\n')}`);
    assert.deepEqual(frameOf(line), frameOf(recorded));
    return line;
  }

  /** @returns What it said and nobody waited for. */
  async stop(): Promise<readonly string[]> {
    this.process.stdin.end();
    assert.deepEqual(await this.process.exited, { code: 0, signal: null });
    return this.said;
  }
}

for (const name of recordings()) {
  test(`${name}, played by the bundled agent, gives the thread that the recording gives`, async () => {
    const player = new Player(name);
    try {
      const { sessions, reports } = await replayed(readRecording(name), player);
      const threads = [...sessions].map(([id, { thread }]) => shownThread(id, thread));
      assert.deepEqual({ sessions: threads }, expectedOf(name));
      assert.deepEqual(reports, []);
      assert.deepEqual(await player.stop(), [], 'nothing was said that was not recorded');
    } finally {
      player.process.dispose();
    }
  });
}
