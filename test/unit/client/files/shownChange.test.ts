import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showsChange } from '../../../../src/client/files/shownChange.ts';

const change = (oldText: string | null, newText: string) => ({ oldText, newText });

const CASES: readonly (readonly [
  name: string,
  changes: Parameters<typeof showsChange>[0],
  before: string | null,
  after: string,
  expected: boolean,
])[] = [
  ['the whole text', [change('a\n', 'b\n')], 'a\n', 'b\n', true],
  ['the whole text, with other line ends', [change(null, 'b\nc\n')], 'a', 'b\r\nc\r\n', true],
  ['a new file', [change(null, 'b')], null, 'b', true],
  ['the whole text as if all of it were new', [change('', 'a\nx\n')], 'a\nb\n', 'a\nx\n', true],
  ['the new text as if it had been there before', [change('b\n', 'b\n')], 'a\n', 'b\n', false],
  [
    'the new text with less of a change than was made',
    [change('a\nx\nC\n', 'a\nx\nc\n')],
    'a\nb\nC\n',
    'a\nx\nc\n',
    false,
  ],
  ['a new file as if it had been there before', [change('b', 'b')], null, 'b', false],
  ['another text', [change('a', 'b')], 'a', 'c', false],
  ['nothing', [], 'a', 'a', false],
  ['some lines', [change('b', 'x')], 'a\nb\nc', 'a\nx\nc', true],
  ['some lines that stand there often, at one place', [change('b', 'x')], 'bab', 'bax', true],
  ['some lines that stand there often, at all places', [change('b', 'x')], 'bab', 'xax', true],
  ['lines that are taken away', [change('b\n', '')], 'a\nb\n', 'a\n', true],
  ['several changes, one after the other', [change('a', '1'), change('b', '2')], 'ab', '12', true],
  ['signs that mean something to a replacement', [change('b', '$&')], 'abc', 'a$&c', true],
  ['only a part of what changes', [change('a', '1')], 'ab', '12', false],
  ['lines that were not there', [change('x', '1')], 'ab', '1b', false],
  ['an addition to nothing in particular', [change(null, 'b')], 'a', 'ab', false],
  [
    'an addition to nothing in particular, beside a change',
    [change('a', '1'), change('', '2')],
    'ab',
    '1b',
    true,
  ],
];

for (const [name, changes, before, after, expected] of CASES) {
  test(`${name}: ${expected ? 'shows' : 'does not show'} the change`, () => {
    assert.equal(showsChange(changes, before, [after]), expected);
  });
}

test('any one of the texts will do', () => {
  assert.equal(showsChange([change(null, 'asked')], 'a', ['formatted', 'asked']), true);
});
