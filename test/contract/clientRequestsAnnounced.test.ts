import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Chat } from '../../src/client/session/chat.ts';
import type { ToolCallEntry } from '../../src/thread/thread.ts';
import { ClientFloor, ended, entries, floorFor, steps, TestFolders } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

type Floor = ReturnType<typeof floorFor>;

const calls = (chat: Chat): readonly ToolCallEntry[] =>
  entries(chat).filter((entry) => entry.kind === 'tool');
const titles = (chat: Chat): readonly string[] => calls(chat).map(({ title }) => title);
const inside = ({ folders }: Floor, ...parts: string[]): string =>
  path.join(folders.workspace, ...parts);
/** What Parley itself shows that was written, in order. */
const shown = (chat: Chat): readonly (readonly unknown[])[] =>
  calls(chat)
    .filter(({ toolCallId }) => toolCallId.startsWith('parley:'))
    .map(({ state, content: [diff] }) => {
      assert.ok(state === 'done' && diff?.type === 'diff');
      return [path.basename(diff.path), diff.oldText, diff.newText];
    });
const call = (toolCallId: string, more: object): readonly unknown[] => [
  'update',
  {
    sessionUpdate: 'tool_call',
    toolCallId,
    title: `Call ${toolCallId}`,
    kind: 'edit',
    status: 'in_progress',
    ...more,
  },
];
const update = (toolCallId: string, more: object): readonly unknown[] => [
  'update',
  { sessionUpdate: 'tool_call_update', toolCallId, ...more },
];
const DONE = { status: 'completed' };
const diff = (file: string, newText: string, oldText: string | null = null) => ({
  content: [{ type: 'diff', path: file, oldText, newText }],
});

test('a write that a call tells of, before or after, is not shown twice, by whatever name the file has there', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  const link = inside(floor, 'link.txt');
  fs.writeFileSync(file, 'one\n');
  fs.symlinkSync('a.txt', link);
  for (const [before, after] of [
    [{ locations: [{ path: file }] }, { ...DONE, ...diff(file, 'x\n', 'one\n') }],
    [{ locations: [{ path: link }] }, { ...DONE, ...diff(link, 'x\n', 'one\n') }],
    [{ locations: [{ path: link }] }, { ...DONE, ...diff(file, 'x\n', 'one\n') }],
    [
      { kind: 'other', rawInput: { file_path: 'a.txt' } },
      { ...DONE, ...diff('a.txt', 'x\n') },
    ],
    [diff(file, 'x\n', 'one\n'), DONE],
    [{ ...DONE, ...diff(file, 'x\n') }, DONE],
  ] as const) {
    const chat = floor.chatWith('scripted');
    fs.writeFileSync(file, 'one\n');
    chat.prompt(steps(call('c', before), ['write', file, 'x\n'], update('c', after)));
    await ended(chat);
    assert.equal(fs.readFileSync(file, 'utf8'), 'x\n');
    assert.deepEqual(titles(chat), ['Call c'], JSON.stringify([before, after]));
  }
});

for (const [what, later] of [
  ['is done and shows nothing', DONE],
  ['fails', { status: 'failed' }],
  ['never ends', {}],
  ['turns to another file', { ...DONE, ...diff('b.txt', 'evil\n', 'one\n') }],
  ['shows another text', { ...DONE, ...diff('a.txt', 'good\n', 'one\n') }],
  ['shows the text and fails', { status: 'failed', ...diff('a.txt', 'evil\n', 'one\n') }],
  ['becomes a read', { ...DONE, kind: 'read', title: 'Read b.txt', locations: [], content: [] }],
] as const) {
  test(`a write is shown if the call that announced it ${what}`, async (t) => {
    const floor = floorFor(t);
    const file = inside(floor, 'a.txt');
    fs.writeFileSync(file, 'one\n');
    const chat = floor.chatWith('scripted');
    const begun = call('c', { locations: [{ path: file }] });
    chat.prompt(steps(begun, ['write', file, 'evil\n'], update('c', later)));
    await ended(chat);
    assert.deepEqual(shown(chat), [['a.txt', 'one\n', 'evil\n']]);
  });
}

test('a write is shown when the agent takes its change back, while the turn runs or after it', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  fs.writeFileSync(file, 'one\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(
    steps(
      call('c', diff(file, 'two\n', 'one\n')),
      ['write', file, 'two\n'],
      update('c', DONE),
      update('c', { content: [] }),
      ['wait'],
    ),
  );
  await eventually('it is shown while the turn runs', () => shown(chat).length === 1);
  assert.deepEqual(shown(chat), [['a.txt', 'one\n', 'two\n']]);
  chat.stop();

  const other = floor.chatWith('scripted');
  fs.writeFileSync(file, 'one\n');
  other.prompt(
    steps(call('c', diff(file, 'two\n', 'one\n')), ['write', file, 'two\n'], update('c', DONE), [
      'lateUpdate',
      100,
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', content: [] },
    ]),
  );
  await ended(other);
  assert.deepEqual(shown(other), []);
  await eventually('it is shown after the turn', () => shown(other).length === 1);
});

test('each change that is shown is good for one write', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  fs.writeFileSync(file, 'one\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(
    steps(
      call('c', { ...DONE, ...diff(file, 'x\n') }),
      ['write', file, 'x\n'],
      ['write', file, 'evil\n'],
      ['write', file, 'x\n'],
    ),
  );
  await ended(chat);
  assert.deepEqual(shown(chat), [
    ['a.txt', 'x\n', 'evil\n'],
    ['a.txt', 'evil\n', 'x\n'],
  ]);
});

test('several writes of a call, each with its change, need no word of Parley’s; one that is left out is shown', async (t) => {
  const floor = floorFor(t);
  const [a, b] = [inside(floor, 'a.txt'), inside(floor, 'b.txt')];
  fs.writeFileSync(a, '1\n2\n');
  const change = (file: string, oldText: string | null, newText: string): object => ({
    type: 'diff',
    path: file,
    oldText,
    newText,
  });
  const all = [change(a, '1', 'one'), change(a, '2', 'two'), change(b, null, 'b\n')];
  const writes = [
    ['write', a, 'one\n2\n'],
    ['write', a, 'one\ntwo\n'],
    ['write', b, 'b\n'],
  ];
  for (const [content, missing] of [
    [all, []],
    [all.toSpliced(1, 1), [['a.txt', 'one\n2\n', 'one\ntwo\n']]],
  ] as const) {
    const chat = floor.chatWith('scripted');
    fs.writeFileSync(a, '1\n2\n');
    fs.rmSync(b, { force: true });
    const begun = call('c', { locations: [{ path: a }, { path: b }] });
    chat.prompt(steps(begun, ...writes, update('c', { ...DONE, content })));
    await ended(chat);
    assert.deepEqual(shown(chat), missing);
  }
});

test('a write of a turn that is stopped is shown if its call was cancelled with it', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  const chat = floor.chatWith('scripted');
  const begun = call('c', { locations: [{ path: file }] });
  chat.prompt(steps(begun, ['write', file, 'x\n'], ['say', 'on'], ['wait'], ['end', 'cancelled']));
  await eventually('it is written', () => entries(chat).some(({ kind }) => kind === 'agent'));
  assert.deepEqual(shown(chat), []);
  chat.stop();
  await ended(chat);
  assert.deepEqual(shown(chat), [['a.txt', null, 'x\n']]);
});

test('a write that waits for the end of its call when the window closes is in the chat after a reload', async (t) => {
  const folders = new TestFolders();
  t.after(() => {
    folders.remove();
  });
  const before = new ClientFloor(folders);
  const file = path.join(folders.workspace, 'a.txt');
  const chat = before.chatWith('scripted');
  chat.prompt(steps(call('c', { locations: [{ path: file }] }), ['write', file, 'x\n'], ['wait']));
  await eventually('it is written', () => entries(chat).some(({ kind }) => kind === 'agent'));
  before.close();
  const after = new ClientFloor(folders);
  t.after(() => {
    after.close();
  });
  await after.chats.load();
  assert.deepEqual(shown(after.chats.active), [['a.txt', null, 'x\n']]);
});

test('what follows at once from the queue does not take the writes of the turn before to itself', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  const chat = floor.chatWith('scripted');
  const begun = call('c', { locations: [{ path: file }] });
  chat.prompt(steps(begun, ['write', file, 'x\n']));
  chat.prompt(steps(['say', 'the next']));
  await eventually('both turns are over', () => chat.thread.past.length === 1 && !chat.isRunning);
  const [first] = chat.thread.past;
  assert.deepEqual(
    first?.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.title] : [])),
    ['Call c', 'Created a.txt'],
  );
});

test('a call that reads, one that is over and one about another file announce no write', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  for (const more of [
    { kind: 'read', locations: [{ path: file }] },
    { kind: 'edit', locations: [{ path: inside(floor, 'b.txt') }] },
    { kind: 'edit', status: 'completed', locations: [{ path: file }] },
    { kind: 'edit', status: 'completed', content: [{ type: 'diff', path: file, newText: 'y\n' }] },
  ]) {
    const chat = floor.chatWith('scripted');
    fs.writeFileSync(file, 'one\n');
    chat.prompt(steps(call('c', more), ['write', file, 'x\n']));
    await ended(chat);
    assert.deepEqual(
      calls(chat).map(({ title }) => title),
      ['Call c', 'Changed a.txt'],
      JSON.stringify(more),
    );
  }
});

test('an agent that knows the id of a change of Parley’s own cannot touch it', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['write', file, 'x\n']));
  await ended(chat);
  const own = calls(chat)[0] ?? assert.fail();
  const { toolCallId } = own;
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  chat.prompt(
    steps(
      ['write', file, 'y\n'],
      update(toolCallId, { title: 'Nothing', content: [] }),
      call(toolCallId, { title: 'Nothing', content: [] }),
      ['ask', { toolCall: { toolCallId, title: 'Nothing', content: [] }, options }],
    ),
  );
  await eventually('it asks', () => floor.desk.open.length === 1);
  floor.desk.answer(floor.desk.open[0]?.permissionId ?? '', 'yes');
  await ended(chat);
  assert.equal(calls(chat)[0], own);
  assert.deepEqual(shown(chat), [
    ['a.txt', null, 'x\n'],
    ['a.txt', 'x\n', 'y\n'],
  ]);
});
