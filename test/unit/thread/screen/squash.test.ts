import assert from 'node:assert/strict';
import test from 'node:test';

import { screenLines, squash } from '../../../../src/thread/screen.ts';
import { Screen } from '../../../../src/thread/screen/screen.ts';
import type { Row, ScreenSpan } from '../../../../src/thread/screen/row.ts';
import { squashedEnd } from '../../../../src/thread/screen/squash.ts';
import { random } from '../random.ts';
import { randomOutput } from './randomOutput.ts';

/** Everything that is on screen, and where it goes on. */
function state(...pieces: readonly string[]): object {
  const rows: Row[] = [];
  const screen = new Screen((row) => rows.push(row));
  for (const piece of pieces) screen.write(piece);
  const all = [...rows, ...screen.rows].map((row) => {
    const spans: ScreenSpan[] = [];
    row.addTo(spans);
    return { wrapped: row.wrapped, spans };
  });
  const { row, column, style } = screen.cursor;
  return { rows: all, row: row + rows.length, column, style };
}

test('output split anywhere gives the same screen, for thousands of random outputs', () => {
  const { below } = random(3);
  for (let round = 0; round < 2000; round++) {
    const raw = randomOutput(below, 40);
    const first = below(raw.length + 1);
    const second = first + below(raw.length - first + 1);
    const pieces = [raw.slice(0, first), raw.slice(first, second), raw.slice(second)];
    assert.deepEqual(state(...pieces), state(raw), JSON.stringify(pieces));
  }
});

test('output given one unit at a time gives the same screen', () => {
  const { below } = random(4);
  for (let round = 0; round < 300; round++) {
    const raw = randomOutput(below, 40);
    assert.deepEqual(state(...raw.split('')), state(raw), JSON.stringify(raw));
  }
});

test('squashed output looks the same and goes on the same, and is never longer', () => {
  const { below } = random(5);
  for (let round = 0; round < 2000; round++) {
    const before = randomOutput(below, 60);
    const after = randomOutput(below, 20);
    const squashed = squash(before);
    assert.ok(squashed.length <= before.length);
    assert.deepEqual(state(squashed), state(before), JSON.stringify(before));
    const whole = squashedEnd(before, Infinity);
    assert.equal(whole.cut, false);
    for (const text of [squashed, whole.text]) {
      assert.deepEqual(state(text + after), state(before + after), JSON.stringify([before, after]));
    }
  }
});

test('a progress bar of a million steps becomes one line', () => {
  const bar = Array.from({ length: 100_000 }, (_, step) => `\r\u001b[K${step} of 99999`).join('');
  const squashed = squash(`first\n${bar}`);
  assert.ok(squashed.length < 60, squashed);
  assert.deepEqual(
    screenLines(`${squashed}\nend`, 10).lines.map((line) => line[0]?.text),
    ['first', '99999 of 99999', 'end'],
  );
});

test('lines redrawn from below become what they are now', () => {
  const frame = (step: number): string => `\u001b[2A\u001b[2Ka ${step}\n\u001b[2Kb ${step}\n`;
  const frames = Array.from({ length: 5000 }, (_, step) => frame(step)).join('');
  assert.ok(squash(`head\n\n\n${frames}`).length < 60);
});

test('plain output is left as it is', () => {
  for (const raw of ['', 'a\nb\r\n', 'x'.repeat(5000)]) assert.equal(squash(raw), raw);
});

test('the end of a screen begins at a row, in its own style, and fits', () => {
  const raw = Array.from(
    { length: 9000 },
    (_, index) => `\u001b[3${index % 8}mline ${index}\n`,
  ).join('');
  const { text, cut } = squashedEnd(raw, 40_000);
  assert.equal(cut, true);
  assert.ok(text.length <= 40_100 && text.length > 39_000, `${text.length}`);
  const { lines } = screenLines(text, 10_000);
  const all = screenLines(raw, 10_000).lines;
  assert.deepEqual(lines, all.slice(-lines.length));
});

test('one row that is too long with its colours is kept without them', () => {
  const cell = (index: number): string =>
    `\u001b[1;2;3;4;7;9;38;2;200;200;${index % 250};48;2;200;201;202mx`;
  const raw = Array.from({ length: 1000 }, (_, index) => cell(index)).join('');
  const { text } = squashedEnd(raw, 32_768);
  assert.ok(text.length <= 33_200, `${text.length}`);
  assert.equal(
    screenLines(text, 5)
      .lines[0]?.map((span) => span.text)
      .join(''),
    'x'.repeat(1000),
  );
});
