import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { describe, test } from 'node:test';
import { Cancelled } from '../../src/base/errors.ts';
import { fault, room, withoutRoot } from './clientFilesRoom.ts';

const posix = process.platform !== 'win32';
const MEGABYTE = 1024 * 1024;
const HUGE = 2048 * MEGABYTE;

for (const footing of ['handles', 'paths'] as const) {
  if (footing === 'handles' && process.platform !== 'linux') continue;
  describe(`reading with ${footing}`, () => {
    test('gives all of it, or the lines that are asked for', async (t) => {
      const it = room(t, { footing });
      it.put('a.txt', 'one\ntwo\r\nthree\rfour');
      assert.equal(await it.read('a.txt'), 'one\ntwo\r\nthree\rfour');
      assert.equal(await it.read('a.txt', { line: 2, limit: 2 }), 'two\r\nthree\r');
      assert.equal(await it.read('a.txt', { line: 9 }), '');
      it.put('empty.txt', '');
      assert.equal(await it.read('empty.txt'), '');
    });

    test('tells of what does not exist', async (t) => {
      const it = room(t, { footing });
      await assert.rejects(it.read('no.txt'), fault('notFound', /no such file: .*no\.txt$/));
      await assert.rejects(it.read('no/no.txt'), fault('notFound', /no such file/));
    });

    test('tells of a folder, and of a file in the place of a folder', async (t) => {
      const it = room(t, { footing });
      await assert.rejects(it.read('.'), fault('failed', /is a folder/));
      it.put('a.txt', 'a');
      await assert.rejects(it.read('a.txt/b'), fault('failed', /is a file, not a folder/));
    });

    test('never follows a link that has come to the place', { skip: !posix }, async (t) => {
      const it = room(t, { footing });
      fs.symlinkSync('/etc/hostname', it.path('link'));
      await assert.rejects(it.read('link'), fault('refused', /link/));
      fs.symlinkSync('/etc', it.path('folder'));
      await assert.rejects(it.read('folder/hostname'), fault('refused', /link/));
    });

    test('never waits for a pipe, nor opens a socket or a device', { skip: !posix }, async (t) => {
      const it = room(t, { footing });
      execFileSync('mkfifo', [it.path('pipe')]);
      await assert.rejects(it.read('pipe'), fault('failed', /special file/));
      const server = net.createServer().listen(it.path('socket'));
      t.after(() => server.close());
      await new Promise((resolve) => server.once('listening', resolve));
      await assert.rejects(it.read('socket'), fault('failed', /special file/));
      await assert.rejects(it.read('/dev/zero'), fault('failed', /special file/));
    });

    test('tells of a missing permission', { skip: !posix }, async (t) => {
      const it = room(t, { footing });
      fs.chmodSync(it.put('a.txt', 'a'), 0o000);
      withoutRoot(t, it);
      await assert.rejects(it.read('a.txt'), fault('refused', /permission/));
    });
  });
}

describe('a file of two gigabytes', () => {
  /** Two lines, a hole, and two lines; nothing of the hole is on the disk. */
  function hugeFile(file: string, head: Buffer, tail: Buffer): void {
    const handle = fs.openSync(file, 'w');
    fs.writeSync(handle, head, 0, head.length, 0);
    fs.writeSync(handle, tail, 0, tail.length, HUGE);
    fs.closeSync(handle);
  }
  const head = Buffer.from(`first\nsecond\n${'text '.repeat(4000)}\n`);

  test('is not read as a whole, and the agent hears how it can be read', async (t) => {
    const it = room(t);
    hugeFile(it.path('huge'), head, Buffer.from('\nlast'));
    const words = /2\.1 GB \(21474\d+ bytes\).*at most 16\.8 MB.*"line" and "limit"/;
    await assert.rejects(it.read('huge'), fault('failed', words));
  });

  test('is read by ranges with little memory', async (t) => {
    const it = room(t);
    hugeFile(it.path('huge'), head, Buffer.from('\nünd 日本\r\nlast'));
    const before = process.resourceUsage().maxRSS;
    assert.equal(await it.read('huge', { limit: 2 }), 'first\nsecond\n');
    assert.equal(await it.read('huge', { line: 2, limit: 1 }), 'second\n');
    assert.equal(await it.read('huge', { line: 5, limit: 1 }), 'ünd 日本\r\n');
    assert.equal(await it.read('huge', { line: 5 }), 'ünd 日本\r\nlast');
    assert.equal(await it.read('huge', { line: 7, limit: 1 }), '');
    // Kilobytes.
    const grown = process.resourceUsage().maxRSS - before;
    assert.ok(grown < 64 * 1024, `${grown} KB`);
  });

  test('gives no more at once than a whole file may have', async (t) => {
    const it = room(t);
    hugeFile(it.path('huge'), head, Buffer.from('\nlast'));
    const words = /more than the 16\.8 MB.*smaller limit/;
    await assert.rejects(it.read('huge', { line: 2 }), fault('failed', words));
    await assert.rejects(it.read('huge', { line: 4, limit: 1 }), fault('failed', words));
  });

  test('is left alone when the request is cancelled', async (t) => {
    const it = room(t);
    hugeFile(it.path('huge'), head, Buffer.from('\nlast'));
    const stop = new AbortController();
    const reading = it.read('huge', { line: 5, limit: 1 }, stop.signal);
    setImmediate(() => {
      stop.abort();
    });
    await assert.rejects(reading, Cancelled);
  });

  test('has no known text, so that a later write does not take it for one', async (t) => {
    const it = room(t);
    hugeFile(it.path('huge'), head, Buffer.from('\nlast'));
    await it.read('huge', { limit: 1 });
    assert.equal(it.known.get(it.place('huge')), undefined);
    await assert.rejects(it.write('huge', 'first\n'), fault('failed', /too large/));
    assert.equal(fs.statSync(it.path('huge')).size, HUGE + 5);
  });
});

describe('lines of a file that is too large to be read as a whole', () => {
  const line = (number: number): string =>
    `${number}: grün, 日本語 ソ表 ${'x'.repeat(number % 90)}`;
  const plain = (number: number): string => `${number}: grün ${'é'.repeat(number % 90)}`;
  const cases = [
    ['utf8', line, '\n'],
    ['utf8bom', line, '\r\n'],
    ['utf16le', line, '\r\n'],
    ['utf16be', line, '\n'],
    ['utf16lebare', plain, '\n'],
    ['windows1252', plain, '\r'],
    [
      'shiftjis',
      (number: number) => `${number}: 日本語 ソ表 能力 ${'x'.repeat(number % 90)}`,
      '\n',
    ],
    ['gbk', (number: number) => `${number}: 简体中文 ${'中'.repeat(number % 90)}`, '\r\n'],
  ] as const;
  for (const [encoding, text, end] of cases) {
    test(`are the same as of a small one (${encoding})`, async (t) => {
      const it = room(t);
      // The beginning is Latin, as UTF-16 without a mark has to be to be recognised.
      const lines = Array.from({ length: 9000 }, (_, n) => (n < 40 ? `line ${n}` : text(n)) + end);
      if (!encoding.startsWith('utf')) it.codec.setting = encoding;
      it.put('a.txt', await it.codec.encode(lines.join(''), 'a.txt', encoding));
      it.settings.limitReads(100_000);
      assert.ok(it.bytes('a.txt').length > 200_000);
      for (const [first, count] of [
        [1, 3],
        [40, 20],
        [1000, 1],
        [2500, 5],
        [8999, 9],
      ] as const) {
        const expected = lines.slice(first - 1, first - 1 + count).join('');
        assert.equal(await it.read('a.txt', { line: first, limit: count }), expected);
      }
    });
  }

  test('are refused where the encoding can only be told for the whole', async (t) => {
    const it = room(t);
    it.put('a.txt', `${'日'.repeat(50_000)}\nlast\n`);
    it.settings.limitReads(1000);
    it.codec.decode = () => Promise.resolve({ text: '', encoding: 'iso2022jp' });
    await assert.rejects(it.read('a.txt', { line: 2 }), fault('failed', /in parts/));
  });
});
