import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { SceneFault } from '../../../../src/agent/scenes/sceneFault.ts';
import { Transcript } from '../../../../src/agent/scenes/transcript.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-transcript-'));
after(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function sent(id: number, method: string): string {
  return JSON.stringify({ ts: id, dir: 'send', raw: JSON.stringify({ id, method }) });
}

async function read(text: string): Promise<{ about: string; lines: readonly number[] }> {
  const file = path.join(folder, 'recording.ndjson');
  fs.writeFileSync(file, text);
  const transcript = await Transcript.open(file);
  const lines: number[] = [];
  for await (const { line } of transcript.records()) lines.push(line);
  return { about: transcript.about.replace(file, 'FILE'), lines };
}

test('a recording is read line by line, whatever its agent said', async () => {
  const recv = JSON.stringify({ ts: 'then', dir: 'recv', raw: 'no JSON: \u2028 é', more: 1 });
  const { about, lines } = await read(`${sent(0, 'initialize')}\n${recv}`);
  assert.deepEqual(lines, [1, 2]);
  assert.equal(about, 'playing lines 1 to 2 of FILE');
});

test('lines that are no records are passed over, as those that were cut', async () => {
  const cut = sent(0, 'initialize').slice(9);
  const wrong = ['{}', '[]', '', '{"ts":1,"dir":"send"}', '{"ts":1,"dir":"to","raw":""}'];
  const { lines } = await read([cut, ...wrong, sent(1, 'session/new'), cut.slice(0, 9)].join('\n'));
  assert.deepEqual(lines, [7]);
});

test('of several connections the last one with a prompt is played', async () => {
  const connection = [sent(0, 'initialize'), sent(1, 'session/prompt')];
  const { about, lines } = await read(
    [sent(9, 'session/prompt'), ...connection, ...connection, sent(0, 'initialize')].join('\n'),
  );
  assert.deepEqual(lines, [4, 5]);
  assert.equal(about, 'playing lines 4 to 5 of FILE, connection 2 of 3');
});

test('without any prompt the last connection is played, and without any connection the whole file', async () => {
  const { lines } = await read([sent(0, 'initialize'), sent(0, 'initialize')].join('\n'));
  assert.deepEqual(lines, [2]);
  const rotated = await read([sent(7, 'session/prompt'), sent(8, 'session/new')].join('\n'));
  assert.deepEqual(rotated.lines, [1, 2]);
});

test('a client that initializes twice with ids of their own has one connection', async () => {
  const { lines } = await read([sent(0, 'initialize'), sent(1, 'initialize')].join('\n'));
  assert.deepEqual(lines, [1, 2]);
});

test('a file without a record is refused', async () => {
  await assert.rejects(read(''), SceneFault);
  await assert.rejects(read('Dear diary\n{}'), SceneFault);
});
