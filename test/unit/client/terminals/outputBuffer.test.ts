import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OutputBudget } from '../../../../src/client/terminals/outputBudget.ts';
import { OutputBuffer } from '../../../../src/client/terminals/outputBuffer.ts';

const PLENTY = new OutputBudget(1 << 30);
const KB = 1 << 10;
const MB = 1 << 20;

function filled(text: string, limit?: number, budget = PLENTY): OutputBuffer {
  const buffer = new OutputBuffer(budget, limit);
  buffer.append(Buffer.from(text));
  return buffer;
}

/** What is left of a text when at most so many bytes may be. */
function last(text: string, bytes: number): string {
  const buffer = filled(text);
  return buffer.text(buffer.lastBytes(bytes));
}

describe('the end of an output begins at a safe place', () => {
  const cases: readonly (readonly [string, string, number, string])[] = [
    ['all of it fits', 'hello', 5, 'hello'],
    ['nothing is wanted', 'hello', 0, ''],
    ['plain text is cut to the byte', 'hello', 2, 'lo'],
    ['a two-byte character is not cut', 'aäb', 2, 'b'],
    ['a three-byte character is not cut', 'a日b', 3, 'b'],
    ['a four-byte character is not cut', 'a🙂b', 4, 'b'],
    ['a four-byte character that fits is kept', 'a🙂b', 5, '🙂b'],
    ['a colour is not cut', 'a\x1b[31mred', 5, 'red'],
    ['a colour is kept from its beginning on', 'a\x1b[31mred', 8, '\x1b[31mred'],
    ['a cut right after a sequence is safe', 'a\x1b[31mred', 3, 'red'],
    ['true colour is not cut', '\x1b[38;2;10;20;30mX', 12, 'X'],
    ['a link is not cut', '\x1b]8;;http://x.y\x1b\\name', 10, 'name'],
    ['a title is not cut', '\x1b]0;title\x07text', 8, 'text'],
    ['a device string is not cut', '\x1bPq#0;data\x1b\\after', 10, 'after'],
    ['BEL is a part of a device string', '\x1bPab\x07cd\x1b\\after', 9, 'after'],
    ['a charset is not cut', 'a\x1b(Bb', 2, 'b'],
    ['a sequence of two bytes is not cut', 'a\x1b7b', 2, 'b'],
    ['CAN ends a sequence', 'a\x1b[31\x18mb', 4, 'mb'],
    ['a sequence that has not ended is left out', 'abc\x1b[3', 2, ''],
    ['the last of many sequences counts', '\x1b[1m\x1b[2m\x1b[3mx', 7, '\x1b[3mx'],
    ['a sequence that another one breaks off', '\x1b[12\x1b[34mx', 5, 'x'],
    ['a colour of 8 bits is not cut', 'a\x9b31mred', 5, 'red'],
    ['a colour of 8 bits is kept from its beginning on', 'a\x9b31mred', 8, '\x9b31mred'],
    ['a title of 8 bits is not cut', '\x9d0;title\x9ctext', 9, 'text'],
    ['a device string of 8 bits is not cut', '\x90qdata\x9cafter', 9, 'after'],
    ['a private message of 8 bits is not cut', '\x9eqdata\x9cafter', 9, 'after'],
    ['an 8-bit terminator ends a string of 7 bits', '\x1b]0;title\x9ctext', 9, 'text'],
    ['any control of 8 bits breaks a sequence off', 'a\x1b[31\x85mb', 4, 'mb'],
    ['a no-break space is no control, and ends no string', '\x1b]0;a\xa0b\x07text', 8, 'text'],
    ['what only ends with the byte of such a control is none', 'a日\u069b31mx', 4, '31mx'],
  ];
  for (const [name, text, bytes, expected] of cases) {
    test(name, () => {
      assert.equal(last(text, bytes), expected);
    });
  }

  test('also where blocks meet in the middle of a character or a sequence', () => {
    for (let shift = 0; shift < 12; shift += 1) {
      const text = `${'x'.repeat(4 * KB - shift)}\x1b[38;5;196m🙂red`;
      assert.equal(last(text, 7), '🙂red', `shift ${shift}`);
      assert.equal(last(text, 9), '🙂red', `shift ${shift}`);
      assert.equal(last(text, 18), '\x1b[38;5;196m🙂red', `shift ${shift}`);
    }
  });

  test('also where blocks meet in the middle of an 8-bit control', () => {
    for (let shift = 0; shift < 12; shift += 1) {
      const text = `${'x'.repeat(4 * KB - shift)}\x9b38;5;196m\x9b1mred`;
      const buffer = filled(text);
      assert.equal(buffer.text(0), text, `shift ${shift}`);
      assert.equal(last(text, 5), 'red', `shift ${shift}`);
      assert.equal(last(text, 8), '\x9b1mred', `shift ${shift}`);
      assert.equal(last(text, 12), '\x9b1mred', `shift ${shift}`);
    }
  });

  test('a flood of what looks like the beginning of an 8-bit control is kept whole', () => {
    const text = `${'\xa0'.repeat(100 * KB)}\x9b1m${'\xa0«'.repeat(50 * KB)}x`;
    const buffer = filled(text);
    assert.equal(buffer.text(0), text);
    assert.equal(buffer.end, Buffer.byteLength(text));
  });

  test('a long string is left out whole, but a stray beginning of one does not swallow all', () => {
    assert.equal(last(`\x1b]52;c;${'A'.repeat(300 * KB)}\x07text`, 100 * KB), 'text');
    assert.equal(last(`\x1b]${'A'.repeat(3 * MB)}`, 100), 'A'.repeat(100));
  });

  test('characters: at most so many are left, and no half of one', () => {
    const buffer = filled('ab🙂日c');
    const tail = (count: number): string => buffer.text(buffer.lastCharacters(count, 0));
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(tail), [
      '',
      'c',
      '日c',
      '日c',
      '🙂日c',
      'b🙂日c',
      'ab🙂日c',
    ]);
  });
});

describe('an output buffer', () => {
  test('holds what was appended in any pieces, and gives any part of it', () => {
    const buffer = new OutputBuffer(PLENTY);
    const pieces = Array.from({ length: 3_000 }, (_, n) => `${n} schön 日本語 🙂\n`);
    for (const piece of pieces) buffer.append(Buffer.from(piece));
    const all = pieces.join('');
    assert.equal(buffer.text(0), all);
    const first = Buffer.byteLength(pieces.slice(0, 1_000).join(''));
    const end = Buffer.byteLength(pieces.slice(0, 2_000).join(''));
    assert.equal(buffer.text(first, end), pieces.slice(1_000, 2_000).join(''));
    buffer.trim();
    assert.equal(buffer.text(0), all);
    assert.equal(buffer.allocated, Buffer.byteLength(all));
    buffer.append(Buffer.from('more'));
    assert.equal(buffer.text(0), `${all}more`);
  });

  test('never takes more memory than its limit and keeps the last of what came', () => {
    const buffer = new OutputBuffer(PLENTY, 256 * KB);
    const line = Buffer.from('0123456789abcde\n');
    for (let n = 0; n < (1 * MB) / line.length; n += 1) {
      buffer.append(line);
      assert.ok(buffer.allocated <= 256 * KB);
    }
    assert.equal(buffer.end, MB);
    assert.ok(buffer.end - buffer.start >= 192 * KB);
    assert.match(buffer.text(buffer.safeStart(0)), /^(?:0123456789abcde\n)+$/);
  });

  test('knows that the oldest that it holds lies in a sequence', () => {
    const title = `\x1b]0;${'t'.repeat(200 * KB)}\x07`;
    const text = `${'x'.repeat(60 * KB)}${title}${'y'.repeat(20 * KB)}`;
    const buffer = filled(text, 128 * KB);
    assert.ok(buffer.start > 60 * KB && buffer.start < 260 * KB);
    assert.equal(buffer.text(buffer.safeStart(0)), 'y'.repeat(20 * KB));
  });

  test('takes no more time the more it holds', () => {
    const buffer = new OutputBuffer(PLENTY);
    const piece = Buffer.alloc(64 * KB, 'x');
    const time = (): number => {
      const before = performance.now();
      for (let n = 0; n < 1_000; n += 1) buffer.append(piece);
      return performance.now() - before;
    };
    const [first] = [time(), time()];
    const times = Array.from({ length: 5 }, time);
    assert.ok(Math.min(...times) < 5 * first + 50, `${first} ms, then ${times.join()} ms`);
  });

  test('is empty for good once it is closed', () => {
    const budget = new OutputBudget(MB);
    const buffer = filled('hello', undefined, budget);
    assert.ok(budget.used > 0);
    buffer.close();
    buffer.append(Buffer.from('more'));
    assert.deepEqual([buffer.text(0), budget.used], ['', 0]);
  });
});

describe('the budget over all buffers', () => {
  test('is never passed, and the largest gives up its oldest', () => {
    const budget = new OutputBudget(MB);
    const small = filled('small', undefined, budget);
    const large = filled('l'.repeat(900 * KB), undefined, budget);
    const middle = filled('m'.repeat(500 * KB), undefined, budget);
    assert.ok(budget.used <= MB);
    assert.equal(small.text(0), 'small');
    assert.equal(middle.text(middle.safeStart(0)), 'm'.repeat(500 * KB));
    assert.ok(large.start > 0 && large.end - large.start >= 400 * KB);
  });

  test('lets one that is alone have all of it', () => {
    const budget = new OutputBudget(128 * KB);
    const buffer = filled('x'.repeat(MB), undefined, budget);
    assert.ok(budget.used <= 128 * KB);
    assert.ok(buffer.end - buffer.start > 32 * KB);
  });
});

describe('a thousand random outputs', () => {
  const pieces = [
    'a',
    'bc',
    'ä',
    '日',
    '🙂',
    '\x1b[31m',
    '\x1b]8;;u\x1b\\',
    '\x1b]0;t\x07',
    '\x1b(B',
    '\r\n',
  ];

  test('begin nowhere but at the beginning of a piece, as late as they must', () => {
    let seed = 3;
    const next = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * most);
    };
    for (let round = 0; round < 1_000; round += 1) {
      const parts = Array.from({ length: 1 + next(40) }, () => pieces[next(pieces.length)] ?? '');
      const limit = next(80);
      const units = parts.flatMap((part) => (part.startsWith('\x1b') ? [part] : Array.from(part)));
      let [rest, size] = ['', 0];
      for (const unit of units.toReversed()) {
        size += Buffer.byteLength(unit);
        if (size > limit) break;
        rest = unit + rest;
      }
      assert.equal(last(parts.join(''), limit), rest, JSON.stringify([parts, limit]));
    }
  });
});
