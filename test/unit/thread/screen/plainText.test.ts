import assert from 'node:assert/strict';
import test from 'node:test';

import { plainText, screenLines } from '../../../../src/thread/screen.ts';
import { random } from '../random.ts';
import { randomOutput } from './randomOutput.ts';

test('plain output stays as it is, but for line ends and blanks at its end', () => {
  assert.equal(plainText('a\r\n\tb  \nc\n\n'), 'a\n\tb  \nc');
});

test('what was overwritten is gone, colours and links are their text', () => {
  const raw =
    '1 %\r\u001b[K100 %\n\u001b[31mred\u001b[0m \u001b]8;;x:y\u0007link\u001b]8;;\u0007\n';
  assert.equal(plainText(raw), '100 %\nred link');
});

test('a line longer than a row is one line', () => {
  const raw = `\u001b[1m${'x'.repeat(2500)}\n${'y'.repeat(1000)}\nz`;
  assert.deepEqual(
    plainText(raw)
      .split('\n')
      .map((line) => line.length),
    [2500, 1000, 1],
  );
});

test('it is what the screen shows, for thousands of random outputs', () => {
  const { below } = random(7);
  for (let round = 0; round < 2000; round++) {
    const raw = randomOutput(below, 60);
    const shown = screenLines(raw, 100_000).lines.map((line) => line.map((s) => s.text).join(''));
    assert.equal(plainText(raw).trimEnd(), shown.join('\n').trimEnd(), JSON.stringify(raw));
  }
});

test('nothing gets lost of output far longer than what a screen reaches', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `\u001b[3${index % 8}m${index}`);
  assert.equal(plainText(lines.join('\n')), lines.map((_, index) => String(index)).join('\n'));
});

test('its length is bounded by what came in, whatever the jumps', () => {
  const raw = '\u001b[24;999Hx\u001b[Hy\n'.repeat(50_000);
  assert.ok(plainText(raw).length <= 4 * raw.length + 70_000);
});
