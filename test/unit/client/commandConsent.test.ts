import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Allowances,
  callRunning,
  commandKey,
  type WantedCommand,
} from '../../../src/client/requests/commandConsent.ts';
import { newToolCall } from '../../../src/thread/toolCall.ts';
import type { ToolCallEntry } from '../../../src/thread/thread.ts';

const call = (rawInput: unknown, more: Partial<ToolCallEntry> = {}): ToolCallEntry => ({
  ...newToolCall('c', 0),
  toolKind: 'execute',
  rawInput,
  ...more,
});
const wanted = (more: Partial<WantedCommand> = {}): WantedCommand => ({
  command: 'npm',
  args: ['test'],
  env: [],
  shown: 'npm test',
  cwd: '/w',
  ...more,
});
const allowedBy = (rawInput: unknown, what: WantedCommand): boolean => {
  const allowances = new Allowances();
  allowances.add('turn', call(rawInput), '/w');
  return allowances.take('turn', what);
};

describe('what the person has just allowed runs without a second question', () => {
  for (const [what, rawInput, more] of [
    ['a line', { command: 'npm test' }, {}],
    ['a line with blanks around it', { command: ' npm test\n' }, {}],
    ['words', { command: ['npm', 'test'] }, {}],
    ['a program and its arguments', { command: 'npm', args: ['test'] }, {}],
    ['a line without arguments', { cmd: 'npm test' }, { command: 'npm test', args: [] }],
    ['a line with blanks around it', { cmd: 'npm test' }, { command: ' npm test ', args: [] }],
    [
      'a line that a shell is given',
      { command: 'a | b' },
      { command: '/bin/bash', args: ['-lc', 'a | b'], shown: "/bin/bash -lc 'a | b'" },
    ],
    [
      'the words of a shell and its line',
      { command: ['bash', '-lc', 'a | b'] },
      { command: 'bash', args: ['-lc', 'a | b'], shown: "bash -lc 'a | b'" },
    ],
    ['the folder that the call names', { command: 'npm test', cwd: '/w/sub' }, { cwd: '/w/sub' }],
    ['a folder named from the session', { command: 'npm test', cwd: 'sub' }, { cwd: '/w/sub' }],
    [
      'marks of who the agent is',
      { command: 'npm test' },
      {
        env: [
          { name: 'CLAUDECODE', value: '1' },
          { name: 'PAGER', value: 'cat' },
        ],
      },
    ],
  ] as const) {
    test(what, () => {
      assert.equal(allowedBy(rawInput, wanted(more)), true);
    });
  }
});

describe('anything else is asked', () => {
  for (const [what, rawInput, more] of [
    ['another command', { command: 'npm tests' }, {}],
    ['one command more', { command: 'npm test', script: 'rm x' }, {}],
    ['one argument more', { command: 'npm', args: ['test', '-f'] }, {}],
    [
      'words that are cut elsewhere',
      { command: 'rm "a b"' },
      { command: 'rm', args: ['a', 'b'], shown: 'rm a b' },
    ],
    ['another folder', { command: 'npm test' }, { cwd: '/w/sub' }],
    ['another folder than the one named', { command: 'npm test', cwd: '/w/sub' }, { cwd: '/w' }],
    [
      'a variable that changes what runs',
      { command: 'npm test' },
      { env: [{ name: 'PATH', value: '/x' }] },
    ],
    ['a program as the pager', { command: 'npm test' }, { env: [{ name: 'PAGER', value: 'sh' }] }],
    ['no command', {}, {}],
    [
      'a file whose name is the whole line',
      { command: './x --fix' },
      { command: './x --fix', args: [], shown: "'./x --fix'" },
    ],
    [
      'a file whose name is the beginning of the line',
      { command: './x --fix src' },
      { command: './x --fix', args: ['src'], shown: "'./x --fix' src" },
    ],
    [
      'a file that is named as a variable is set',
      { command: 'PATH=/x ls' },
      { command: 'PATH=/x', args: ['ls'], shown: "'PATH=/x' ls" },
    ],
    [
      'a file that is named as a line of the shell',
      { command: 'a;b' },
      { command: 'a;b', args: [], shown: "'a;b'" },
    ],
    [
      'a line for something that is only called like a shell',
      { command: 'a | b' },
      { command: '/tmp/x/bash', args: ['-c', 'a | b'], shown: "/tmp/x/bash -c 'a | b'" },
    ],
  ] as const) {
    test(what, () => {
      assert.equal(allowedBy(rawInput, wanted(more)), false);
    });
  }
});

test('an allowance is good for one terminal, in its own turn', () => {
  const allowances = new Allowances();
  allowances.add('one', call({ command: 'npm test' }), '/w');
  assert.equal(allowances.take('two', wanted()), false);
  assert.equal(allowances.take(undefined, wanted()), false);
  assert.equal(allowances.take('one', wanted()), true);
  assert.equal(allowances.take('one', wanted()), false);
});

test('of very many allowances the oldest are forgotten', () => {
  const allowances = new Allowances();
  allowances.add('t', call({ command: 'npm test' }), '/w');
  for (let n = 0; n < 100; n += 1) allowances.add('t', call({ command: `echo ${n}` }), '/w');
  assert.equal(allowances.take('t', wanted()), false);
});

test('a question stands at the open call that tells this command', () => {
  const open = [
    call({ command: 'ls' }, { toolCallId: 'a' }),
    call({ command: 'npm test' }, { toolCallId: 'b' }),
  ];
  assert.equal(callRunning(open, wanted())?.toolCallId, 'b');
  assert.equal(callRunning(open, wanted({ shown: 'npm run x', args: ['run', 'x'] })), null);
});

test('a command that is remembered is the same in every part', () => {
  const key = commandKey(wanted());
  assert.equal(commandKey(wanted()), key);
  for (const more of [
    { command: 'npx' },
    { args: ['test', ''] },
    { cwd: '/w/sub' },
    { env: [{ name: 'A', value: '1' }] },
  ]) {
    assert.notEqual(commandKey(wanted(more)), key, JSON.stringify(more));
  }
});

test('a command that no question shows as a whole is not allowed by one', () => {
  const long = `echo ${'x'.repeat(100_001)}`;
  assert.equal(
    allowedBy({ command: long }, wanted({ command: long, args: [], shown: long })),
    false,
  );
});
