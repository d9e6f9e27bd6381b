import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Chat } from '../../src/client/session/chat.ts';
import { ClientFloor, ended, said, stateOf, steps, TestFolders } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

/** Windows that are opened one after the other, or side by side, on the same storage. */
function setUp(t: TestContext) {
  const folders = new TestFolders();
  const floors: ClientFloor[] = [];
  t.after(() => {
    for (const floor of floors) floor.close();
    folders.remove();
  });
  const open = async (): Promise<ClientFloor> => {
    const floor = new ClientFloor(folders);
    floors.push(floor);
    await floor.chats.load();
    return floor;
  };
  return { folders, open };
}

test('after a reload everything is there again: texts, calls, plan, draft, queue, title, order', async (t) => {
  const { open } = setUp(t);
  const before = await open();
  const older = before.chatWith('scripted');
  older.prompt('the older chat');
  await ended(older);
  const chat = before.chats.newChat('scripted');
  chat.prompt(
    steps(
      ['update', { sessionUpdate: 'session_info_update', title: 'Named by the agent' }],
      ['update', { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } }],
      ['update', { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Dig', kind: 'execute' }],
      ['update', { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' }],
      [
        'update',
        {
          sessionUpdate: 'plan',
          entries: [{ content: 'Dig', priority: 'high', status: 'completed' }],
        },
      ],
      ['say', 'Done.'],
      ['sleep', 100],
      ['refuse', { code: -32603, message: 'no' }],
    ),
  );
  chat.prompt('queued');
  await ended(chat);
  chat.draft('half a thou');
  chat.draft('half a thought');
  const { thread } = chat;
  before.close();

  const after = await open();
  assert.equal(after.chats.active.id, chat.id);
  assert.deepEqual(after.chats.active.thread, thread);
  assert.equal(after.chats.active.title(), 'Named by the agent');
  assert.equal(after.chats.active.thread.draft, 'half a thought');
  assert.deepEqual(
    after.chats.list().map(({ title, state }) => [title, state]),
    [
      ['Named by the agent', 'failed'],
      ['the older chat', 'idle'],
    ],
  );
  const again = await after.chats.open(older.id);
  assert.deepEqual(again.thread, older.thread);
});

test('a chat goes on after a reload, in a new session that says what the agent forgot', async (t) => {
  const { open } = setUp(t);
  const before = await open();
  const chat = before.chatWith('scripted');
  chat.prompt('one ');
  await ended(chat);
  before.close();
  const after = await open();
  after.chatWith('scripted');
  const same = await after.chats.open(chat.id);
  same.prompt('two');
  await ended(same);
  assert.equal(said(same, 'agent'), 'one two');
  assert.match(said(same, 'notice'), /does not remember/);
});

test('a turn that ran when the window went is interrupted, and its open calls are cancelled', async (t) => {
  const { open } = setUp(t);
  const before = await open();
  const chat = before.chatWith('scripted');
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Dig', status: 'in_progress' };
  chat.prompt(steps(['update', call], ['say', 'on it'], ['wait']));
  await eventually('it works', () => said(chat, 'agent') === 'on it');
  before.close();
  const after = (await open()).chats.active;
  assert.equal(stateOf(after), 'interrupted');
  const call2 = after.thread.latest?.entries.find((entry) => entry.kind === 'tool');
  assert.equal(call2?.state, 'cancelled');
  assert.equal(after.isRunning, false);
});

test('an open request for permission is not open after a reload', async (t) => {
  const { open } = setUp(t);
  const before = await open();
  const chat = before.chatWith('scripted');
  const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
  chat.prompt(steps(['ask', { toolCall: { toolCallId: 'c', title: 'Dig' }, options }]));
  await eventually('it asks', () => before.desk.open.length === 1);
  before.close();
  const after = await open();
  assert.equal(after.desk.open.length, 0);
  const call = after.chats.active.thread.latest?.entries.find((entry) => entry.kind === 'tool');
  assert.equal(call?.permissions[0]?.state.kind, 'cancelled');
});

test('a chat with nothing but a draft is kept; one with nothing leaves nothing behind', async (t) => {
  const { folders, open } = setUp(t);
  const first = await open();
  first.chats.newChat();
  first.close();
  assert.equal(fs.existsSync(folders.chats), false);

  const second = await open();
  second.chats.active.draft('Dear agent');
  second.close();
  const third = await open();
  assert.equal(third.chats.active.thread.draft, 'Dear agent');
  third.chats.active.draft('');
  third.close();
  const left = fs.readdirSync(folders.chats).filter((name) => name !== 'active.json');
  assert.deepEqual(left, []);
});

test('the agent of a new chat in which nothing was said yet is chosen again', async (t) => {
  const { open } = setUp(t);
  const before = await open();
  const used = before.chatWith('scripted');
  used.prompt('one');
  await ended(used);
  before.chats.newChat('mine');
  before.close();
  const after = await open();
  assert.equal(after.chats.active.agent.id, 'mine');
  assert.equal(stateOf(after.chats.active), 'none');
});

test('a second window reads along, cannot write, and takes over when the first one is gone', async (t) => {
  const { open } = setUp(t);
  const first = await open();
  const chat = first.chatWith('scripted');
  chat.prompt('one ');
  await ended(chat);
  const second = await open();
  const other = second.chats.active;
  const firedFor: string[] = [];
  second.chats.onDidChangeActive(({ id }) => firedFor.push(id));
  await eventually('the log is read along', () => said(other, 'agent') === 'one ');
  assert.deepEqual([other.id, other.readOnly, chat.readOnly], [chat.id, true, false]);

  other.prompt('from the second window');
  other.draft('typed in the second window');
  other.stop();
  assert.equal(said(other, 'user'), 'one ');
  assert.equal(other.thread.draft, '');
  assert.match(said(other, 'notice'), /open in another window/);

  chat.prompt('two');
  await ended(chat);
  await eventually('it sees the second turn', () => said(other, 'agent') === 'one two');
  first.close();
  await eventually('it can write', () => !other.readOnly);
  assert.deepEqual(firedFor, [chat.id]);
  second.chatWith('scripted');
  other.prompt(' three');
  await ended(other);
  assert.equal(said(other, 'agent'), 'one two three');
  second.close();
  const third = await open();
  assert.equal(said(await third.chats.open(chat.id), 'agent'), 'one two three');
});

test('titles are on the disk soon after they change, not only when the window closes', async (t) => {
  const { folders, open } = setUp(t);
  const floor = await open();
  const chat = floor.chatWith('scripted');
  const recorded = (): string => {
    const file = path.join(folders.chats, `${chat.id}.json`);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  };
  chat.prompt('Hello');
  await ended(chat);
  await eventually('its record is there', () => recorded().includes('"title":"Hello"'));
  chat.prompt(
    steps(
      ['update', { sessionUpdate: 'session_info_update', title: 'Named' }],
      ['refuse', { code: -32603, message: 'no' }],
    ),
  );
  await ended(chat);
  await eventually('it follows', () => {
    const text = recorded();
    return text.includes('"title":"Named"') && text.includes('"failed":true');
  });
});

test('a window without a chat of another window looks after none', async (t) => {
  const { open } = setUp(t);
  const intervals = t.mock.method(globalThis, 'setInterval');
  const cleared = t.mock.method(globalThis, 'clearInterval');
  const polls = (): readonly unknown[] =>
    intervals.mock.calls
      .filter(({ arguments: [, ms] }) => ms === 1_000)
      .map(({ result }) => result)
      .filter((timer) => !cleared.mock.calls.some(({ arguments: [gone] }) => gone === timer));
  const first = await open();
  const chat = first.chatWith('scripted');
  chat.prompt('one');
  await ended(chat);
  assert.equal(polls().length, 0);
  const second = await open();
  assert.equal(second.chats.active.readOnly, true);
  assert.equal(polls().length, 1);
  second.chats.newChat('mine');
  assert.equal(polls().length, 0);
  await second.chats.open(chat.id);
  assert.equal(polls().length, 1);
  first.close();
  await eventually('it can write', () => !second.chats.active.readOnly);
  assert.equal(polls().length, 0);
});

test('the list survives records that are lost, torn or out of date', async (t) => {
  const { folders, open } = setUp(t);
  const before = await open();
  const chats: Chat[] = [];
  for (const text of ['lost', 'torn', 'old']) {
    const chat = before.chatWith('scripted');
    chat.prompt(text);
    await ended(chat);
    chats.push(chat);
  }
  before.close();
  const [lost, torn, old] = chats.map(({ id }) => path.join(folders.chats, `${id}.json`));
  assert.ok(lost && torn && old);
  fs.rmSync(lost);
  fs.truncateSync(torn, 20);
  const record = JSON.parse(fs.readFileSync(old, 'utf8')) as object;
  fs.writeFileSync(old, JSON.stringify({ ...record, title: 'wrong', size: 1 }));
  fs.writeFileSync(path.join(folders.chats, 'not ours.ndjson'), '{}\n');
  fs.writeFileSync(path.join(folders.chats, 'empty.ndjson'), '');
  const after = await open();
  assert.deepEqual(
    after.chats
      .list()
      .map(({ title }) => title)
      .sort(),
    ['lost', 'old', 'torn'],
  );
});
