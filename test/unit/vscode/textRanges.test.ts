import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  sliceLines,
  smallestReplacement,
  withLineEndsOf,
} from '../../../src/vscode/ports/textRanges.ts';

describe('a range of lines', () => {
  const text = 'one\ntwo\r\nthree\rfour';
  const cases: readonly [number | null, number | null, string][] = [
    [null, null, text],
    [1, null, text],
    [0, null, text],
    [1, 1, 'one\n'],
    [2, 1, 'two\r\n'],
    [3, 1, 'three\r'],
    [4, 1, 'four'],
    [2, 2, 'two\r\nthree\r'],
    [2, null, 'two\r\nthree\rfour'],
    [null, 2, 'one\ntwo\r\n'],
    [4, 99, 'four'],
    [5, 1, ''],
    [99, null, ''],
    [1, 0, ''],
  ];
  for (const [line, limit, expected] of cases) {
    test(`from line ${String(line)}, ${String(limit)} lines`, () => {
      assert.equal(sliceLines(text, { line, limit }), expected);
    });
  }

  test('an empty file has one empty line and nothing after it', () => {
    assert.equal(sliceLines('', { line: 1, limit: 1 }), '');
    assert.equal(sliceLines('', { line: 2, limit: 1 }), '');
  });

  test('consecutive ranges make up the file', () => {
    const parts = [1, 2, 3, 4, 5].map((line) => sliceLines(text, { line, limit: 1 }));
    assert.equal(parts.join(''), text);
  });
});

describe('the smallest replacement', () => {
  function applied(before: string, after: string): string {
    const change = smallestReplacement(before, after);
    if (change === null) return before;
    return before.slice(0, change.start) + change.text + before.slice(change.end);
  }

  test('leaves what both texts begin and end with', () => {
    assert.deepEqual(smallestReplacement('let a = 1;\n', 'let a = 20;\n'), {
      start: 8,
      end: 9,
      text: '20',
    });
  });

  test('is none for equal texts', () => {
    assert.equal(smallestReplacement('same', 'same'), null);
  });

  test('does not count a character to both ends', () => {
    assert.equal(applied('aa', 'aaa'), 'aaa');
    assert.equal(applied('aaa', 'aa'), 'aa');
    assert.equal(applied('abab', 'ab'), 'ab');
  });

  test('never begins or ends inside a character or a CRLF', () => {
    // Both emoji begin with the same half, and both end with another same half.
    const change = smallestReplacement('x😀y', 'x😁y');
    assert.deepEqual(change, { start: 1, end: 3, text: '😁' });
    assert.deepEqual(smallestReplacement('a\r\nb', 'a\rb'), { start: 1, end: 3, text: '\r' });
    assert.deepEqual(smallestReplacement('a\nb', 'a\r\nb'), { start: 1, end: 2, text: '\r\n' });
  });

  test('gives the new text for every pair of a thousand', () => {
    const alphabet = ['a', 'b', '\n', '\r\n', '😀', '😁', '\r'];
    let seed = 7;
    const random = (limit: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % limit;
    };
    const word = (): string =>
      Array.from({ length: random(8) }, () => alphabet[random(alphabet.length)]).join('');
    for (let i = 0; i < 1000; i += 1) {
      const [before, after] = [word(), word()];
      assert.equal(applied(before, after), after, JSON.stringify([before, after]));
    }
  });
});

describe('line ends', () => {
  test('stay CRLF in a file that has CRLF', () => {
    assert.equal(withLineEndsOf('a\r\nb\r\n', 'a\nc\n'), 'a\r\nc\r\n');
  });

  test('stay LF in a file that has LF', () => {
    assert.equal(withLineEndsOf('a\nb\n', 'a\r\nc\r\n'), 'a\nc\n');
  });

  test('are the agent’s in a file that has none or several kinds', () => {
    assert.equal(withLineEndsOf('a', 'a\r\nb\n'), 'a\r\nb\n');
    assert.equal(withLineEndsOf('a\r\nb\nc', 'a\r\nb\n'), 'a\r\nb\n');
  });
});
