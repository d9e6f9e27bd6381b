import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { OutputBudget } from '../../../../src/client/terminals/outputBudget.ts';
import { OutputBuffer } from '../../../../src/client/terminals/outputBuffer.ts';
import { OutputReader, type Pace } from '../../../../src/client/terminals/outputReader.ts';

const SKIPPING: Pace = { every: 100, most: 10, skips: true };
const WHOLE: Pace = { every: 20, most: 10, skips: false };

function setUp(pace: Pace, limit?: number) {
  const buffer = new OutputBuffer(new OutputBudget(1 << 30), limit);
  const heard: [string, boolean][] = [];
  const reader = new OutputReader(buffer, pace, (text, cut) => heard.push([text, cut]));
  const print = (text: string): void => {
    buffer.append(Buffer.from(text));
    reader.poke();
  };
  return { buffer, heard, reader, print };
}

describe('a reader of output', () => {
  let now = 0;
  const pass = (ms: number): void => {
    now += ms;
    mock.timers.tick(ms);
  };

  beforeEach(() => {
    now = 1_000;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  test('passes the first on at once, and what follows soon after it together', () => {
    const { heard, print } = setUp(SKIPPING);
    print('a');
    assert.deepEqual(heard, [['a', false]]);
    print('b');
    print('c');
    pass(99);
    assert.equal(heard.length, 1);
    pass(1);
    assert.deepEqual(heard.slice(1), [['bc', false]]);
    pass(100);
    print('d');
    assert.deepEqual(heard.slice(2), [['d', false]]);
  });

  test('that skips keeps to the last characters, from a safe place on, and says so', () => {
    const { heard, print } = setUp(SKIPPING);
    print('a');
    print('123456789\x1b[31mred 🙂');
    pass(100);
    assert.deepEqual(heard.slice(1), [['red 🙂', true]]);
  });

  test('that does not skip passes on everything, piece by piece, and then the end', () => {
    const { heard, print, reader } = setUp(WHOLE);
    let ended = 0;
    const text = 'schön 日本語 '.repeat(5);
    print(text);
    reader.end(() => (ended += 1));
    for (let n = 0; n < 40; n += 1) {
      assert.equal(ended, heard.map(([piece]) => piece).join('') === text ? 1 : 0);
      pass(20);
    }
    assert.equal(heard.map(([piece]) => piece).join(''), text);
    assert.ok(heard.every(([piece]) => piece.length <= 10));
    assert.equal(ended, 1);
  });

  test('that skips passes on the rest at once when the end comes', () => {
    const { heard, print, reader } = setUp(SKIPPING);
    let ended = 0;
    print('a');
    print('b');
    reader.end(() => (ended += 1));
    assert.deepEqual(
      [heard, ended],
      [
        [
          ['a', false],
          ['b', false],
        ],
        1,
      ],
    );
  });

  test('goes on with what is still there when the buffer has given up what it had not read', () => {
    const { buffer, heard, print } = setUp({ ...WHOLE, most: 1 << 20 }, 64 << 10);
    print('a');
    buffer.append(Buffer.from('x'.repeat(200 << 10)));
    buffer.append(Buffer.from('end'));
    pass(20);
    print('');
    pass(20);
    const [, second] = heard;
    assert.ok(second?.[1] === true && second[0].endsWith('xend'));
  });

  test('that was put away says nothing more, not even the end', () => {
    const { heard, print, reader } = setUp(WHOLE);
    print('a');
    print('b');
    reader.end(() => heard.push(['end', false]));
    reader.dispose();
    pass(1_000);
    assert.deepEqual(heard, [['a', false]]);
  });
});
