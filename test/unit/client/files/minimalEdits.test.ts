import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minimalEdits } from '../../../../src/client/files/minimalEdits.ts';
import type { TextEdit } from '../../../../src/client/ports.ts';
import { random } from '../../thread/random.ts';

function applied(before: string, edits: readonly TextEdit[]): string {
  let text = '';
  let done = 0;
  for (const { start, end, text: put } of edits) {
    assert.ok(start >= done && end >= start, 'sorted, and apart');
    text += before.slice(done, start) + put;
    done = end;
  }
  return text + before.slice(done);
}

describe('edits from one text to another', () => {
  const cases: readonly [string, string, string, readonly TextEdit[]][] = [
    ['are none for the same text', 'a\n', 'a\n', []],
    [
      'touch only the characters that change',
      'one two\n',
      'one 2wo\n',
      [{ start: 4, end: 5, text: '2' }],
    ],
    [
      'leave the lines in between alone',
      'a\nb\nc\n',
      'A\nb\nC\n',
      [
        { start: 0, end: 1, text: 'A' },
        { start: 4, end: 5, text: 'C' },
      ],
    ],
    [
      'change neighbouring lines each for itself',
      'aa\nbb\n',
      'ax\nbx\n',
      [
        { start: 1, end: 2, text: 'x' },
        { start: 4, end: 5, text: 'x' },
      ],
    ],
    ['insert a whole line', 'a\nb\n', 'a\nnew\nb\n', [{ start: 2, end: 2, text: 'new\n' }]],
    ['remove a whole line', 'a\nb\nc\n', 'a\nc\n', [{ start: 2, end: 4, text: '' }]],
    ['fill an empty text', '', 'a', [{ start: 0, end: 0, text: 'a' }]],
    ['empty a text', 'a\n', '', [{ start: 0, end: 2, text: '' }]],
    // U+1F600 and U+1F601 share their first half, U+1F600 and U+1FA00 have the same second one.
    ['take surrogate pairs whole at the front', 'x😀y', 'x😁y', [{ start: 1, end: 3, text: '😁' }]],
    [
      'take surrogate pairs whole at the end',
      '\u{1f600}',
      '\u{1fa00}',
      [{ start: 0, end: 2, text: '\u{1fa00}' }],
    ],
    ['take CRLF whole', 'a\r\n', 'a\n', [{ start: 1, end: 3, text: '\n' }]],
  ];
  for (const [name, before, after, expected] of cases) {
    test(name, () => {
      assert.deepEqual(minimalEdits(before, after), expected);
    });
  }

  test('give the text, in 2,000 random cases', () => {
    const { below } = random(3);
    const alphabet = ['a', 'b', '\n', '\r\n', '😀', '😁', '\r'];
    const some = (): string =>
      Array.from({ length: below(14) }, () => alphabet[below(alphabet.length)]).join('');
    for (let round = 0; round < 2000; round++) {
      const [before, after] = [some(), some()];
      assert.equal(applied(before, minimalEdits(before, after)), after);
    }
  });
});
