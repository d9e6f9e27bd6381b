import assert from 'node:assert/strict';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ended, floorFor, said, stateOf, steps, type FloorOptions } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

test('an agent that dies at its start fails the turn with exit code and stderr, and nothing else', async (t) => {
  const floor = floorFor(t);
  const other = floor.chatWith('scripted');
  other.prompt('Hello');
  const chat = floor.chatWith('diesAtStart');
  chat.prompt('Hello');
  await ended(chat);
  await ended(other);
  const { state } = chat.thread.latest ?? assert.fail();
  assert.ok(state.kind === 'failed');
  assert.match(state.failure.message, /diesAtStart ended before it was ready: exit code 3/);
  assert.match(state.failure.details, /no licence found/);
  const agent = chat.agent.info.state;
  assert.ok(agent.kind === 'failed');
  assert.equal(agent.failure.exit, 'exit code 3');
  assert.match(agent.failure.stderr, /Fatal: no licence found/);
  assert.equal(said(other, 'agent'), 'Hello');
});

test('a program that is not there is named, and the next prompt tries again', async (t) => {
  const floor = floorFor(t);
  floor.settings.define('mine', { command: '/nowhere/agent' });
  const chat = floor.chats.newChat('mine');
  chat.prompt('One');
  await ended(chat);
  const { state } = chat.thread.latest ?? assert.fail();
  assert.ok(state.kind === 'failed');
  assert.match(state.failure.message, /"\/nowhere\/agent" was not found/);
  floor.settings.define('mine', {
    command: process.execPath,
    args: [path.resolve('test/fakes/agents/scripted.mjs')],
  });
  assert.equal(chat.agent.info.state.kind, 'idle');
  chat.prompt('Two');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'Two');
  assert.equal(said(chat, 'notice'), '');
});

test('an agent that is not in the settings fails in words', async (t) => {
  const chat = floorFor(t).chats.newChat('gone');
  chat.prompt('Hello');
  await ended(chat);
  const { state } = chat.thread.latest ?? assert.fail();
  assert.ok(state.kind === 'failed');
  assert.match(state.failure.message, /no agent "gone"/);
});

test('an agent that dies in a turn fails every running turn of its own, and only those', async (t) => {
  const floor = floorFor(t);
  const other = floor.chatWith('ignoresCancel');
  other.prompt('Go on');
  await eventually('the other agent talks', () => said(other, 'agent') !== '');
  const first = floor.chatWith('scripted');
  first.prompt(steps(['say', 'one'], ['wait']));
  const second = floor.chats.newChat('scripted');
  assert.notEqual(second, first);
  await eventually('the first one talks', () => said(first, 'agent') === 'one');
  second.prompt(steps(['say', 'two'], ['stderr', 'out of cheese'], ['exit', 7]));
  await ended(first);
  await ended(second);
  for (const chat of [first, second]) {
    const { state } = chat.thread.latest ?? assert.fail();
    assert.ok(state.kind === 'failed');
    assert.match(state.failure.message, /scripted ended: exit code 7/);
    assert.match(state.failure.details, /out of cheese/);
  }
  const before = said(other, 'agent').length;
  await eventually('the other agent goes on', () => said(other, 'agent').length > before);
  assert.equal(stateOf(other), 'running');
});

test('after a crash the next prompt opens a new session and says what the agent has forgotten', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['say', 'one'], ['exit', 1]));
  await ended(chat);
  chat.prompt('two');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'onetwo');
  assert.match(said(chat, 'notice'), /does not remember the text above/);
  chat.prompt('three');
  await ended(chat);
  assert.equal(said(chat, 'notice').match(/remember/g)?.length, 1);
});

test('several chats share one process, and each hears only its own session', async (t) => {
  const floor = floorFor(t);
  const a = floor.chatWith('scripted');
  a.prompt(steps(['say', 'a1 '], ['wait'], ['say', 'a2']));
  const b = floor.chats.newChat('scripted');
  await eventually('a talks', () => said(a, 'agent') !== '');
  b.prompt(steps(['say', 'b']));
  await ended(b);
  assert.equal(a.agent, b.agent);
  assert.deepEqual([said(a, 'agent'), stateOf(a), said(b, 'agent')], ['a1 ', 'running', 'b']);
  a.stop();
  await ended(a);
});

test('an agent that never answers initialize is given up, with what it said on stderr', async (t) => {
  const floor = floorFor(t);
  floor.settings.allowSilence(3_000);
  const chat = floor.chatWith('neverAnswers');
  chat.prompt('Hello');
  await ended(chat);
  const { state } = chat.thread.latest ?? assert.fail();
  assert.ok(state.kind === 'failed');
  assert.match(state.failure.message, /did not answer/);
  assert.match(state.failure.details, /thinking about initialize/);
  assert.equal(chat.agent.info.state.kind, 'failed');
});

test('an agent that starts slowly but talks on stderr is waited for', async (t) => {
  const floor = floorFor(t);
  floor.settings.allowSilence(2_500);
  const chat = floor.chatWith('slowStart');
  chat.prompt('Hello');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'Hello');
});

test('an agent that speaks another version is closed with plain words', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted', ['--version', '2']);
  chat.prompt('Hello');
  await ended(chat);
  const { state } = chat.thread.latest ?? assert.fail();
  assert.ok(state.kind === 'failed');
  assert.match(state.failure.message, /version 2/);
  assert.equal(chat.agent.info.state.kind, 'failed');
});

for (const rogue of ['banner', 'nonsense'] as const) {
  test(`${rogue}: nonsense around the answers costs nothing but a line in the log`, async (t) => {
    const chat = floorFor(t).chatWith(rogue);
    chat.prompt('Hello');
    await ended(chat);
    assert.deepEqual(chat.thread.latest?.state, { kind: 'stopped', reason: 'end_turn' });
    assert.notEqual(said(chat, 'agent'), '');
  });
}

test('half a line and silence: the turn runs on, and Stop and restart still work', async (t) => {
  const floor = floorFor(t, { stopPatience: 50 });
  const chat = floor.chatWith('halfLine');
  chat.prompt('Hello');
  await eventually('the whole line is there', () => said(chat, 'agent') === 'Whole. ');
  chat.stop();
  await eventually('the chat says so', () => /not reacted to Stop/.test(said(chat, 'notice')));
  assert.equal(stateOf(chat), 'running');
  void chat.agent.restart();
  await ended(chat);
  assert.deepEqual(chat.thread.latest?.state, { kind: 'stopped', reason: 'cancelled' });
});

test('the settings of a running agent apply at its next start, and its chats say so', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt('one');
  await ended(chat);
  const now = floor.settings.agents().get('scripted') ?? assert.fail();
  floor.settings.define('scripted', { ...now, env: { NEW: '1' } });
  assert.match(said(chat, 'notice'), /settings of scripted have changed/);
  floor.settings.turnTrace(false);
  assert.equal(said(chat, 'notice').match(/have changed/g)?.length, 1);
  chat.prompt('two');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'onetwo');
});

test('a command from the workspace starts only after consent', async (t) => {
  const floor = floorFor(t);
  floor.consent.answer = false;
  floor.settings.define('theirs', {
    command: process.execPath,
    args: [path.resolve('test/fakes/agents/scripted.mjs')],
    origin: 'workspace',
  });
  const chat = floor.chats.newChat('theirs');
  chat.prompt('one');
  await ended(chat);
  const { state } = chat.thread.latest ?? assert.fail();
  assert.ok(state.kind === 'failed');
  assert.match(state.failure.message, /not started/);
  floor.consent.answer = true;
  chat.prompt('two');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'two');
});

test('capabilities are those that work: no writing and no commands without trust, no commands where no folder is on the disk', async (t) => {
  const capabilities = async (
    options: FloorOptions,
    trusted: boolean,
    virtual: readonly string[] = [],
  ): Promise<unknown> => {
    const floor = floorFor(t, options);
    floor.workspace.setTrust(trusted);
    floor.workspace.setVirtualFolders(virtual);
    floor.settings.turnTrace(true);
    const chat = floor.chatWith('scripted');
    await chat.agent.start();
    const trace = path.join(floor.folders.logs, 'trace-scripted.ndjson');
    await eventually('the trace is written', () => fs.existsSync(trace));
    const [line] = fs.readFileSync(trace, 'utf8').split('\n');
    const { raw } = JSON.parse(line ?? '') as { raw: string };
    const { params } = JSON.parse(raw) as { params: unknown };
    return params;
  };
  const params = (writeTextFile: boolean, terminal: boolean): object => ({
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile }, terminal },
    clientInfo: { name: 'parley', title: 'Parley', version: '0.0.0-test' },
  });
  assert.deepEqual(await capabilities({}, true), params(true, true));
  assert.deepEqual(await capabilities({}, false), params(false, false));
  const noFolder = { workspaceFolders: [] };
  assert.deepEqual(await capabilities(noFolder, true), params(true, true));
  assert.deepEqual(await capabilities(noFolder, true, ['/virtual']), params(true, false));
  assert.deepEqual(await capabilities({}, true, ['/virtual']), params(true, true));
});

test('when trust comes while an agent runs, its chats offer the restart that lets it write, once', async (t) => {
  const floor = floorFor(t);
  floor.workspace.setTrust(false);
  const chat = floor.chatWith('scripted');
  chat.prompt('Hello');
  await ended(chat);
  floor.workspace.setTrust(true);
  floor.workspace.setTrust(true);
  const offers = said(chat, 'notice').match(
    /Restart the agent to let it write files and run commands/g,
  );
  assert.equal(offers?.length, 1);
  // What it was told is only what it was told: a request is judged when it comes.
  chat.prompt(steps(['write', path.join(floor.folders.workspace, 'a.txt'), 'x']));
  await ended(chat);
  assert.equal(fs.readFileSync(path.join(floor.folders.workspace, 'a.txt'), 'utf8'), 'x');
});

test('who listens to the state of an agent and fails does not keep it from starting', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.agent.onDidChange(() => {
    throw new Error('broken view');
  });
  chat.prompt('Hello');
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'Hello');
  assert.ok(floor.log.lines.some((line) => line.includes('broken view')));
});

test('an agent that opens no session is told about after a while; Stop frees the chat, and the next prompt asks anew', async (t) => {
  const floor = floorFor(t, { sessionPatience: 50 });
  const chat = floor.chatWith('hangsAtFirst');
  chat.prompt('one');
  await eventually('the chat says so', () => /not opened a session/.test(said(chat, 'notice')));
  assert.match(said(chat, 'notice'), /restart the agent/);
  assert.equal(stateOf(chat), 'running');
  chat.stop();
  assert.deepEqual(chat.thread.latest?.state, { kind: 'stopped', reason: 'cancelled' });
  chat.prompt('two');
  await ended(chat);
  assert.deepEqual(chat.thread.latest.state, { kind: 'stopped', reason: 'end_turn' });
  // What belongs to the session that nobody waits for any more is not shown.
  assert.equal(said(chat, 'agent'), 'of session 1. Hello');
});

test('an agent that opens its session in time is not told about', async (t) => {
  const floor = floorFor(t, { sessionPatience: 5_000 });
  const chat = floor.chatWith('scripted');
  chat.prompt('one');
  await ended(chat);
  assert.equal(said(chat, 'notice'), '');
});

test('trust that is granted and a folder that is added apply at the next start, and the chats say so once', async (t) => {
  const floor = floorFor(t, { workspaceFolders: [] });
  floor.workspace.setTrust(false);
  const chat = floor.chatWith('scripted');
  chat.prompt('one');
  await ended(chat);
  const count = (): number =>
    said(chat, 'notice').match(/trust of this workspace have changed/g)?.length ?? 0;
  floor.workspace.setTrust(false);
  assert.equal(count(), 0);
  floor.workspace.setFolders([floor.folders.workspace]);
  assert.equal(count(), 1);
  floor.workspace.setFolders([floor.folders.workspace]);
  assert.equal(count(), 1);
  floor.workspace.setTrust(true);
  assert.equal(count(), 2);
  await chat.agent.restart();
  floor.workspace.setFolders([floor.folders.workspace, floor.folders.logs]);
  assert.equal(count(), 2);
});

test('an agent that failed because a workspace was not trusted can be tried when it is', async (t) => {
  const floor = floorFor(t);
  floor.workspace.setTrust(false);
  floor.settings.define('theirs', {
    command: process.execPath,
    args: [path.resolve('test/fakes/agents/scripted.mjs')],
    origin: 'workspace',
  });
  const chat = floor.chats.newChat('theirs');
  await chat.agent.start();
  assert.equal(chat.agent.info.state.kind, 'failed');
  floor.workspace.setTrust(true);
  assert.equal(chat.agent.info.state.kind, 'idle');
});

test('when the agents are closed their traces are on the disk', async (t) => {
  const floor = floorFor(t);
  floor.settings.turnTrace(true);
  const append = fsPromises.appendFile;
  t.mock.method(fsPromises, 'appendFile', async (...args: Parameters<typeof append>) => {
    // A slow disk: what the agent said last is still on its way when the agent is gone.
    await delay(700);
    return append(...args);
  });
  const chat = floor.chatWith('flood', ['20000']);
  chat.prompt('Hello');
  await ended(chat);
  await floor.agents.close();
  const trace = fs.readFileSync(path.join(floor.folders.logs, 'trace-flood.ndjson'), 'utf8');
  assert.ok(trace.includes('19999 '));
  assert.ok(trace.includes('end_turn'));
});
