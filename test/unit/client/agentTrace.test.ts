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

test('short values are kept out where they are the whole of a string, and left in other text', async (t) => {
  const folder = folderFor(t);
  const trace = new AgentTrace(folder, 'mine', new RecordingLog());
  trace.begin({ PIN: 's3cr', ODD: 'a"b', FLAG: '1', ON: 'true', OFF: '0', EMPTY: '' });
  trace.line('recv', JSON.stringify({ pin: 's3cr', odd: 'a"b', text: 'in s3cr words', n: '1' }));
  trace.line('recv', JSON.stringify({ flags: ['true', '0', ''], list: ['s3cr'] }));
  await trace.flushed();
  const raws = fs
    .readFileSync(path.join(folder, 'trace-mine.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { raw: string }).raw);
  assert.deepEqual(raws, [
    '{"pin":"[value of PIN]","odd":"[value of ODD]","text":"in s3cr words","n":"1"}',
    '{"flags":["true","0",""],"list":["[value of PIN]"]}',
  ]);
});

test('values that the JSON of an agent writes with escapes are kept out', async (t) => {
  const folder = folderFor(t);
  const trace = new AgentTrace(folder, 'mine', new RecordingLog());
  trace.begin({ TOKEN: 'sk-12345678', PIN: 's3cr', PATHS: '/usr/local/x' });
  const raws = [
    String.raw`{"text":"it is \u0073k-1234567\u0038, \"yes\""}`,
    String.raw`{"pin":"s\u0033cr","paths":"\/usr\/local\/x"}`,
    String.raw`no JSON: "\u0073k-1234567 \q" "`,
    String.raw`{"text":"ends with a backslash \\","pin":"\u0073\u0033\u0063\u0072"}`,
  ];
  for (const raw of raws) trace.line('recv', raw);
  await trace.flushed();
  const text = fs.readFileSync(path.join(folder, 'trace-mine.ndjson'), 'utf8');
  const shown = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { raw: string }).raw);
  assert.deepEqual(shown, [
    String.raw`{"text":"it is [value of TOKEN], \"yes\""}`,
    '{"pin":"[value of PIN]","paths":"[value of PATHS]"}',
    raws[2],
    String.raw`{"text":"ends with a backslash \\","pin":"[value of PIN]"}`,
  ]);
});

test('a line of eight megabytes, full of quotes and backslashes, is looked through in less than five seconds', async (t) => {
  const trace = new AgentTrace(folderFor(t), 'mine', new RecordingLog());
  trace.begin({ TOKEN: 'sk-12345678', PIN: 's3cr' });
  const since = performance.now();
  trace.line('recv', '\\"'.repeat(2_000_000));
  trace.line('recv', `"${'\\\\'.repeat(1_000_000)}${String.raw`\u0041`.repeat(300_000)}"`);
  trace.line('recv', '"'.repeat(4_000_000));
  assert.ok(performance.now() - since < 5_000);
  await trace.flushed();
});
