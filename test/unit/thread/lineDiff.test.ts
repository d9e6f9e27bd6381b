import assert from 'node:assert/strict';
import test from 'node:test';

import { lineChanges } from '../../../src/thread/lineChanges.ts';
import { diffLines, linesOf } from '../../../src/thread/lineDiff.ts';
import { random } from './random.ts';

/** The new text, made from the old one and the changes. */
function applied(oldText: string, newText: string): string {
  const oldLines = linesOf(oldText);
  const newLines = linesOf(newText);
  const result: string[] = [];
  let done = 0;
  for (const change of lineChanges(oldLines, newLines)) {
    result.push(...oldLines.slice(done, change.oldStart));
    result.push(...newLines.slice(change.newStart, change.newEnd));
    done = change.oldEnd;
  }
  const lines = [...result, ...oldLines.slice(done)];
  return lines.map((line) => (line.startsWith('\n') ? line.slice(1) : `${line}\n`)).join('');
}

test('applying the changes to the old text gives the new text, for thousands of random texts', () => {
  const { below } = random(7);
  const text = (): string => {
    const words = Array.from({ length: below(14) }, () => 'abcd'.charAt(below(4)));
    return words.join('\n') + (below(2) === 0 ? '\n' : '');
  };
  for (let round = 0; round < 5000; round++) {
    const [before, after] = [text(), text()];
    assert.equal(applied(before, after), after, JSON.stringify([before, after]));
  }
});

test('applying the changes of long files that were edited in many places gives the new file', () => {
  const { below } = random(11);
  for (let round = 0; round < 40; round++) {
    const lines = Array.from({ length: 300 }, () => `line ${below(round % 2 === 0 ? 6 : 400)}\n`);
    const edited = lines.flatMap((line) => {
      const dice = below(12);
      if (dice === 0) return [];
      return dice === 1 ? [line, `new ${below(50)}\n`] : [line];
    });
    assert.equal(applied(lines.join(''), edited.join('')), edited.join(''));
  }
});

test('one changed line is one line removed and one added, with three lines around it', () => {
  const oldText = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
  const { added, removed, rows, omittedRows } = diffLines(oldText, oldText.replace('5', 'five'));
  assert.deepEqual({ added, removed, omittedRows }, { added: 1, removed: 1, omittedRows: 0 });
  assert.deepEqual(
    rows.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text]),
    [
      ['same', 2, 2, '2'],
      ['same', 3, 3, '3'],
      ['same', 4, 4, '4'],
      ['del', 5, null, '5'],
      ['add', null, 5, 'five'],
      ['same', 6, 6, '6'],
      ['same', 7, 7, '7'],
      ['same', 8, 8, '8'],
    ],
  );
});

test('two changes with few lines between show each line once, with the numbers of both files', () => {
  const { rows } = diffLines('a\nb\nc\nd\ne\n', 'a\nc\nd\nE\n');
  assert.deepEqual(
    rows.map(({ kind, oldLine, newLine, text }) => [kind, oldLine, newLine, text]),
    [
      ['same', 1, 1, 'a'],
      ['del', 2, null, 'b'],
      ['same', 3, 2, 'c'],
      ['same', 4, 3, 'd'],
      ['del', 5, null, 'e'],
      ['add', null, 4, 'E'],
    ],
  );
});

test('a new file is all additions, and the end of its last line is no line', () => {
  const { added, removed, rows } = diffLines(null, 'one\ntwo\n');
  assert.deepEqual([added, removed], [2, 0]);
  assert.deepEqual(
    rows.map((row) => row.text),
    ['one', 'two'],
  );
});

test('a file that is emptied is all removals', () => {
  const { added, removed } = diffLines('one\ntwo', '');
  assert.deepEqual([added, removed], [0, 2]);
});

test('the same text has no rows', () => {
  assert.deepEqual(diffLines('x\ny\n', 'x\ny\n'), {
    added: 0,
    removed: 0,
    rows: [],
    omittedRows: 0,
  });
});

test('a missing last line end is a change', () => {
  const { added, removed } = diffLines('x\ny\n', 'x\ny');
  assert.deepEqual([added, removed], [1, 1]);
});

test('the rows of a CRLF file carry no carriage return, and turning it to LF is a change', () => {
  const { added, rows } = diffLines('x\r\ny\r\n', 'x\r\ny\n');
  assert.equal(added, 1);
  assert.deepEqual(
    rows.map((row) => row.text),
    ['x', 'y', 'y'],
  );
});

test('a diff longer than 400 rows is cut, and says how many rows are left out', () => {
  const { added, rows, omittedRows } = diffLines(null, 'line\n'.repeat(1000));
  assert.equal(added, 1000);
  assert.equal(rows.length, 400);
  assert.equal(omittedRows, 600);
});

test('a line of a megabyte is shown by its first 1,000 characters', () => {
  const { rows } = diffLines('', 'x'.repeat(1_000_000));
  assert.equal(rows[0]?.text.length, 1000);
  assert.ok(rows[0].text.endsWith('x…'));
});

test('unlike files give up on the fewest edits before they have used up their steps', () => {
  const { below } = random(3);
  const file = (words: number): string =>
    Array.from({ length: 10_000 }, () => `${below(words)}\n`).join('');
  for (const words of [2, 5, 300, 5_000, 1_000_000]) {
    const [before, after] = [file(words), file(words)];
    const started = process.cpuUsage();
    assert.equal(applied(before, after), after);
    // The figure is 50 ms (the benchmark shows it); without the bounds it is seconds.
    assert.ok(process.cpuUsage(started).user < 1_500_000);
  }
});

test('when a pair of files has used up its steps, the gaps that are left are replaced whole', () => {
  const { below } = random(9);
  const gaps = 400;
  const file = (): string[] =>
    Array.from({ length: gaps }, (_, gap) => [
      `anchor ${gap}`,
      `begin ${below(1_000_000)}`,
      ...Array.from({ length: 200 }, () => `word ${below(3)}`),
      `end ${below(1_000_000)}`,
    ]).flat();
  const changes = lineChanges(file(), file());
  const inGap = (gap: number): number =>
    changes.filter(({ oldStart }) => Math.floor(oldStart / 203) === gap).length;
  assert.ok(inGap(0) > 1, 'the first gap is compared line by line');
  assert.equal(inGap(gaps - 1), 1);
});
