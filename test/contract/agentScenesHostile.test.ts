import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { exitOf, startAgent } from './agentDriver.ts';
import { INITIALIZE, newSession, promptOf, ScenePeer, written } from './scenePeer.ts';

/** Only there the size of another process can be read. */
const skip = process.platform !== 'linux';
/** Node itself needs about 50 MB. */
const LARGEST_MB = 150;

/** The most memory that a process has ever used. */
function peakMegabytes(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Waits until a process works no more: nobody reads what it writes, and it has nothing else to do. */
async function standstill(pid: number): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (let same = 0, before = ''; same < 10;) {
    const [, times = ''] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const work = times.split(' ').slice(11, 13).join(' ');
    same = work === before ? same + 1 : 0;
    before = work;
    assert.ok(performance.now() < deadline, 'it never stands still');
    await delay(20);
  }
}

function heap(megabytes: number): string {
  return 'x'.repeat(megabytes << 20);
}

test(
  'a client that stops reading makes no flood grow, and hears all of it later',
  { skip },
  async (t) => {
    const flood = { jsonrpc: '2.0', count: '${count}', more: 'x'.repeat(2_000) };
    const steps = [{ flood, times: 100_000 }, { exit: 0 }];
    const file = written(t, JSON.stringify({ scene: 1, steps }));
    const child = startAgent(['--scene', file]);
    t.after(() => child.kill('SIGKILL'));
    await standstill(child.pid ?? 0);
    assert.ok(peakMegabytes(child.pid ?? 0) < LARGEST_MB);
    let count = 0;
    let last = '';
    child.stdout.setEncoding('latin1').on('data', (piece: string) => {
      count += piece.split('\n').length - 1;
      last = `${last}${piece}`.slice(-3_000);
    });
    await once(child.stdout, 'end');
    assert.equal(count, 100_000);
    assert.match(last, /"count":100000,"more":"x+"\}\n$/);
  },
);

test(
  'a recording of 100 MB is played without being held, to a client that does not read',
  { skip },
  async (t) => {
    const raw = JSON.stringify({ jsonrpc: '2.0', method: '_big', params: heap(1) });
    const record = `${JSON.stringify({ ts: 0, dir: 'recv', raw })}\n`;
    const file = written(t, record.repeat(100));
    const child = startAgent(['--replay', file]);
    t.after(() => child.kill('SIGKILL'));
    await standstill(child.pid ?? 0);
    assert.ok(peakMegabytes(child.pid ?? 0) < LARGEST_MB, `${peakMegabytes(child.pid ?? 0)} MB`);
    let length = 0;
    child.stdout.on('data', (piece: Buffer) => (length += piece.length));
    child.stdin.end();
    assert.equal((await exitOf(child)).code, 0);
    assert.equal(length, 100 * (raw.length + 1));
  },
);

test('a client that asks and asks and never reads is not read any further', { skip }, async (t) => {
  const recording = JSON.stringify({ ts: 0, dir: 'recv', raw: '{}' });
  const scene = JSON.stringify({ scene: 1, steps: [{ expect: 'session/prompt' }] });
  for (const args of [
    ['--replay', written(t, recording)],
    ['--scene', written(t, scene)],
  ]) {
    const child = startAgent(args);
    t.after(() => child.kill('SIGKILL'));
    child.stdin.on('error', () => undefined);
    // As many answers as no pipe holds, and far more than is kept of the requests.
    const request = { jsonrpc: '2.0', ...newSession(1), more: 'x'.repeat(30_000) };
    child.stdin.write(`${JSON.stringify(request)}\n`.repeat(4_000));
    await standstill(child.pid ?? 0);
    const unread = child.stdin.writableLength;
    assert.ok(unread > 50 << 20, `${args.join(' ')}: only ${unread} bytes were not read`);
  }
});

test('files that are larger than what is played are refused before they are read', async (t) => {
  for (const [option, bytes] of [
    ['--scene', 16 << 20],
    ['--replay', 256 << 20],
  ] as const) {
    const file = written(t, '');
    fs.truncateSync(file, bytes + 1);
    const peer = new ScenePeer(t, [option, file]);
    assert.deepEqual(await peer.end(), { code: 2, signal: null, lines: [] });
    assert.match(peer.stderr, new RegExp(`more than ${bytes} bytes`));
  }
});

test('a recording of nothing but noise is refused, and of broken frames played as it is', async (t) => {
  const noise = new ScenePeer(t, ['--replay', written(t, heap(1))]);
  assert.equal((await noise.end()).code, 2);
  assert.match(noise.stderr, /no line of \{ ts, dir, raw \}/);

  const strange = [
    '[1]',
    'null',
    '{"id":{}}',
    '{"method":{}}',
    '{"id":0,"result":1}',
    '{"params":[]}',
  ];
  const peer = ScenePeer.replay(
    t,
    strange.flatMap((raw) => [
      ['send', raw],
      ['recv', raw],
    ]),
  );
  for (const raw of strange) assert.equal(await peer.line(), raw);
  peer.send(...strange, INITIALIZE, promptOf(1, 's'));
  assert.equal((await peer.frame()).id, 'i');
  assert.match(String((await peer.words()).text), /The recording is over/);
});
