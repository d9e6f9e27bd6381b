import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf } from '../../../src/thread/subject.ts';
import { UNSEEN } from '../../../src/thread/unseen.ts';
import type { ToolCallEntry } from '../../../src/thread/thread.ts';

const call = (rawInput: unknown): ToolCallEntry => ({
  kind: 'tool',
  at: 0,
  endedAt: null,
  toolCallId: 'c',
  title: 'List files',
  toolKind: 'execute',
  state: 'waiting',
  content: [],
  locations: [],
  rawInput,
  rawOutput: null,
  output: '',
  exit: null,
  cwd: null,
  permissions: [],
});

for (const [what, input, expected] of [
  [
    'arguments beside the command',
    { command: 'bash', args: ['-c', 'rm -rf ~'] },
    "bash -c 'rm -rf ~'",
  ],
  ['every field that could be run', { script: 'ls', command: 'rm -rf ~' }, 'rm -rf ~\nls'],
  [
    'words with signs of a shell quoted',
    { command: ['echo', 'a;b', "it's"] },
    "echo 'a;b' 'it'\\''s'",
  ],
  ['a word that is no text', { command: ['sleep', 5] }, 'sleep 5'],
  ['nothing where there is none', { path: '/w/a' }, ''],
  ['nothing that is only inherited', Object.create({ command: 'x' }), ''],
] as const) {
  test(`the command line shows ${what}`, () => {
    assert.equal(commandOf(call(input)), expected);
  });
}

const seen = (text: string): string => text.replace(UNSEEN, '#');

test('what cannot be seen is found: controls, direction marks, fillers and tags', () => {
  for (const hidden of [
    '\u0007',
    '\u00ad',
    '\u200b',
    '\u202e',
    '\u2066',
    '\u3164',
    '\uffa0',
    '\ufeff',
    '\u{e0041}',
  ]) {
    assert.equal(seen(`a${hidden}b`), 'a#b', hidden.codePointAt(0)?.toString(16));
  }
});

test('joiners are let through where a script or an emoji needs them, and found between ASCII', () => {
  assert.equal(seen('👩\u200d👧 می\u200cشود'), '👩\u200d👧 می\u200cشود');
  assert.equal(seen('r\u200dm -rf'), 'r#m -rf');
});
