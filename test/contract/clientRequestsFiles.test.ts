import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Documents, OpenDocument } from '../../src/client/ports.ts';
import type { Chat } from '../../src/client/session/chat.ts';
import type { ToolCallEntry } from '../../src/thread/thread.ts';
import {
  ClientFloor,
  ended,
  entries,
  floorFor,
  said,
  steps,
  TestFolders,
} from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

type Floor = ReturnType<typeof floorFor>;

const calls = (chat: Chat): readonly ToolCallEntry[] =>
  entries(chat).filter((entry) => entry.kind === 'tool');
const asked = (floor: ClientFloor, count = 1): Promise<void> =>
  eventually(`${count} questions are open`, () => floor.desk.open.length === count);
const question = (floor: ClientFloor) => floor.desk.open[0]?.question ?? assert.fail();
const answer = (floor: ClientFloor, name: RegExp): void => {
  const { permissionId, options } = question(floor);
  const option = options.find((each) => name.test(each.name)) ?? assert.fail(String(name));
  assert.equal(floor.desk.answer(permissionId, option.optionId), true);
};
const inside = ({ folders }: Floor, ...parts: string[]): string =>
  path.join(folders.workspace, ...parts);
/** A file beside the workspace. */
const outside = ({ folders }: Floor, name: string, content?: string): string => {
  const file = path.join(folders.root, 'elsewhere', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (content !== undefined) fs.writeFileSync(file, content);
  return file;
};
const call = (toolCallId: string, more: object): readonly unknown[] => [
  'update',
  {
    sessionUpdate: 'tool_call',
    toolCallId,
    title: `Call ${toolCallId}`,
    status: 'in_progress',
    ...more,
  },
];

test('a read that the agent takes back while the person is asked is over, and so is the question', async (t) => {
  const floor = floorFor(t);
  const file = outside(floor, 'a.txt', 'words');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['takeBack', 'fs/read_text_file', { path: file }, 100], ['say', 'on']));
  await ended(chat);
  assert.match(said(chat, 'agent'), /"code":-32800.*on$/s);
  assert.deepEqual(floor.desk.open, []);
});

test('what a file of secrets holds never gets into the chat, whatever is asked about it', async (t) => {
  const floor = floorFor(t);
  const file = outside(floor, path.join('.ssh', 'config'), 'the old secret\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['write', file, 'new\n']));
  await asked(floor);
  assert.match(question(floor).reason, /\.ssh/);
  assert.doesNotMatch(JSON.stringify([chat.thread, floor.desk.open]), /the old secret/);
  answer(floor, /Allow/);
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'new\n');
  assert.doesNotMatch(JSON.stringify(chat.thread), /the old secret/);
  assert.equal(calls(chat)[0]?.state, 'done');
});

test('a write that no call announced stands in the chat as a change', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, 'a.txt');
  fs.writeFileSync(file, 'one\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['write', file, 'two\n'], ['write', inside(floor, 'sub', 'b.txt'), 'new\n']));
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'two\n');
  const shown = calls(chat).map(({ title, state, toolKind, content, toolCallId }) => {
    assert.match(toolCallId, /^parley:/);
    const [diff] = content;
    assert.ok(diff?.type === 'diff');
    return [title, state, toolKind, diff.path, diff.oldText, diff.newText];
  });
  assert.deepEqual(shown, [
    ['Changed a.txt', 'done', 'edit', file, 'one\n', 'two\n'],
    [
      `Created ${path.join('sub', 'b.txt')}`,
      'done',
      'edit',
      inside(floor, 'sub', 'b.txt'),
      null,
      'new\n',
    ],
  ]);
});

test('a write that changes nothing adds nothing to the chat', async (t) => {
  const floor = floorFor(t);
  fs.writeFileSync(inside(floor, 'a.txt'), 'same\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['write', inside(floor, 'a.txt'), 'same\n']));
  await ended(chat);
  assert.equal(said(chat, 'agent'), '{}');
  assert.deepEqual(calls(chat), []);
});

test('a file outside is asked about with the reason, and what the person allows holds for the chat', async (t) => {
  const floor = floorFor(t);
  const file = outside(floor, 'a.txt', 'secret');
  const other = outside(floor, 'b.txt', 'other');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['read', file], ['read', file], ['read', other], ['read', other]));
  await asked(floor);
  const first = question(floor);
  assert.notEqual(first.reason, '');
  assert.deepEqual([first.title, first.subject], ['Read a.txt', file]);
  assert.deepEqual(
    first.options.map(({ name, kind }) => [name, kind]),
    [
      ['Allow this file', 'allow_always'],
      [`Allow this folder: ${path.dirname(file)}`, 'allow_always'],
      ['Reject', 'reject_once'],
    ],
  );
  const [entry] = calls(chat);
  assert.deepEqual([entry?.state, entry?.permissions[0]?.reason], ['waiting', first.reason]);
  answer(floor, /this file/);
  await eventually(
    'the other file is asked about',
    () => floor.desk.open[0]?.question.subject === other,
  );
  assert.equal(said(chat, 'agent'), '"secret""secret"');
  answer(floor, /this folder/);
  await ended(chat);
  assert.equal(said(chat, 'agent'), '"secret""secret""other""other"');
  assert.deepEqual(
    calls(chat).map(({ state }) => state),
    ['done', 'done'],
  );
  // Reading is not writing, and another chat has not been allowed anything.
  chat.prompt(steps(['write', file, 'x']));
  await asked(floor);
  answer(floor, /Reject/);
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'secret');
  assert.match(
    said(chat, 'agent'),
    /"code":-32602,"message":"The person refused to let you write /,
  );
  assert.equal(calls(chat).at(-1)?.state, 'rejected');
  const second = floor.chats.newChat('scripted');
  second.prompt(steps(['read', file]));
  await asked(floor);
  second.stop();
  await ended(second);
});

test('a question about a file stands at the open call of the agent that names it', async (t) => {
  const floor = floorFor(t);
  const file = outside(floor, 'a.txt', 'secret');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(call('c', { kind: 'read', locations: [{ path: file }] }), ['read', file]));
  await asked(floor);
  assert.deepEqual(
    calls(chat).map(({ toolCallId, state, permissions }) => [
      toolCallId,
      state,
      permissions.length,
    ]),
    [['c', 'waiting', 1]],
  );
  // What the person is asked is in Parley's words, whatever the agent called it.
  assert.equal(question(floor).title, 'Read a.txt');
  answer(floor, /this file/);
  await ended(chat);
  assert.equal(said(chat, 'agent'), '"secret"');
});

test('a guarded file is asked about each time, with the change shown that would be made', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, '.env');
  fs.writeFileSync(file, 'A=1\n');
  const chat = floor.chatWith('scripted');
  const lie = { type: 'diff', path: file, oldText: 'A=1\n', newText: 'A=1\nB=2\n' };
  chat.prompt(
    steps(
      call('c', { kind: 'edit', content: [lie] }),
      ['write', file, 'A=evil\n'],
      ['write', file, 'A=more\n'],
    ),
  );
  await asked(floor);
  const { diffs, options, reason } = question(floor);
  assert.notEqual(reason, '');
  assert.deepEqual(
    diffs.map(({ path: named, oldText, newText }) => [named, oldText, newText]),
    [[file, 'A=1\n', 'A=evil\n']],
  );
  assert.deepEqual(
    options.map(({ name, kind }) => [name, kind]),
    [
      ['Allow this change', 'allow_once'],
      ['Reject', 'reject_once'],
    ],
  );
  assert.equal(fs.readFileSync(file, 'utf8'), 'A=1\n');
  answer(floor, /Allow/);
  await eventually(
    'it asks again',
    () => floor.desk.open[0]?.question.diffs[0]?.newText === 'A=more\n',
  );
  assert.equal(fs.readFileSync(file, 'utf8'), 'A=evil\n');
  answer(floor, /Reject/);
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'A=evil\n');
  assert.deepEqual(
    calls(chat)
      .slice(1)
      .map(({ title, state }) => [title, state]),
    [
      ['Change .env', 'done'],
      ['Change .env', 'rejected'],
    ],
  );
});

test('a guarded file that changes while the person is asked is left alone', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, '.env');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['write', file, 'A=1\n']));
  await asked(floor);
  assert.equal(question(floor).title, 'Create .env');
  fs.writeFileSync(file, 'B=2\n');
  answer(floor, /Allow/);
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'B=2\n');
  assert.match(said(chat, 'agent'), /"code":-32603,.*Read it again/);
  assert.equal(calls(chat)[0]?.state, 'failed');
});

test('Stop takes a question of ours back, and what comes while the turn is being stopped is not asked', async (t) => {
  const floor = floorFor(t);
  const file = outside(floor, 'a.txt', 'secret');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['read', file], ['read', file], ['end', 'cancelled']));
  await asked(floor);
  chat.stop();
  await ended(chat);
  assert.equal(said(chat, 'agent').match(/"code":-32800/g)?.length, 2);
  assert.deepEqual([floor.desk.open.length, calls(chat).length], [0, 1]);
  assert.equal(calls(chat)[0]?.state, 'cancelled');
});

test('nothing is written in a workspace that is not trusted, and agents are not told that it could be', async (t) => {
  const floor = floorFor(t);
  floor.workspace.setTrust(false);
  const file = inside(floor, 'a.txt');
  fs.writeFileSync(file, 'one\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(
    steps(
      ['write', file, 'two\n'],
      ['request', 'terminal/create', { command: 'touch x' }],
      ['read', file],
    ),
  );
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'one\n');
  assert.match(
    said(chat, 'agent'),
    /cannot be written: .* not trusted.*cannot be run: .* not trusted.*"one\\n"$/s,
  );
  assert.deepEqual(floor.desk.open, []);
});

test('what was allowed is asked anew after a reload', async (t) => {
  const folders = new TestFolders();
  t.after(() => {
    folders.remove();
  });
  const file = path.join(folders.root, 'elsewhere.txt');
  fs.writeFileSync(file, 'secret');
  const before = new ClientFloor(folders);
  const chat = before.chatWith('scripted');
  chat.prompt(steps(['read', file]));
  await asked(before);
  answer(before, /this file/);
  await ended(chat);
  before.close();
  const after = new ClientFloor(folders);
  t.after(() => {
    after.close();
  });
  after.settings.define('scripted', {
    command: process.execPath,
    args: [path.resolve('test/fakes/agents/scripted.mjs')],
  });
  await after.chats.load();
  after.chats.active.prompt(steps(['read', file]));
  await asked(after);
  answer(after, /Reject/);
  await ended(after.chats.active);
});

test('a chat whose question waits does not keep another chat from its files', async (t) => {
  const floor = floorFor(t);
  const files = Array.from({ length: 20 }, (_, n) => outside(floor, `${n}.txt`, 'x'));
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['readAll', files]));
  await asked(floor, 20);
  const other = floor.chats.newChat('scripted');
  fs.writeFileSync(inside(floor, 'a.txt'), 'mine');
  other.prompt(steps(['read', inside(floor, 'a.txt')], ['write', inside(floor, 'b.txt'), 'b']));
  await ended(other);
  assert.equal(said(other, 'agent'), '"mine"{}');
  chat.stop();
  await ended(chat);
});

test('a choice that waits for the person keeps nobody else from writing', async (t) => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-')));
  t.after(() => {
    fs.rmSync(folder, { recursive: true });
  });
  // More than there are places for requests.
  const files = Array.from({ length: 12 }, (_, n) => path.join(folder, `${n}.txt`));
  for (const file of files) fs.writeFileSync(file, 'base\n');
  const typed = (file: string): OpenDocument => ({
    path: file,
    isUntitled: false,
    isDirty: true,
    encoding: 'utf8',
    text: () => 'typed by the person\n',
    edit: () => Promise.resolve(true),
    save: () => Promise.resolve(),
  });
  const documents: Documents = {
    find: (named) => (files.includes(named) ? typed(named) : undefined),
    refreshed: () => Promise.resolve(),
  };
  const floor = floorFor(t, { workspaceFolders: [folder], documents });
  const chat = floor.chatWith('scripted');
  const writes = [...files, ...files].map((file) => [
    'start',
    'fs/write_text_file',
    { path: file, content: 'by the agent\n' },
  ]);
  chat.prompt(steps(...writes, ['wait'], ['end', 'cancelled']));
  await eventually('the person is asked', () => floor.conflicts.asked.length === files.length);
  const other = floor.chats.newChat('scripted');
  const another = path.join(folder, 'b.txt');
  other.prompt(steps(['write', another, 'b']));
  await ended(other);
  assert.equal(fs.readFileSync(another, 'utf8'), 'b');
  assert.equal(floor.conflicts.asked.length, files.length);
  chat.stop();
  await ended(chat);
});

test('what is written after a yes to a change is that change, whatever the agent had read before', async (t) => {
  const floor = floorFor(t);
  const file = inside(floor, '.env');
  fs.writeFileSync(file, 'A=1\nB=1\nC=1\nD=1\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['read', file]));
  await ended(chat);
  // Somebody adds a line, of which the agent does not know: the change that is shown takes it away.
  fs.writeFileSync(file, 'A=1\nB=1\nC=1\nD=1\nE=1\n');
  chat.prompt(steps(['write', file, 'A=2\nB=1\nC=1\nD=1\n']));
  await asked(floor);
  assert.match(question(floor).diffs[0]?.oldText ?? '', /E=1/);
  answer(floor, /Allow/);
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'A=2\nB=1\nC=1\nD=1\n');
});
