import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { textAt } from '../../src/agent/scenes/json.ts';
import { exitOf, startAgent, until } from './agentDriver.ts';
import { frameOf, type Frame } from './recording.ts';

/** A client of raw lines, before the bundled agent that plays a file. */
export class ScenePeer {
  readonly child: ReturnType<typeof startAgent>;
  /** What was heard and not taken yet. */
  readonly lines: string[] = [];
  stderr = '';
  private rest = '';

  constructor(t: TestContext, args: readonly string[]) {
    this.child = startAgent(args);
    t.after(() => this.child.kill('SIGKILL'));
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${this.rest}${text}`.split('\n');
      this.rest = lines.pop() ?? '';
      this.lines.push(...lines);
    });
  }

  /** Plays a scene of these fields. */
  static scene(t: TestContext, scene: object, ...args: readonly string[]): ScenePeer {
    return new ScenePeer(t, [
      '--scene',
      written(t, JSON.stringify({ scene: 1, ...scene })),
      ...args,
    ]);
  }

  /** Plays a recording of these frames, each 10 ms after the one before. */
  static replay(
    t: TestContext,
    frames: readonly Recorded[],
    ...args: readonly string[]
  ): ScenePeer {
    const lines = frames.map(([dir, frame], index) => {
      const raw = typeof frame === 'string' ? frame : JSON.stringify({ jsonrpc: '2.0', ...frame });
      return JSON.stringify({ ts: index * 10, dir, raw });
    });
    return new ScenePeer(t, ['--replay', written(t, lines.join('\n')), ...args]);
  }

  send(...frames: readonly (object | string)[]): void {
    for (const frame of frames) {
      const line = typeof frame === 'string' ? frame : JSON.stringify({ jsonrpc: '2.0', ...frame });
      this.child.stdin.write(`${line}\n`);
    }
  }

  async line(): Promise<string> {
    return until('a line', () => this.lines.shift());
  }

  async frame(): Promise<Frame> {
    return frameOf(await this.line());
  }

  /** The words of the next frame, which is a piece of a message. */
  async words(): Promise<{ readonly sessionId: unknown; readonly text: unknown }> {
    const { params } = await this.frame();
    assert.equal(textAt(params, 'update', 'sessionUpdate'), 'agent_message_chunk');
    return {
      sessionId: textAt(params, 'sessionId'),
      text: textAt(params, 'update', 'content', 'text'),
    };
  }

  /** Says no more, and hears the rest. */
  async end(): Promise<{ code: number | null; signal: string | null; lines: readonly string[] }> {
    this.child.stdin.end();
    return { ...(await exitOf(this.child)), lines: this.lines };
  }
}

export type Recorded = readonly ['send' | 'recv', object | string];

/** A file with this text, for as long as the test runs. */
export function written(t: TestContext, text: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-scene-'));
  t.after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const file = path.join(folder, 'played.json');
  fs.writeFileSync(file, text);
  return file;
}

export const INITIALIZE = { id: 'i', method: 'initialize', params: { protocolVersion: 1 } };

export function newSession(id: unknown): object {
  return { id, method: 'session/new', params: { cwd: '/folder', mcpServers: [] } };
}

export function promptOf(id: unknown, sessionId: string, text = 'Go'): object {
  return { id, method: 'session/prompt', params: { sessionId, prompt: [{ type: 'text', text }] } };
}
