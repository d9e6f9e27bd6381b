import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineSplitter } from '../../../src/protocol/lines.ts';

interface Found {
  readonly lines: string[];
  readonly dropped: number[];
}

function split(pieces: readonly Buffer[], maxLineBytes = 1 << 20): Found {
  const found: Found = { lines: [], dropped: [] };
  const splitter = new LineSplitter(maxLineBytes, {
    line: (text) => found.lines.push(text),
    dropped: (bytes) => found.dropped.push(bytes),
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return found;
}

/** Pseudo-random numbers below `n`, the same in every run (mulberry32). */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** Characters of one to four bytes, the separators that are none, and what JSON escapes. */
const ALPHABET = [
  'a',
  ' ',
  '"',
  '\\\\',
  'é',
  '\u2028',
  '\u2029',
  '\u0085',
  '日',
  '🙂',
  '\ufeff',
  '}',
  '\t',
];

function randomLine(roll: (n: number) => number): string {
  const length = roll(40);
  const text = Array.from({ length }, () => ALPHABET[roll(ALPHABET.length)] ?? '').join('');
  return JSON.stringify({ text });
}

test('lines are the same wherever the stream is cut: at every single byte border', () => {
  const lines = ['{"a":"é\u2028日🙂"}', '[]', '{"b":1}'];
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      const pieces = [
        bytes.subarray(0, first),
        bytes.subarray(first, second),
        bytes.subarray(second),
      ];
      assert.deepEqual(split(pieces).lines, lines, `cut at ${first} and ${second}`);
    }
  }
  assert.deepEqual(split([...bytes].map((byte) => Buffer.of(byte))).lines, lines, 'byte by byte');
});

test('random lines with random cuts come out as they went in', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const roll = dice(seed);
    const lines = Array.from({ length: 1 + roll(20) }, () => randomLine(roll));
    const ends = lines.map((line) => line + (['\n', '\r\n', '\n\n', '\n \r\n'][roll(4)] ?? ''));
    const bytes = Buffer.from(ends.join(''));
    const pieces: Buffer[] = [];
    for (let start = 0; start < bytes.length;) {
      const end = Math.min(bytes.length, start + 1 + roll(roll(3) === 0 ? 3 : 200));
      pieces.push(bytes.subarray(start, end));
      start = end;
    }
    assert.deepEqual(split(pieces).lines, lines, `seed ${seed}`);
  }
});

test('U+2028, U+2029, U+0085, vertical tab, form feed and a lone carriage return end no line', () => {
  const line = '{"x":"a\u2028b\u2029c\u0085d\u000be\u000cf\rg"}';
  assert.deepEqual(split([Buffer.from(`${line}\n`)]).lines, [line]);
});

test('blank lines, CRLF and byte-order marks are tolerated', () => {
  const bytes = Buffer.from('\ufeff{"a":1}\r\n\r\n\n   \n\t\r\n\ufeff\n\ufeff{"b":2}\n');
  assert.deepEqual(split([bytes]).lines, ['{"a":1}', '{"b":2}']);
});

test('bytes that are no UTF-8 spoil their line only', () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":"'),
    Buffer.of(0xff, 0xc3),
    Buffer.from('"}\n{"b":1}\n'),
  ]);
  assert.deepEqual(split([bytes]).lines, ['{"a":"\ufffd\ufffd"}', '{"b":1}']);
});

test('what is left without a line end when the stream ends is a line too', () => {
  assert.deepEqual(split([Buffer.from('{"a":1}\n{"b"'), Buffer.from(':2}')]).lines, [
    '{"a":1}',
    '{"b":2}',
  ]);
  assert.deepEqual(split([]).lines, []);
});

test('a line of exactly the limit passes, one byte more is dropped, and the next line is found', () => {
  const fits = 'x'.repeat(100);
  const long = 'y'.repeat(101);
  const bytes = Buffer.from(`${fits}\n${long}\nnext\n${long}${long}${long}\nlast`);
  for (const size of [1, 7, 64, 100, 1000]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    const found = split(pieces, 100);
    assert.deepEqual(found.lines, [fits, 'next', 'last'], `pieces of ${size}`);
    assert.equal(found.dropped.length, 2, 'each is told once');
    assert.ok(found.dropped.every((count) => count > 100));
  }
});

test('a line that never ends takes no more memory than the limit', () => {
  const splitter = new LineSplitter(1 << 20, {
    line: () => assert.fail(),
    dropped: () => undefined,
  });
  const piece = Buffer.alloc(64 << 10, 'x');
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let n = 0; n < 4_096; n += 1) {
    splitter.push(piece);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  // 256 MB went in. A buffer that doubles up to the limit, and its predecessors until they are collected.
  assert.ok(most <= 4 << 20, `${most} bytes`);
});

interface Copying {
  copy(target: Uint8Array, targetStart?: number, start?: number, end?: number): number;
}

function isCopying(value: unknown): value is Copying {
  return typeof value === 'object' && value !== null && 'copy' in value;
}

test('the bytes of a 16 MB line are copied a bounded number of times', (context) => {
  const buffers: unknown = Buffer.prototype;
  assert.ok(isCopying(buffers));
  const { mock } = context.mock.method(buffers, 'copy');
  const piece = Buffer.alloc(64 << 10, 'x');
  const found = split([...Array.from({ length: 256 }, () => piece), Buffer.from('\n')], 64 << 20);
  assert.equal(found.lines[0]?.length, 16 << 20);
  const copied = mock.calls.reduce((sum, call) => sum + (call.result ?? 0), 0);
  assert.ok(copied >= 16 << 20, 'the copies were counted');
  // Once into the buffer, and again each time it doubles: 1 + 1/2 + 1/4 + ...
  assert.ok(copied <= 2 * (16 << 20), `${copied} bytes`);
});
