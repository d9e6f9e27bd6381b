import assert from 'node:assert/strict';
import test from 'node:test';

import { plainText } from '../../../src/thread/screen.ts';
import { keptAtEnd, withPrinted } from '../../../src/thread/terminals.ts';
import {
  EMPTY_THREAD,
  TERMINAL_OUTPUT_LIMIT,
  type Terminal,
  type Thread,
  type ThreadEvent,
  type ThreadHappening,
} from '../../../src/thread/thread.ts';
import { checkProperties, played } from './properties.ts';
import { random } from './random.ts';
import { randomOutput } from './screen/randomOutput.ts';

const begun: ThreadHappening = { type: 'terminalStarted', terminalId: 't', command: 'c', cwd: '/' };

function printed(text: string, cut = false): ThreadHappening {
  return { type: 'terminalPrinted', terminalId: 't', text, cut };
}

function thread(...happenings: readonly ThreadHappening[]): Thread {
  return played(
    EMPTY_THREAD,
    happenings.map((event, index) => ({ at: index + 1, ...event })),
  );
}

function terminal(...happenings: readonly ThreadHappening[]): Terminal {
  const found = thread(begun, ...happenings).terminals['t'];
  assert.ok(found !== undefined);
  return found;
}

test('output is appended as it comes', () => {
  assert.equal(terminal(printed('a'), printed('b\n')).output, 'ab\n');
});

test('output beyond the limit is cut at the start of a line, and says so', () => {
  const line = `${'x'.repeat(79)}\n`;
  const pieces = Array.from({ length: 100 }, () => printed(line.repeat(20)));
  const { output, cut } = terminal(...pieces);
  assert.equal(cut, true);
  assert.ok(output.length <= TERMINAL_OUTPUT_LIMIT);
  assert.ok(output.length >= TERMINAL_OUTPUT_LIMIT / 2 - 200);
  assert.ok(output.startsWith(line));
});

test('a progress bar pushes nothing out, however long it runs', () => {
  const steps = Array.from({ length: 20_000 }, (_, step) => printed(`\r\u001b[Kstep ${step}`));
  const { output, cut } = terminal(printed('first line\n'), ...steps);
  assert.equal(cut, false);
  assert.equal(plainText(output), 'first line\nstep 19999');
});

test('lines that are redrawn from below push nothing out', () => {
  const frame = '\u001b[3A' + 'layer: pulling\u001b[K\n'.repeat(3);
  const pieces = Array.from({ length: 300 }, () => printed(frame.repeat(20)));
  const { output, cut } = terminal(printed('first line\n\n\n\n'), ...pieces);
  assert.equal(cut, false);
  assert.equal(plainText(output), 'first line\n' + 'layer: pulling\n'.repeat(3).trimEnd());
});

test('it never begins inside of a character or a sequence', () => {
  const { below } = random(11);
  for (let round = 0; round < 25; round++) {
    let kept = { output: '', cut: false };
    for (let count = 0; count < 12; count++) {
      kept = withPrinted(
        kept,
        randomOutput(below, 80) + '\u{1f600}\u001b[38;5;208mx'.repeat(400 + below(300)),
      );
    }
    assert.ok(kept.output.length <= TERMINAL_OUTPUT_LIMIT);
    assert.doesNotMatch(kept.output, /^[\udc00-\udfff]/);
    // What is left of a sequence would be digits, semicolons and its last letter.
    assert.doesNotMatch(plainText(kept.output), /^[\d;]*m/);
  }
});

test('a character costs a bounded time on average: what is gone over grows as what is printed', () => {
  const hostile = [
    'x',
    '漢',
    'abc\n',
    '\u001b[31mx',
    '\u001b[999Cx\n',
    '\u001b[H\u001b[2Jx\n',
    '\r\u001b[Kstep',
    '\u001b[1;2;3;4;7;9;38;2;200;200;200;48;2;200;200;200mx',
  ];
  for (const unit of hostile) {
    let kept = { output: '', cut: false };
    let all = 0;
    let work = 0;
    const piece = unit.repeat(Math.ceil(512 / unit.length));
    for (let count = 0; count < 800; count++) {
      all += piece.length;
      const next = withPrinted(kept, piece);
      if (next.output !== kept.output + piece) work += kept.output.length + piece.length;
      kept = next;
      assert.ok(kept.output.length <= TERMINAL_OUTPUT_LIMIT);
    }
    // Each time a quarter of the limit becomes free: four times over, at most, and twice where it is tried in vain.
    assert.ok(work <= 5 * all, `${JSON.stringify(unit)}: ${work} for ${all}`);
  }
});

test('after a gap only what came after it is shown', () => {
  const { output, cut } = terminal(printed('before'), printed('after', true), printed('.'));
  assert.equal(output, 'after.');
  assert.equal(cut, true);
});

test('its end says it all, within the limit', () => {
  const exit = { code: 0, signal: null };
  const end = {
    type: 'terminalEnded',
    terminalId: 't',
    exit,
    output: 'all of it',
    cut: true,
  } as const;
  const ended = terminal(printed('live'), end, printed('late'));
  assert.deepEqual(
    { ...ended },
    {
      terminalId: 't',
      command: 'c',
      cwd: '/',
      startedAt: 1,
      endedAt: 3,
      exit,
      output: 'all of it',
      cut: true,
    },
  );
  const long = terminal({ ...end, output: 'line\n'.repeat(100_000), cut: false });
  assert.ok(long.output.length <= TERMINAL_OUTPUT_LIMIT);
  assert.equal(long.cut, true);
});

test('at its end the more telling output is kept: what was shown, unless something was missing there', () => {
  const ended = { output: 'the end', cut: true };
  const whole = thread(begun, printed('first\n'), printed('1 %\r'), printed('2 %'));
  assert.deepEqual(keptAtEnd(whole, 't', ended), { output: 'first\n1 %\r2 %', cut: false });
  assert.deepEqual(keptAtEnd(thread(begun, printed('x', true)), 't', ended), ended);
  assert.deepEqual(keptAtEnd(whole, 'u', ended), ended);
  assert.deepEqual(keptAtEnd(whole, 'constructor', ended), ended);
  assert.deepEqual(keptAtEnd(whole, 't', { output: 'all', cut: false }), {
    output: 'all',
    cut: false,
  });
});

test('the end of the log ends what runs, and nobody saw how', () => {
  const exit = { code: 3, signal: null };
  const second = { ...begun, terminalId: 'u' };
  const all = thread(
    begun,
    second,
    { type: 'terminalEnded', terminalId: 'u', exit, output: '', cut: false },
    { type: 'interrupted' },
  );
  assert.deepEqual(
    Object.values(all.terminals).map(({ terminalId, endedAt, exit: how }) => [
      terminalId,
      endedAt,
      how,
    ]),
    [
      ['t', 4, { code: null, signal: null }],
      ['u', 3, exit],
    ],
  );
});

test('a terminal outlives its turn', () => {
  const all = thread(
    { type: 'prompted', turnId: '1', text: 'Go' },
    begun,
    { type: 'stopped', reason: 'end_turn' },
    printed('still here'),
    { type: 'prompted', turnId: '2', text: 'And?' },
    { type: 'failed', failure: { message: 'x', details: '' } },
    { type: 'cancelRequested' },
  );
  const [only] = Object.values(all.terminals);
  assert.equal(only?.exit, null);
  assert.equal(only.output, 'still here');
});

test('a name of every object is no terminal', () => {
  const events: ThreadHappening[] = [
    { type: 'terminalPrinted', terminalId: 'constructor', text: 'x', cut: false },
    { type: 'terminalPrinted', terminalId: '__proto__', text: 'x', cut: false },
  ];
  assert.deepEqual(thread(...events).terminals, {});
});

test('host and page agree, for hundreds of random terminals', () => {
  const { below } = random(23);
  for (let round = 0; round < 300; round++) {
    const events = Array.from({ length: below(40) }, (_, index): ThreadEvent => {
      const terminalId = `t${below(3)}`;
      const at = index + 1;
      const text = randomOutput(below, 12);
      const cut = below(12) === 0;
      switch (below(8)) {
        case 0:
          return { at, type: 'terminalStarted', terminalId, command: 'c', cwd: '/' };
        case 1:
          return {
            at,
            type: 'terminalEnded',
            terminalId,
            exit: { code: 0, signal: null },
            output: text,
            cut,
          };
        case 2:
          return { at, type: 'prompted', turnId: `${at}`, text: 'Go' };
        case 3:
          return { at, type: below(2) === 0 ? 'interrupted' : 'cancelRequested' };
        default:
          return { at, type: 'terminalPrinted', terminalId, text, cut };
      }
    });
    checkProperties(EMPTY_THREAD, events, round);
  }
});
