import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { LogReader } from '../../../src/client/session/logReader.ts';

test('reading on takes no more memory than there is to read, and finds lines of any length', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-reader-'));
  t.after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const file = path.join(folder, 'log.ndjson');
  const reader = new LogReader(file);
  const lines: string[] = [];
  const take = (line: string): void => {
    lines.push(line);
  };
  const long = 'é'.repeat(1_500_000);
  fs.writeFileSync(file, `one\n${long}\nhal`);
  await reader.read(take);
  assert.deepEqual(lines, ['one', long]);

  const taken: number[] = [];
  const allocate = Buffer.allocUnsafe.bind(Buffer);
  t.mock.method(Buffer, 'allocUnsafe', (size: number) => {
    taken.push(size);
    return allocate(size);
  });
  await reader.read(take);
  await reader.read(take);
  assert.ok(Math.max(0, ...taken) < 1_000, String(taken));
  fs.appendFileSync(file, 'f\ntwo\n');
  await reader.read(take);
  assert.deepEqual(lines.slice(2), ['half', 'two']);
  assert.ok(Math.max(...taken) < 1_000, String(taken));
});
