import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArguments } from '../../../src/agent/startup.ts';

test('the command line of the agent says what it is started for', () => {
  assert.deepEqual(readArguments([]), { kind: 'speak', limits: {} });
  assert.deepEqual(readArguments(['--help']), { kind: 'help' });
  assert.deepEqual(readArguments(['-h']), { kind: 'help' });
  assert.deepEqual(readArguments(['-v']), { kind: 'version' });
  assert.deepEqual(readArguments(['--version']), { kind: 'version' });
  assert.deepEqual(readArguments(['--terminal-demo']), { kind: 'terminalDemo' });
});

test('a limit of sessions is a whole number, negative for none, and the last one counts', () => {
  const speak = (maxSessions: number) => ({ kind: 'speak', limits: { maxSessions } });
  assert.deepEqual(readArguments(['--max-sessions', '3']), speak(3));
  assert.deepEqual(readArguments(['--max-sessions=0']), speak(0));
  assert.deepEqual(readArguments(['--max-sessions', '-1']), speak(-1));
  assert.deepEqual(readArguments(['--max-sessions=-1', '--max-sessions', '7']), speak(7));
});

test('a command line that makes no sense is complained about, by name', () => {
  for (const [options, complaint] of [
    [['--nonsense'], /--nonsense/],
    [['--help', 'me'], /"me"/],
    [['--max-sessions'], /needs a whole number/],
    [['--max-sessions='], /needs a whole number/],
    [['--max-sessions', '1.5'], /needs a whole number/],
    [['--max-sessions', '1e3'], /needs a whole number/],
    [['--max-sessions', '9'.repeat(400)], /needs a whole number/],
    [['--max-sessions', '1', '--nonsense'], /--nonsense/],
    [['--max-sessionsx', '1'], /"1"/],
  ] as const) {
    const start = readArguments(options);
    assert.equal(start.kind, 'wrong', options.join(' '));
    assert.match(start.complaint, complaint);
  }
});
