import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ended, entries, floorFor, said, stateOf, steps } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

test('a prompt shows at once, starts the agent, and its answer ends the turn', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const states = [chat.agent.info.state.kind];
  floor.agents.onDidChange(({ info }) => states.push(info.state.kind));
  chat.prompt('Hello');
  assert.deepEqual([said(chat, 'user'), stateOf(chat)], ['Hello', 'running']);
  await ended(chat);
  assert.deepEqual(states, ['idle', 'starting', 'ready']);
  assert.equal(said(chat, 'agent'), 'Hello');
  assert.deepEqual(chat.thread.latest?.state, { kind: 'stopped', reason: 'end_turn' });
  assert.equal(chat.title(), 'Hello');
});

test('updates before the session is named and after its turn are in the chat', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('earlyLate');
  chat.prompt('Hello');
  await eventually('the last update is there', () => chat.thread.usage !== null);
  assert.equal(said(chat, 'agent'), 'Too early. In time. Too late.');
  assert.deepEqual(
    chat.thread.commands.map(({ name }) => name),
    ['early'],
  );
  assert.equal(stateOf(chat), 'stopped');
});

test('a flood of chunks arrives whole', async (t) => {
  const chat = floorFor(t).chatWith('flood', ['5000']);
  chat.prompt('Hello');
  await ended(chat);
  const whole = Array.from({ length: 5_000 }, (_, n) => `${n} `).join('');
  assert.equal(said(chat, 'agent'), whole);
});

test('Stop ends the turn as cancelled when the agent answers', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['say', 'one'], ['wait'], ['end', 'cancelled']));
  await eventually('it talks', () => said(chat, 'agent') === 'one');
  chat.stop();
  assert.deepEqual(chat.thread.latest?.state, { kind: 'running', cancelling: true });
  await ended(chat);
  assert.equal(stateOf(chat), 'stopped');
});

test('a cancelled turn that the agent answers with an error is a cancelled turn', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['say', 'one'], ['wait'], ['refuse', { code: -32603, message: 'aborted' }]));
  await eventually('it talks', () => said(chat, 'agent') === 'one');
  chat.stop();
  await ended(chat);
  assert.deepEqual(chat.thread.latest?.state, { kind: 'stopped', reason: 'cancelled' });
});

test('a prompt that is stopped before it went out is never sent', async (t) => {
  const floor = floorFor(t);
  floor.settings.turnTrace(true);
  const chat = floor.chatWith('scripted');
  chat.prompt('one');
  chat.stop();
  assert.deepEqual(chat.thread.latest?.state, { kind: 'stopped', reason: 'cancelled' });
  chat.prompt('two');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'two');
  assert.equal(said(chat, 'notice'), '');
  const trace = path.join(floor.folders.logs, 'trace-scripted.ndjson');
  await eventually('the trace is written', () => fs.readFileSync(trace, 'utf8').includes('two'));
  assert.equal(fs.readFileSync(trace, 'utf8').split('session/prompt').length - 1, 1);
});

test('an agent that ignores Stop is told about, and a restart ends it and keeps the chats', async (t) => {
  const floor = floorFor(t, { stopPatience: 50 });
  const chat = floor.chatWith('ignoresCancel');
  chat.prompt('Go');
  await eventually('it talks', () => said(chat, 'agent') !== '');
  chat.stop();
  await eventually('the chat says so', () => /not reacted to Stop/.test(said(chat, 'notice')));
  await chat.agent.restart();
  await ended(chat);
  assert.equal(chat.agent.info.state.kind, 'ready');
  chat.prompt('Again');
  await eventually('it talks again', () => {
    const { entries: latest } = chat.thread.latest ?? assert.fail();
    return latest.some((entry) => entry.kind === 'agent');
  });
  assert.match(said(chat, 'notice'), /does not remember/);
});

test('after Stop the queue is kept and held, until the person sends from it; then it goes on by itself', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['say', 'one '], ['wait'], ['end', 'max_tokens']));
  await eventually('it talks', () => said(chat, 'agent') !== '');
  chat.prompt('two ');
  chat.prompt('three');
  assert.deepEqual(
    chat.thread.queue.map(({ text }) => text),
    ['two ', 'three'],
  );
  chat.stop();
  await ended(chat);
  assert.equal(chat.thread.queueHeld, true);
  const [two] = chat.thread.queue;
  chat.sendQueued(two?.id ?? '');
  await eventually('both are answered', () => said(chat, 'agent') === 'one two three');
  await ended(chat);
  assert.deepEqual([chat.thread.queue, chat.thread.queueHeld], [[], false]);
});

test('a turn that ends by itself sends the next prompt, whatever its stop reason but cancelled', async (t) => {
  const chat = floorFor(t).chatWith('scripted');
  chat.prompt(steps(['say', 'one '], ['sleep', 50], ['end', 'max_tokens']));
  chat.prompt(steps(['say', 'two '], ['end', 'refusal']));
  chat.prompt(steps(['say', 'three '], ['end', 'something_new']));
  chat.prompt('four');
  await eventually('all are answered', () => said(chat, 'agent') === 'one two three four');
});

test('after a failure the queue waits for the person, who can also remove from it', async (t) => {
  const chat = floorFor(t).chatWith('scripted');
  chat.prompt(steps(['sleep', 50], ['refuse', { code: -32603, message: 'no' }]));
  chat.prompt('two');
  chat.prompt('three');
  await ended(chat);
  assert.deepEqual([chat.thread.queue.length, chat.thread.queueHeld], [2, true]);
  chat.removeQueued(chat.thread.queue[0]?.id ?? '');
  chat.prompt('now');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'now');
  assert.deepEqual(
    chat.thread.queue.map(({ text }) => text),
    ['three'],
  );
});

for (const [code, words] of [
  [-32000, /sign in/],
  [-32602, /did not accept/],
  [-32603, /internal error/],
  [429, /answered with an error: slow down/],
] as const) {
  test(`an error ${code} is told in words, with the agent's own text`, async (t) => {
    const chat = floorFor(t).chatWith('scripted');
    const data = { details: 'quota is used up' };
    chat.prompt(steps(['refuse', { code, message: 'slow down', data }]));
    await ended(chat);
    const { state } = chat.thread.latest ?? assert.fail();
    assert.ok(state.kind === 'failed');
    assert.match(state.failure.message, words);
    assert.match(state.failure.details, /slow down/);
    assert.match(state.failure.details, /quota is used up/);
    chat.prompt('still there');
    await ended(chat);
    assert.equal(said(chat, 'agent'), 'still there');
  });
}

test('with no folder open a chat works in a folder of its own', async (t) => {
  const floor = floorFor(t, { workspaceFolders: [] });
  const chat = floor.chatWith('scripted');
  const file = path.join(floor.folders.chats, 'work', chat.id, 'a.txt');
  chat.prompt(steps(['write', file, 'mine'], ['read', file]));
  await ended(chat);
  assert.equal(said(chat, 'agent'), '{}"mine"');
  assert.deepEqual(fs.readdirSync(path.join(floor.folders.chats, 'work')), [chat.id]);
});

test('files are read and written for the session that asks, and not for one that is not known', async (t) => {
  const floor = floorFor(t);
  const file = path.join(floor.folders.workspace, 'a.txt');
  fs.writeFileSync(file, 'one\ntwo\n');
  const chat = floor.chatWith('scripted');
  chat.prompt(
    steps(
      ['read', file, { line: 2, limit: 1 }],
      ['write', file, 'new'],
      ['read', `${file}x`],
      ['read', file, { sessionId: 'somebody else' }],
    ),
  );
  await ended(chat);
  const answers = said(chat, 'agent');
  assert.match(answers, /^"two\\n"\{\}\{"code":-32002,"message":"Resource not found: /);
  assert.match(answers, /"code":-32602,"message":"There is no such session\."/);
  assert.equal(fs.readFileSync(file, 'utf8'), 'new');
});

test('updates for sessions that do not exist reach no chat', async (t) => {
  const chat = floorFor(t).chatWith('scripted');
  const body = {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: 'not for you' },
  };
  chat.prompt(steps(['elsewhere', 'somebody else', body], ['say', 'done']));
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'done');
  assert.equal(entries(chat).length, 2);
});

test('an unused chat is used again, and a used one is not', async (t) => {
  const floor = floorFor(t);
  const first = floor.chatWith('scripted');
  assert.equal(floor.chats.newChat('scripted'), first);
  first.prompt('one');
  const second = floor.chats.newChat('scripted');
  assert.notEqual(second, first);
  assert.equal(floor.chats.active, second);
  await ended(first);
});

test('the list has the chats that were used and the active one, with their states', async (t) => {
  const floor = floorFor(t);
  const states = (): string[] => floor.chats.list().map(({ title, state }) => `${title}: ${state}`);
  const failing = floor.chatWith('diesAtStart');
  failing.prompt('fail');
  await ended(failing);
  const running = floor.chatWith('scripted');
  running.prompt(steps(['wait']));
  floor.chats.newChat('scripted');
  assert.deepEqual(states().sort(), ['New chat: idle', '[["wait"]]: running', 'fail: failed']);
  running.stop();
  await ended(running);
  await floor.chats.open(failing.id);
  assert.deepEqual(states().sort(), ['[["wait"]]: idle', 'fail: failed']);
  await assert.rejects(floor.chats.open('no such chat'), /not there any more/);
});
