import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Chat } from '../../src/client/session/chat.ts';
import type { ToolCallEntry } from '../../src/thread/thread.ts';
import {
  ClientFloor,
  ended,
  entries,
  floorFor,
  said,
  stateOf,
  steps,
  TestFolders,
} from '../fakes/clientFloor.ts';
import {
  terminals,
  asked,
  question,
  answer,
  node,
  create,
  ID,
  untilExit,
  isAlive,
} from '../fakes/commandSteps.ts';
import { eventually } from '../fakes/eventually.ts';

const NODE = process.execPath;

const calls = (chat: Chat): readonly ToolCallEntry[] =>
  entries(chat).filter((entry) => entry.kind === 'tool');
const shownIn = (call: ToolCallEntry | undefined): string | undefined => {
  const part = call?.content.find((each) => each.type === 'terminal');
  return part?.type === 'terminal' ? part.terminalId : undefined;
};

test('a command is asked about whole, runs after a yes, and stays in the chat with output and exit code', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const script = 'console.log("out"); console.error("err"); process.exitCode = 3';
  chat.prompt(
    steps(
      create({ ...node(script), env: [{ name: 'GREETING', value: 'secret' }] }),
      untilExit,
      ['request', 'terminal/output', ID],
      ['request', 'terminal/release', ID],
      ['request', 'terminal/output', ID],
    ),
  );
  await asked(floor);
  const { subject, facts, kind, options } = question(floor);
  assert.equal(kind, 'Run a command');
  assert.ok(subject.startsWith(NODE) && subject.includes(script), subject);
  assert.deepEqual(facts, [
    `in ${floor.folders.workspace}`,
    'changes the environment variables GREETING',
  ]);
  const reason = calls(chat)[0]?.permissions[0]?.reason ?? '';
  for (const said of [floor.folders.workspace, 'GREETING'])
    assert.ok(reason.includes(said), reason);
  assert.doesNotMatch(JSON.stringify([question(floor), chat.thread]), /"secret"|=secret/);
  assert.deepEqual(
    options.map((option) => [option.name, option.kind]),
    [
      ['Allow once', 'allow_once'],
      ['Allow this exact command in this chat', 'allow_always'],
      ['Reject', 'reject_once'],
    ],
  );
  assert.deepEqual(terminals(chat), []);
  answer(floor, /once/);
  await ended(chat);
  const [terminal, ...others] = terminals(chat);
  assert.ok(terminal);
  assert.deepEqual(others, []);
  const [created, exit, output, released, gone] = said(chat, 'agent').trim().split('\n');
  assert.deepEqual(JSON.parse(created ?? ''), { terminalId: terminal.terminalId });
  assert.deepEqual(JSON.parse(exit ?? ''), { exitCode: 3, signal: null });
  assert.deepEqual(JSON.parse(output ?? ''), {
    output: 'out\nerr\n',
    truncated: false,
    exitStatus: { exitCode: 3, signal: null },
  });
  assert.equal(released, '{}');
  assert.match(gone ?? '', /"code":-326/);
  assert.deepEqual(
    [terminal.output, terminal.exit, terminal.cwd, terminal.cut],
    ['out\nerr\n', { code: 3, signal: null }, floor.folders.workspace, false],
  );
  const [call] = calls(chat);
  assert.deepEqual(
    [calls(chat).length, call?.state, shownIn(call)],
    [1, 'failed', terminal.terminalId],
  );
});

test('a command that the person refuses does not run, and the agent hears why', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const file = path.join(floor.folders.workspace, 'made');
  chat.prompt(steps(create(node(`fs.writeFileSync(${JSON.stringify(file)}, "")`))));
  await asked(floor);
  answer(floor, /Reject/);
  await ended(chat);
  assert.match(said(chat, 'agent'), /"code":-32602,"message":"The person refused to let you run/);
  assert.deepEqual(
    [fs.existsSync(file), terminals(chat).length, calls(chat)[0]?.state],
    [false, 0, 'rejected'],
  );
});

test('an exact command that is allowed for the chat is not asked about again, and any other is', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const again = [create(node('1')), untilExit];
  chat.prompt(steps(...again, ...again, create(node('2'))));
  await asked(floor);
  answer(floor, /exact command/);
  await eventually(
    'the other one is asked about',
    () => floor.desk.open[0]?.question.subject.includes('-e 2') === true,
  );
  assert.equal(terminals(chat).length, 2);
  answer(floor, /Reject/);
  await ended(chat);
  await eventually('each has a call', () => calls(chat).length === 3);
});

test('a command that the person has just allowed at the agent’s own question is not asked about again, once', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const params = node('1');
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const toolCall = { toolCallId: 'c', kind: 'execute', title: 'Count', rawInput: params };
  chat.prompt(steps(['ask', { toolCall, options }], create(params), untilExit, create(params)));
  await asked(floor);
  assert.equal(question(floor).reason, '');
  answer(floor, /Yes/);
  await eventually('Parley asks', () => (floor.desk.open[0]?.question.reason ?? '') !== '');
  assert.equal(terminals(chat).length, 1);
  answer(floor, /Reject/);
  await ended(chat);
});

test('what the agent says of its call after the yes does not count', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const toolCall = { toolCallId: 'c', kind: 'execute', title: 'Count', rawInput: node('1') };
  const later = { sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: node('2') };
  chat.prompt(steps(['ask', { toolCall, options }], ['update', later], create(node('2'))));
  await asked(floor);
  answer(floor, /Yes/);
  await eventually('Parley asks', () => (floor.desk.open[0]?.question.reason ?? '') !== '');
  answer(floor, /Reject/);
  await ended(chat);
  assert.deepEqual(terminals(chat), []);
});

test('a question about a command stands at the open call of the agent that tells it, and says the command itself', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const params = node('console.log(1)');
  const embedded = {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c',
    content: [{ type: 'terminal', ...ID }],
  };
  chat.prompt(
    steps(
      [
        'update',
        {
          sessionUpdate: 'tool_call',
          toolCallId: 'c',
          kind: 'execute',
          title: 'Harmless',
          rawInput: params,
        },
      ],
      create(params),
      ['update', embedded],
      untilExit,
      ['update', { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' }],
    ),
  );
  await asked(floor);
  const { title, subject, reason } = question(floor);
  for (const text of [title, subject]) assert.ok(text.includes('console.log(1)'), text);
  // The pick says it once; the card says it above what the agent may change.
  assert.doesNotMatch(reason, /console\.log/);
  const told = calls(chat)[0]?.permissions[0]?.reason ?? '';
  assert.ok(told.includes('console.log(1)'), told);
  answer(floor, /once/);
  await ended(chat);
  assert.deepEqual(
    calls(chat).map(({ toolCallId, state }) => [toolCallId, state]),
    [['c', 'done']],
  );
  assert.equal(shownIn(calls(chat)[0]), terminals(chat)[0]?.terminalId);
});

test('live output reaches the chat, and only its end is kept', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(
    steps(
      create(
        node(
          'console.log("begun"); process.stdin.on("close", () => {}); setInterval(() => {}, 1000)',
        ),
      ),
      untilExit,
    ),
  );
  await asked(floor);
  answer(floor, /once/);
  await eventually('it prints', () => terminals(chat)[0]?.output === 'begun\n');
  assert.equal(terminals(chat)[0]?.exit, null);
  assert.equal(calls(chat)[0]?.state, 'running');
  // The person's own Stop button.
  chat.requests.stopTerminal(terminals(chat)[0]?.terminalId ?? '');
  await ended(chat);
  const { exit, output } = terminals(chat)[0] ?? assert.fail();
  assert.deepEqual([exit?.code, typeof exit?.signal, output], [null, 'string', 'begun\n']);
  floor.close();
  const log = fs.readFileSync(path.join(floor.folders.chats, `${chat.id}.ndjson`), 'utf8');
  assert.match(log, /"terminalStarted"/);
  assert.match(log, /"terminalEnded"/);
  assert.doesNotMatch(log, /"terminalPrinted"/);
});

test('a terminal that the agent shows in no call gets one of its own', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const params = node('console.log("seen")');
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const toolCall = { toolCallId: 'c', kind: 'execute', title: 'Count', rawInput: params };
  chat.prompt(steps(['ask', { toolCall, options }], create(params), untilExit));
  await asked(floor);
  answer(floor, /Yes/);
  await ended(chat);
  await eventually('it is shown', () => calls(chat).length === 2);
  const [, own] = calls(chat);
  assert.deepEqual([own?.state, shownIn(own)], ['done', terminals(chat)[0]?.terminalId]);
  assert.match(own?.toolCallId ?? '', /^parley:/);
});

test('a command cannot run outside of the folders without a word about it, nor where there is no folder', async (t) => {
  const floor = floorFor(t);
  const elsewhere = path.join(floor.folders.root, 'elsewhere');
  fs.mkdirSync(elsewhere);
  const chat = floor.chatWith('scripted');
  chat.prompt(
    steps(
      create({ ...node('1'), cwd: 'relative' }),
      create({ ...node('1'), cwd: path.join(floor.folders.workspace, 'none') }),
      create({ ...node('1'), cwd: elsewhere }),
    ),
  );
  await asked(floor);
  assert.deepEqual(question(floor).facts, [`in ${elsewhere}`]);
  answer(floor, /Reject/);
  await ended(chat);
  assert.equal(said(chat, 'agent').match(/"code":-32\d+/g)?.length, 3);
  assert.deepEqual(terminals(chat), []);
});

test('what cannot be found or run is an error of create, and the call that asked has failed', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(create({ command: 'no-such-program-at-all', args: ['x'] })));
  await eventually('it is asked or refused', () => floor.desk.open.length === 1 || !chat.isRunning);
  if (floor.desk.open.length === 1) answer(floor, /once/);
  await ended(chat);
  assert.match(said(chat, 'agent'), /"code":-32\d+.*no-such-program-at-all/);
  assert.ok(calls(chat).every(({ state }) => state === 'failed'));
});

test('terminals of another session are not there', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(create(node('1')), untilExit));
  await asked(floor);
  answer(floor, /once/);
  await ended(chat);
  const other = floor.chats.newChat('scripted');
  const terminalId = terminals(chat)[0]?.terminalId ?? assert.fail();
  other.prompt(
    steps(
      ['request', 'terminal/output', { terminalId }],
      ['request', 'terminal/kill', { terminalId }],
      ['request', 'terminal/release', { terminalId }],
      ['request', 'terminal/wait_for_exit', { terminalId }],
    ),
  );
  await ended(other);
  assert.equal(said(other, 'agent').match(/"code":-32\d+/g)?.length, 4);
});

const LONG = 'console.log(process.pid); setInterval(() => {}, 1000)';
const pidOf = async (chat: Chat): Promise<number> => {
  await eventually('it prints its id', () => /^\d+\n$/.test(terminals(chat)[0]?.output ?? ''));
  return Number(terminals(chat)[0]?.output);
};

test('everything ends with the agent', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(create(node(LONG)), ['poll', '\n'], ['exit', 1]));
  await asked(floor);
  answer(floor, /once/);
  const pid = await pidOf(chat);
  await ended(chat);
  assert.equal(stateOf(chat), 'failed');
  await eventually('it has ended', () => !isAlive(pid) && terminals(chat)[0]?.exit !== null);
});

test('everything ends with the window, and the chat has the end and the output after a reload', async (t) => {
  const folders = new TestFolders();
  t.after(() => {
    folders.remove();
  });
  const before = new ClientFloor(folders);
  const chat = before.chatWith('scripted');
  chat.prompt(steps(create(node(LONG)), untilExit));
  await asked(before);
  answer(before, /once/);
  const pid = await pidOf(chat);
  before.close();
  await eventually('it has ended', () => !isAlive(pid));
  const after = new ClientFloor(folders);
  t.after(() => {
    after.close();
  });
  await after.chats.load();
  const [terminal] = terminals(after.chats.active);
  assert.notEqual(terminal?.exit ?? null, null);
  assert.equal(terminal?.output, `${pid}\n`);
  const log = fs.readFileSync(path.join(folders.chats, `${chat.id}.ndjson`), 'utf8');
  assert.match(log, /"terminalEnded"/);
});

test('waiting for the end of commands keeps nobody from anything', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const many = Array.from({ length: 12 }, () => ['start', 'terminal/wait_for_exit', ID]);
  fs.writeFileSync(path.join(floor.folders.workspace, 'a.txt'), 'mine');
  chat.prompt(
    steps(create(node(LONG)), ...many, ['read', path.join(floor.folders.workspace, 'a.txt')]),
  );
  await asked(floor);
  answer(floor, /once/);
  await ended(chat);
  assert.match(said(chat, 'agent'), /"mine"$/);
});

test('a wait for the end of a command that the agent takes back is over, and the command runs on', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(
    steps(
      create(node(LONG)),
      ['takeBack', 'terminal/wait_for_exit', ID, 100],
      ['request', 'terminal/output', ID],
    ),
  );
  await asked(floor);
  answer(floor, /once/);
  await ended(chat);
  const [, wait = '', output = ''] = said(chat, 'agent').split('\n');
  assert.match(wait, /"code":-32800/);
  assert.doesNotMatch(output, /exitCode/);
});

test('a request that the agent takes back is over: a question leaves the desk, a wait ends', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['takeBack', 'terminal/create', node(LONG), 100], ['say', 'on']));
  await ended(chat);
  assert.match(said(chat, 'agent'), /"code":-32800.*on$/s);
  assert.deepEqual([floor.desk.open.length, terminals(chat).length], [0, 0]);
  assert.equal(calls(chat)[0]?.state, 'cancelled');
});
