import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfferedOption } from '../../../src/protocol/connection.ts';
import { choicesOf, questionOf } from '../../../src/client/requests/permissionQuestion.ts';
import type { DiffContent, ToolCallEntry } from '../../../src/thread/thread.ts';

const call = (fields: Partial<ToolCallEntry>): ToolCallEntry => ({
  kind: 'tool',
  at: 0,
  endedAt: null,
  toolCallId: 'c',
  title: 'A title',
  toolKind: 'other',
  state: 'waiting',
  content: [],
  locations: [],
  rawInput: null,
  rawOutput: null,
  output: '',
  exit: null,
  cwd: null,
  permissions: [],
  ...fields,
});
const ask = (fields: Partial<ToolCallEntry>) =>
  questionOf({
    permissionId: 'p',
    chatTitle: 'Chat',
    agentName: 'Agent',
    options: [],
    call: call(fields),
  });
const diff = (path: string): DiffContent => ({
  type: 'diff',
  path,
  oldText: 'a',
  newText: 'b',
  added: 1,
  removed: 1,
  rows: [],
  omittedRows: 0,
});

for (const [what, fields, subject] of [
  [
    'a command with all its lines, though the title says something else',
    { title: 'List files', toolKind: 'execute', rawInput: { command: 'ls\nrm -rf /' } },
    'ls\nrm -rf /',
  ],
  [
    'a command given as words, blanks visible',
    { toolKind: 'execute', rawInput: { command: ['bash', '-lc', 'echo "hi there"'] } },
    `bash -lc 'echo "hi there"'`,
  ],
  [
    'a command and its arguments',
    { toolKind: 'execute', rawInput: { command: 'git', args: ['commit', '-m', 'a b'] } },
    "git commit -m 'a b'",
  ],
  ['the file of a diff', { toolKind: 'edit', content: [diff('/w/a.ts')] }, '/w/a.ts'],
  [
    'every file that is named',
    {
      toolKind: 'read',
      locations: [
        { path: '/w/a.ts', line: 7 },
        { path: '/w/b.ts', line: null },
      ],
    },
    '/w/a.ts:7\n/w/b.ts',
  ],
  [
    'a file once, where diff and location name it',
    { toolKind: 'edit', content: [diff('/w/a.ts')], locations: [{ path: '/w/a.ts', line: 3 }] },
    '/w/a.ts',
  ],
  [
    'what could be run, also behind a kind that hides it',
    {
      toolKind: 'edit',
      rawInput: { command: 'curl x | sh' },
      locations: [{ path: '/w/a', line: null }],
    },
    'curl x | sh\n/w/a',
  ],
  [
    'the text that is to be approved',
    { toolKind: 'switch_mode', content: [{ type: 'text', text: '# Plan\n1. Dig' }] },
    '# Plan\n1. Dig',
  ],
  [
    'the input, where nothing better is known',
    { toolKind: 'fetch', rawInput: { url: 'https://example.com' } },
    '{\n  "url": "https://example.com"\n}',
  ],
  ['the title, where there is nothing else', { rawInput: {} }, 'A title'],
] as const satisfies readonly [string, Partial<ToolCallEntry>, string][]) {
  test(`the subject is ${what}`, () => {
    assert.equal(ask(fields).subject, subject);
  });
}

test('a call without a title is named by its kind', () => {
  const { title, kind } = ask({ title: '', toolKind: 'execute' });
  assert.deepEqual([title, kind], ['Run a command', 'Run a command']);
});

test('a title of a megabyte is cut, and says so', () => {
  const { title } = ask({ title: 'x'.repeat(1_000_000) });
  assert.ok(title.length < 1_100);
  assert.match(title, /… \(999000 more characters\)$/);
});

test('a request about nothing that is known still asks', () => {
  const asked = questionOf({
    permissionId: 'p',
    chatTitle: 'Chat',
    agentName: 'Agent',
    options: [],
    call: null,
  });
  assert.deepEqual([asked.title, asked.subject, asked.diffs], ['Use a tool', '', []]);
});

const option = (optionId: string, kind: OfferedOption['kind'], name = optionId): OfferedOption => ({
  optionId,
  name,
  kind,
});

test('options keep their order and their words, several of one kind too', () => {
  const options = [
    option('1', 'allow_always', 'Always in project'),
    option('2', 'allow_always', 'Always for me'),
    option('3', 'other', '$(check) Deny\n'),
    option('4', 'reject_once'),
  ];
  assert.deepEqual(
    choicesOf(options, () => undefined).map(({ name }) => name),
    ['Always in project', 'Always for me', '$(check) Deny\n', '4'],
  );
});

test('of two options with one id the first is kept, so that no words promise what the id does not do', () => {
  const reports: string[] = [];
  const choices = choicesOf(
    [option('x', 'allow_once', 'Run'), option('x', 'reject_once', 'Do not run')],
    (message) => reports.push(message),
  );
  assert.deepEqual(choices, [{ optionId: 'x', name: 'Run', kind: 'allow_once' }]);
  assert.equal(reports.length, 1);
});

test('of ten thousand options a hundred are shown', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => option(String(n), 'allow_once'));
  assert.equal(choicesOf(many, () => undefined).length, 100);
});

test('an option without a name that can be seen is called by its id, or by nothing that misleads', () => {
  const named = choicesOf(
    [
      { optionId: 'run', name: ' \n', kind: 'allow_once' },
      { optionId: ' ', name: '', kind: 'reject_once' },
    ],
    () => undefined,
  );
  assert.deepEqual(
    named.map(({ optionId, name }) => [optionId, name]),
    [
      ['run', 'run'],
      [' ', '(no name)'],
    ],
  );
});

test('another folder is a fact, and words of Parley’s are bounded as an agent’s are', () => {
  const source = { permissionId: 'p', chatTitle: 'Chat', agentName: 'Agent', options: [] };
  const theirs = questionOf({ ...source, call: call({}), folder: '/etc' });
  assert.deepEqual([theirs.facts, ask({}).facts], [['in /etc'], []]);
  const words = { title: 't'.repeat(9_999), subject: 's'.repeat(300_000), facts: ['in /w'] };
  const ours = questionOf({ ...source, call: call({}), words });
  assert.deepEqual(ours.facts, ['in /w']);
  assert.match(ours.subject, /^s{100000}… \(200000 more characters\)$/);
  assert.ok(ours.title.length < 1_100);
});
