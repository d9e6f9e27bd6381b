import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LineScanner, type UnitKind } from '../../../../src/client/files/lineScanner.ts';
import { sliceLines } from '../../../../src/client/files/lines.ts';
import { random } from '../../thread/random.ts';

function bytesOf(text: string, kind: UnitKind): Buffer {
  if (kind === 'byte') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return kind === 'littleEndian' ? bytes : bytes.swap16();
}

function textOf(bytes: Buffer, kind: UnitKind): string {
  if (kind === 'byte') return bytes.toString('utf8');
  return (kind === 'littleEndian' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

/** The range that is found when the bytes come in pieces of a size. */
function found(bytes: Buffer, kind: UnitKind, first: number, count: number, size: number): Buffer {
  const scanner = new LineScanner(first, first + count, kind);
  for (let at = 0; at < bytes.length && scanner.found().end === null; at += size) {
    scanner.feed(bytes.subarray(at, at + size));
  }
  scanner.finish();
  const { start, end } = scanner.found();
  return bytes.subarray(start ?? bytes.length, end ?? bytes.length);
}

describe('lines that are found in bytes', () => {
  for (const kind of ['byte', 'littleEndian', 'bigEndian'] as const) {
    test(`are those of the text, in 1,000 random cases (${kind})`, () => {
      const { below } = random(5);
      // ഊ is U+0D0A and ਍ is U+0A0D: their bytes look like line ends.
      const alphabet = ['a', '\n', '\r', '\r\n', 'é', '😀', '\u0d0a', '\u0a0d', '\u0a00'];
      for (let round = 0; round < 1000; round++) {
        const parts = Array.from({ length: below(20) }, () => alphabet[below(alphabet.length)]);
        const text = parts.join('');
        const [first, count] = [below(6), below(4) === 0 ? Infinity : below(5)];
        const span = { line: first + 1, limit: count === Infinity ? null : count };
        const range = found(bytesOf(text, kind), kind, first, count, 2 + 2 * below(4));
        assert.equal(textOf(range, kind), sliceLines(text, span), JSON.stringify({ text, span }));
      }
    });
  }
});
