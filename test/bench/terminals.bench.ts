/**
 * Throughput of a terminal: `cat` of a large file through it, against `cat` into a pipe that is read and thrown away.
 * Rounds are interleaved; a figure is the median of the ratios of wall time.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { resolveCommand } from '../../src/client/terminals/commandLine.ts';
import { Terminals } from '../../src/client/terminals/terminals.ts';
import { RecordingLog } from '../fakes/recordingLog.ts';
import { median, report } from './figures.ts';

const ROUNDS = 9;
const BYTES = 256 << 20;
const NEVER = new AbortController().signal;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'));

function fileOf(name: string, line: string): string {
  const file = path.join(folder, name);
  const block = Buffer.from(line.repeat(Math.ceil((1 << 20) / Buffer.byteLength(line))));
  const handle = fs.openSync(file, 'w');
  for (let size = 0; size < BYTES; size += block.length) fs.writeSync(handle, block);
  fs.closeSync(handle);
  return file;
}

async function bare(file: string): Promise<void> {
  const child = spawn('cat', [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  await once(child, 'close');
}

async function main(): Promise<void> {
  const terminals = new Terminals({ log: new RecordingLog() });
  const set = terminals.open({
    started: () => undefined,
    printed: () => undefined,
    ended: () => undefined,
  });
  const machine = {
    platform: process.platform,
    shell: '/bin/sh',
    env: process.env,
    exists: fs.existsSync,
  };
  const through = async (file: string): Promise<void> => {
    const request = { command: 'cat', args: [file], env: [], cwd: folder };
    const id = await set.create(resolveCommand(request, machine), 1 << 20, NEVER);
    await set.waitForExit(id, NEVER);
    await set.release(id);
  };
  const ratioOf = async (file: string): Promise<number> => {
    const ratios: number[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const before = performance.now();
      await bare(file);
      const between = performance.now();
      await through(file);
      const after = performance.now();
      if (round >= 0) ratios.push((between - before) / (after - between));
    }
    return median(ratios);
  };
  try {
    const plain = await ratioOf(fileOf('plain', 'a line of output as programs print them\n'));
    const coloured = await ratioOf(fileOf('coloured', '\u001b[32mok\u001b[0m schön 日本語 🙂\n'));
    report([
      { figure: 'plain output / cat into a pipe', value: plain, goal: 0.5, better: 'more' },
      {
        figure: 'output with colours and other scripts / cat into a pipe',
        value: coloured,
        goal: 0.5,
        better: 'more',
      },
    ]);
  } finally {
    terminals.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

void main();
