import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LineSplitter } from '../../../../src/agent/server/lines.ts';

/** What comes out when these pieces go in. */
function split(maxBytes: number, ...pieces: readonly string[]): readonly string[] {
  const splitter = new LineSplitter(maxBytes);
  const lines = pieces.flatMap((piece) => splitter.push(Buffer.from(piece)));
  return [...lines, ...splitter.flush()].map(({ kind, bytes }) => `${kind} ${bytes.toString()}`);
}

describe('lines', () => {
  test('end at a newline, wherever the pieces are cut', () => {
    const text = 'one\n\ntwö\r\n\u2028three';
    const expected = ['line one', 'line ', 'line twö\r', 'line \u2028three'];
    assert.deepEqual(split(100, text), expected);
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at += 1) {
      const splitter = new LineSplitter(100);
      const lines = [bytes.subarray(0, at), bytes.subarray(at)].flatMap((piece) =>
        splitter.push(piece),
      );
      const got = [...lines, ...splitter.flush()].map((line) => `line ${line.bytes.toString()}`);
      assert.deepEqual(got, expected, `cut at ${at}`);
    }
  });

  test('may have exactly as many bytes as allowed, without the newline', () => {
    assert.deepEqual(split(4, 'abcd\nabcde\nab\n'), ['line abcd', 'tooLong abcde', 'line ab']);
    assert.deepEqual(split(4, 'ab', 'cd', '\n', 'ab', 'cde\n'), ['line abcd', 'tooLong abcde']);
    assert.deepEqual(split(2, 'ü\nüx\n'), ['line ü', 'tooLong üx']);
  });

  test('may come byte by byte, of which few pieces are kept', () => {
    const bytes = Array.from({ length: 5_321 }, (_, at) => String(at % 10));
    assert.deepEqual(split(10_000, ...bytes, '\nnext\n'), [`line ${bytes.join('')}`, 'line next']);
  });

  test('that are too long leave how they began, and are told of once', () => {
    const long = 'x'.repeat(1000);
    assert.deepEqual(split(200, long, long, `${long}\nnext\n`), [
      `tooLong ${'x'.repeat(128)}`,
      'line next',
    ]);
    assert.deepEqual(split(200, long, long), [`tooLong ${'x'.repeat(128)}`]);
  });
});
