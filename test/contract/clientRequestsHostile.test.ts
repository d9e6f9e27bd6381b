import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Chat } from '../../src/client/session/chat.ts';
import { subjectOf } from '../../src/thread/subject.ts';
import type { ToolCallEntry } from '../../src/thread/thread.ts';
import { ended, entries, floorFor, said, steps } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

const calls = (chat: Chat): readonly ToolCallEntry[] =>
  entries(chat).filter((entry) => entry.kind === 'tool');

for (const name of ['.bashrc', path.join('.git', 'config'), path.join('.ssh', 'config')]) {
  test(`what is guarded outside is not read before the person says yes, nor shown: ${name}`, async (t) => {
    const { floor, chat } = started(t);
    const file = path.join(floor.folders.root, 'elsewhere', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, 'the old secret\n');
    chat.prompt(steps(['write', file, 'new\n']));
    await eventually('the question is open', () => floor.desk.open.length === 1);
    const { permissionId, title, diffs } = floor.desk.open[0]?.question ?? assert.fail();
    assert.match(title, /^Write /);
    assert.deepEqual(
      diffs.map(({ newText }) => newText),
      ['new\n'],
    );
    assert.doesNotMatch(JSON.stringify([chat.thread, floor.desk.open]), /the old secret/);
    assert.ok(floor.desk.answer(permissionId, 'allow'));
    await ended(chat);
    assert.equal(fs.readFileSync(file, 'utf8'), 'new\n');
    assert.doesNotMatch(JSON.stringify(chat.thread), /the old secret/);
    assert.equal(calls(chat)[0]?.state, 'done');
  });
}

for (const [what, more] of [
  ['another text', { oldText: 'one\n', newText: 'two\n' }],
  ['less', { oldText: 'one\n', newText: 'x\n' }],
] as const) {
  test(`a call that shows ${what} than is written has not told of the write`, async (t) => {
    const { floor, chat } = started(t);
    const file = path.join(floor.folders.workspace, 'a.txt');
    fs.writeFileSync(file, 'one\n2\n');
    const diff = { type: 'diff', path: file, ...more };
    const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', kind: 'edit' };
    chat.prompt(
      steps(
        ['update', { ...call, status: 'in_progress', content: [diff] }],
        ['write', file, 'x\nevil\n'],
      ),
    );
    await ended(chat);
    assert.deepEqual(
      calls(chat).map(({ title }) => title),
      ['Edit', 'Changed a.txt'],
    );
  });
}

test('a call that shows the lines that are changed, and no more of the file, has told of the write', async (t) => {
  const { floor, chat } = started(t);
  const file = path.join(floor.folders.workspace, 'a.txt');
  fs.writeFileSync(file, 'one\r\ntwo\r\nthree\r\ntwo\r\n');
  const call = { sessionUpdate: 'tool_call', kind: 'edit', status: 'in_progress' };
  const done = (toolCallId: string): object => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
  });
  const diff = (oldText: string, newText: string): object => ({
    content: [{ type: 'diff', path: file, oldText, newText }],
  });
  chat.prompt(
    steps(
      ['update', { ...call, toolCallId: 'a', title: 'A', ...diff('three', '3') }],
      ['write', file, 'one\r\ntwo\r\n3\r\ntwo\r\n'],
      ['update', done('a')],
      ['update', { ...call, toolCallId: 'b', title: 'B', ...diff('two\n', '2\n') }],
      ['write', file, 'one\r\n2\r\n3\r\n2\r\n'],
      ['update', done('b')],
    ),
  );
  await ended(chat);
  assert.deepEqual(
    calls(chat).map(({ title }) => title),
    ['A', 'B'],
  );
});

test('a write after the end of a turn stands in the chat, too', async (t) => {
  const { floor, chat } = started(t);
  const file = path.join(floor.folders.workspace, 'a.txt');
  chat.prompt(steps(['later', 100, file, 'late\n']));
  await ended(chat);
  await eventually('the write is shown', () => calls(chat).length === 1);
  assert.equal(fs.readFileSync(file, 'utf8'), 'late\n');
});

test('ten thousand requests of one chat, for paths that take long to judge, keep no other chat waiting', async (t) => {
  const { floor, chat } = started(t);
  const deep = path.join(floor.folders.workspace, ...Array.from({ length: 1_500 }, () => 'x'));
  chat.prompt(steps(['flood', deep, 10_000], ['wait'], ['end', 'cancelled']));
  // A process of its own: one connection has an end of its own.
  floor.settings.define('other', {
    command: process.execPath,
    args: [path.resolve('test/fakes/agents/scripted.mjs')],
  });
  const other = floor.chats.newChat('other');
  const file = path.join(floor.folders.workspace, 'a.txt');
  fs.writeFileSync(file, 'mine');
  other.prompt(steps(['sleep', 500], ['read', file]));
  await ended(other);
  assert.equal(said(other, 'agent'), '"mine"');
  chat.stop();
  await ended(chat);
});

function started(t: Parameters<typeof floorFor>[0]) {
  const floor = floorFor(t);
  return { floor, chat: floor.chatWith('scripted') };
}

test('names of variables that are sentences are not said as Parley’s own words, and very many are not said', async (t) => {
  const { floor, chat } = started(t);
  const sentence = 'PATH. Parley has checked this command, and it is safe to run';
  const names = ['GOOD_1', sentence, '', ...Array.from({ length: 1_000 }, (_, n) => `V${n}`)];
  const env = names.filter((name) => name !== '').map((name) => ({ name, value: '1' }));
  chat.prompt(steps(['request', 'terminal/create', { command: 'true', env }]));
  await eventually('the question is open', () => floor.desk.open.length === 1);
  const { facts, permissionId } = floor.desk.open[0]?.question ?? assert.fail();
  const reason = calls(chat)[0]?.permissions[0]?.reason ?? '';
  for (const text of [facts.join('\n'), reason]) {
    assert.ok(text.includes('GOOD_1, "PATH. Parley has checked this command, a"…, V0, '), text);
    assert.match(text, /and 902 more/);
    assert.ok(text.length < 2_000, text);
  }
  floor.desk.answer(permissionId, 'reject');
  await ended(chat);
});

test('a command of 300,000 characters is cut in the pick, which says so, and stands in the chat as a whole', async (t) => {
  const { floor, chat } = started(t);
  const args = ['x'.repeat(300_000), 'the end'];
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Echo', kind: 'execute' };
  const params = { command: 'echo', args };
  chat.prompt(
    steps(
      ['update', { ...call, status: 'in_progress', rawInput: params }],
      ['request', 'terminal/create', params],
    ),
  );
  await eventually('the question is open', () => floor.desk.open.length === 1);
  const { permissionId, subject, title } = floor.desk.open[0]?.question ?? assert.fail();
  assert.ok(subject.length < 101_000 && title.length <= 1_000);
  assert.match(subject, /more characters\)$/);
  // Not at the agent's call, which the agent can change while the person reads.
  const asking = calls(chat).at(-1) ?? assert.fail();
  assert.match(asking.toolCallId, /^parley:/);
  assert.ok(subjectOf(asking).endsWith("'the end'"));
  assert.ok((asking.permissions[0]?.reason ?? '').length < 1_000);
  floor.desk.answer(permissionId, 'reject');
  await ended(chat);
});
