import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withLineEndsOf } from '../../../../src/client/files/lineEnds.ts';
import { sliceLines, softlyEqual, splitLines } from '../../../../src/client/files/lines.ts';

describe('a range of lines', () => {
  const text = 'one\ntwo\r\nthree\rfour';
  const cases: readonly [number | null, number | null, string][] = [
    [null, null, text],
    [1, null, text],
    [0, null, text],
    [-5, 1, 'one\n'],
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
    [1, -1, ''],
  ];
  for (const [line, limit, expected] of cases) {
    test(`from line ${String(line)}, ${String(limit)} lines`, () => {
      assert.equal(sliceLines(text, { line, limit }), expected);
    });
  }

  test('of an empty file is empty', () => {
    assert.equal(sliceLines('', { line: 1, limit: 1 }), '');
    assert.equal(sliceLines('', { line: 2, limit: null }), '');
  });

  test('and the next ones make up the file', () => {
    const parts = [1, 2, 3, 4, 5].map((line) => sliceLines(text, { line, limit: 1 }));
    assert.equal(parts.join(''), text);
    assert.deepEqual(splitLines(text), parts.slice(0, 4));
  });
});

test('texts that differ in line ends alone count as equal', () => {
  assert.ok(softlyEqual('a\r\nb\rc\n', 'a\nb\nc\r\n'));
  assert.ok(!softlyEqual('a\r\n\r\n', 'a\n'));
});

describe('the line ends of a file that is replaced', () => {
  const cases: readonly [string, string, string, string][] = [
    ['of one kind stay', 'a\r\nb\r\n', 'a\nx\nb\n', 'a\r\nx\r\nb\r\n'],
    ['of one kind stay, were they the old Mac ones', 'a\rb\r', 'a\nc\n', 'a\rc\r'],
    ['that are not there say nothing', 'a', 'a\r\nb\n', 'a\r\nb\n'],
    ['stay with each line that did not change', 'a\r\nb\nc\rd\n', 'a\nb\nc\nd\n', 'a\r\nb\nc\rd\n'],
    ['come from the line above', 'a\r\nb\nc\n', 'a\nnew\nb\nc\n', 'a\r\nnew\r\nb\nc\n'],
    [
      'come from the line below, with none above',
      'a\r\nb\nc\n',
      'new\na\nb\nc\n',
      'new\r\na\r\nb\nc\n',
    ],
    ['are those of changed neighbours, too', 'a\nb\r\nc\n', 'a\nB\nc\n', 'a\nB\nc\n'],
    ['leave a last line without one', 'a\r\nb\nc', 'a\nb\nc', 'a\r\nb\nc'],
    ['are added to a last line that had none', 'a\r\nb\nc', 'a\nb\nc\nd\n', 'a\r\nb\nc\nd\n'],
    ['are taken from a last line that has none now', 'a\r\nb\nc\n', 'a\nb\nc', 'a\r\nb\nc'],
    [
      'of a file of which nothing is left are the most frequent',
      'a\r\nb\r\nc\n',
      'x\ny\n',
      'x\r\ny\r\n',
    ],
  ];
  for (const [name, before, text, expected] of cases) {
    test(name, () => {
      assert.equal(withLineEndsOf(before, text), expected);
    });
  }
});
