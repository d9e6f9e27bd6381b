import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Utf8Pieces } from '../../../../src/client/terminals/utf8Pieces.ts';

function joined(pieces: readonly Uint8Array[]): string {
  const reader = new Utf8Pieces();
  const whole = pieces.map((piece) => {
    // What is passed on stands for itself.
    return reader
      .push(Buffer.from(piece))
      .map((text) => text.toString('utf8'))
      .join('');
  });
  return whole.join('') + reader.end().toString('utf8');
}

describe('the pieces of a stream', () => {
  test('give the same characters wherever they are cut', () => {
    const text = 'aä日🙂z\u{10ffff}';
    const bytes = Buffer.from(text);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const pieces = [
          bytes.subarray(0, first),
          bytes.subarray(first, second),
          bytes.subarray(second),
        ];
        assert.equal(joined(pieces), text);
      }
    }
    assert.equal(joined([...bytes].map((byte) => Uint8Array.of(byte))), text);
  });

  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const cases: readonly (readonly number[])[] = [
    [0xff],
    [0x61, 0x80, 0x62],
    [0xc3],
    [0xe6, 0x97],
    [0xf0, 0x9f, 0x99],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xe6, 0x97, 0x61],
    [0xc3, 0xc3, 0xa4],
    [0xef, 0xbb, 0xbf, 0x61],
  ];
  for (const bytes of cases) {
    test(`what is not UTF-8 becomes what a decoder makes of it: ${bytes.map((byte) => byte.toString(16)).join(' ')}`, () => {
      const expected = decoder.decode(Uint8Array.from(bytes));
      assert.equal(joined([Uint8Array.from(bytes)]), expected);
      assert.equal(joined(bytes.map((byte) => Uint8Array.of(byte))), expected);
    });
  }
});
