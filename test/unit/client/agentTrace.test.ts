import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { AgentTrace, fileNameOf } from '../../../src/client/agents/agentTrace.ts';
import { RotatingFile } from '../../../src/client/agents/rotatingFile.ts';
import { RecordingLog } from '../../fakes/recordingLog.ts';

function folderFor(t: TestContext): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-trace-'));
  t.after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

test('a trace has one JSON line per line of the wire, with time and direction', async (t) => {
  const folder = folderFor(t);
  const trace = new AgentTrace(folder, 'mine', new RecordingLog());
  trace.begin({});
  trace.line('send', '{"id":0}');
  trace.line('recv', 'Welcome "to" this\u2028banner');
  await trace.flushed();
  const text = fs.readFileSync(path.join(folder, 'trace-mine.ndjson'), 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  const shape = lines.map((line) => ({ ...Object(line), ts: 0 }) as object);
  assert.deepEqual(shape, [
    { ts: 0, dir: 'send', raw: '{"id":0}' },
    { ts: 0, dir: 'recv', raw: 'Welcome "to" this\u2028banner' },
  ]);
});

test('values of environment variables are in no trace, however they are written', async (t) => {
  const folder = folderFor(t);
  const trace = new AgentTrace(folder, 'mine', new RecordingLog());
  const quoted = 'with "quotes" and \\ slash';
  trace.begin({ TOKEN: 'sk-12345678', LONGER: 'sk-12345678-and-more', ODD: quoted, SHORT: 'yes' });
  trace.line('recv', JSON.stringify({ text: 'it is sk-12345678-and-more, or sk-12345678. yes' }));
  trace.line('recv', JSON.stringify({ text: quoted }));
  trace.errorLine(`login with sk-12345678 ${quoted}`);
  await trace.flushed();
  const traced = fs.readFileSync(path.join(folder, 'trace-mine.ndjson'), 'utf8');
  const stderr = fs.readFileSync(path.join(folder, 'stderr-mine.log'), 'utf8');
  for (const text of [traced, stderr]) {
    assert.doesNotMatch(text, /sk-1|and-more|quotes/);
    assert.match(text, /\[value of TOKEN\]/);
  }
  assert.match(traced, /\[value of LONGER\], or \[value of TOKEN\]\. yes/);
});

test('names of agents make file names that stay in the folder and do not collide', () => {
  for (const name of [
    '../../etc/passwd',
    'a/b',
    'a\\b',
    '..',
    '.',
    '',
    'CON:x',
    'é',
    'x'.repeat(300),
  ]) {
    const file = fileNameOf(name);
    assert.match(file, /^[\w-][\w.-]{0,80}$/, name);
  }
  assert.notEqual(fileNameOf('a/b'), fileNameOf('a\\b'));
  assert.equal(fileNameOf('claude-code'), 'claude-code');
});

test('a full file becomes the older one, of which one is kept', async (t) => {
  const file = path.join(folderFor(t), 'deep', 'x.log');
  const log = new RotatingFile(file, 10, new RecordingLog());
  for (const line of ['first-one!', 'second-one', 'third-one!', '4']) {
    log.append(line);
    await log.flushed();
  }
  assert.equal(fs.readFileSync(`${file}.1`, 'utf8'), 'third-one!\n');
  assert.equal(fs.readFileSync(file, 'utf8'), '4\n');
  assert.deepEqual(fs.readdirSync(path.dirname(file)).sort(), ['x.log', 'x.log.1']);
});

test('a folder that cannot be made costs the trace and a line in the log, nothing else', async (t) => {
  const folder = folderFor(t);
  fs.writeFileSync(path.join(folder, 'taken'), '');
  const log = new RecordingLog();
  const trace = new AgentTrace(path.join(folder, 'taken'), 'mine', log);
  trace.begin({});
  trace.line('send', 'x');
  trace.line('send', 'y');
  await trace.flushed();
  assert.equal(log.lines.length, 1);
  assert.match(log.lines[0] ?? '', /^warn .*given up/);
});
