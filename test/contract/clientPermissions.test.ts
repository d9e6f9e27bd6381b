import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chat } from '../../src/client/session/chat.ts';
import type { ToolCallEntry } from '../../src/thread/thread.ts';
import {
  ended,
  entries,
  floorFor,
  said,
  stateOf,
  steps,
  type ClientFloor,
} from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Just once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
const request = (toolCallId: string, more: object = {}): object => ({
  toolCall: { toolCallId, title: `Dig ${toolCallId}`, kind: 'execute' },
  options: OPTIONS,
  ...more,
});
const calls = (chat: Chat): readonly ToolCallEntry[] =>
  entries(chat).filter((entry) => entry.kind === 'tool');
const waiting = (floor: ClientFloor, count: number): Promise<void> =>
  eventually(`${count} requests wait`, () => floor.desk.open.length === count);

test('a request waits in its chat with the options of the agent, and the pick answers it', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  floor.window.show(chat.id);
  const rawInput = { command: ['git', 'commit', '-m', 'two\nlines'] };
  const toolCall = { toolCallId: 'c', title: 'Commit', kind: 'execute', rawInput };
  chat.prompt(steps(['ask', { toolCall, options: OPTIONS }]));
  await waiting(floor, 1);
  assert.equal(calls(chat)[0]?.state, 'waiting');
  assert.equal(floor.chats.list()[0]?.state, 'waiting');
  const [pick] = floor.prompt.onScreen;
  assert.ok(pick);
  const { title, kind, subject, options, agentName } = pick.question;
  assert.deepEqual(
    { title, kind, subject, agentName, options: options.map(({ name }) => name) },
    {
      title: 'Commit',
      kind: 'Run a command',
      subject: "git commit -m 'two\nlines'",
      agentName: 'scripted',
      options: ['Always', 'Just once', 'No'],
    },
  );
  pick.act('once');
  await ended(chat);
  assert.equal(said(chat, 'agent'), '{"outcome":"selected","optionId":"once"}');
  const [permission] = calls(chat)[0]?.permissions ?? [];
  assert.ok(permission?.state.kind === 'answered');
  assert.equal(permission.state.optionId, 'once');
});

test('a request shows what an earlier update said of its call', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const diff = { type: 'diff', path: '/w/a.ts', oldText: 'a\n', newText: 'b\n' };
  const call = { toolCallId: 'c', title: 'Edit a.ts', kind: 'edit', content: [diff] };
  chat.prompt(
    steps(
      ['update', { sessionUpdate: 'tool_call', status: 'pending', ...call }],
      ['ask', { toolCall: { toolCallId: 'c' }, options: OPTIONS }],
    ),
  );
  await waiting(floor, 1);
  const { question } = floor.desk.open[0] ?? assert.fail();
  assert.deepEqual(
    [question.title, question.kind, question.subject, question.diffs.map(({ path }) => path)],
    ['Edit a.ts', 'Edit a file', '/w/a.ts', ['/w/a.ts']],
  );
  floor.desk.answer(question.permissionId, 'no');
  await ended(chat);
  assert.equal(calls(chat)[0]?.state, 'rejected');
});

test('pick and card at the same time give the agent one answer, that of the first', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  floor.window.show(chat.id);
  chat.prompt(steps(['ask', request('c')], ['ask', request('d')]));
  await waiting(floor, 1);
  const [open] = floor.desk.open;
  const [pick] = floor.prompt.onScreen;
  pick?.act('always');
  assert.equal(floor.desk.answer(open?.permissionId ?? '', 'no'), true);
  await eventually(
    'the next one asks',
    () => floor.desk.open[0]?.permissionId !== open?.permissionId,
  );
  await waiting(floor, 1);
  floor.desk.answer(floor.desk.open[0]?.permissionId ?? '', 'once');
  await ended(chat);
  assert.equal(
    said(chat, 'agent'),
    '{"outcome":"selected","optionId":"no"}{"outcome":"selected","optionId":"once"}',
  );
});

test('Stop answers every open request of its chat with cancelled, and none of another chat', async (t) => {
  const floor = floorFor(t);
  const a = floor.chatWith('scripted');
  a.prompt(steps(['askAll', [request('c1'), request('c2'), request('c3')]], ['end', 'cancelled']));
  await waiting(floor, 3);
  const b = floor.chats.newChat('scripted');
  b.prompt(steps(['ask', request('c1')]));
  await waiting(floor, 4);
  a.stop();
  assert.deepEqual(
    floor.desk.open.map(({ chatId }) => chatId),
    [b.id],
  );
  await ended(a);
  assert.equal(said(a, 'agent'), '{"outcome":"cancelled"}'.repeat(3));
  assert.deepEqual(
    calls(a).map(({ state }) => state),
    ['cancelled', 'cancelled', 'cancelled'],
  );
  assert.equal(calls(b)[0]?.state, 'waiting');
  floor.desk.answer(floor.desk.open[0]?.permissionId ?? '', 'once');
  await ended(b);
  assert.equal(said(b, 'agent'), '{"outcome":"selected","optionId":"once"}');
});

test('a request that comes after Stop is answered with cancelled and never shown', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  floor.window.show(chat.id);
  chat.prompt(steps(['say', 'on it '], ['wait'], ['ask', request('c')], ['end', 'cancelled']));
  await eventually('it works', () => said(chat, 'agent') !== '');
  chat.stop();
  await ended(chat);
  assert.equal(said(chat, 'agent'), 'on it {"outcome":"cancelled"}');
  assert.equal(floor.prompt.picks.length, 0);
});

test('requests of two chats each wait in their own, and switching shows the one of the chat in view', async (t) => {
  const floor = floorFor(t);
  const a = floor.chatWith('scripted');
  floor.window.show(a.id);
  a.prompt(steps(['ask', request('same')]));
  await waiting(floor, 1);
  const b = floor.chats.newChat('scripted');
  b.prompt(steps(['ask', request('same')]));
  await waiting(floor, 2);
  const onScreen = (): readonly string[] =>
    floor.prompt.onScreen.map(
      ({ question }) =>
        floor.desk.open.find(({ permissionId }) => permissionId === question.permissionId)
          ?.chatId ?? 'none',
    );
  assert.deepEqual(onScreen(), [a.id]);
  floor.window.show(b.id);
  await eventually('the pick of b is shown', () => onScreen()[0] === b.id);
  floor.prompt.onScreen[0]?.act('no');
  await ended(b);
  assert.equal(stateOf(a), 'running');
  assert.equal(calls(a)[0]?.state, 'waiting');
  floor.window.show(a.id);
  await eventually('the pick of a is shown', () => onScreen()[0] === a.id);
  floor.prompt.onScreen[0]?.act('once');
  await ended(a);
  assert.deepEqual(
    [said(a, 'agent'), said(b, 'agent')],
    ['{"outcome":"selected","optionId":"once"}', '{"outcome":"selected","optionId":"no"}'],
  );
});

test('a request that the agent takes back is not open any more', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('takesBack');
  chat.prompt('Hello');
  await ended(chat);
  assert.equal(floor.desk.open.length, 0);
  assert.equal(calls(chat)[0]?.permissions[0]?.state.kind, 'cancelled');
  // The agent says how many answers it got to it.
  assert.equal((JSON.parse(said(chat, 'agent')) as unknown[]).length, 1);
});

test('a turn that ends while its request is open answers it with cancelled, and takes the pick away', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('asksAndEnds');
  floor.window.show(chat.id);
  chat.prompt('Hello');
  await eventually('the pick is shown', () => floor.prompt.picks.length === 1);
  await ended(chat);
  assert.deepEqual([floor.desk.open.length, floor.prompt.onScreen.length], [0, 0]);
  assert.equal(calls(chat)[0]?.permissions[0]?.state.kind, 'cancelled');
  await eventually('the agent has its answer', () => said(chat, 'agent') !== '');
  assert.equal(said(chat, 'agent'), '{"outcome":"cancelled"}');
});

test('a prompt that begins answers what was asked after the turn before with cancelled', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('asksAndEnds');
  floor.window.show(chat.id);
  chat.prompt('after');
  await ended(chat);
  await waiting(floor, 1);
  chat.prompt('Hello');
  assert.deepEqual([floor.desk.open.length, floor.prompt.onScreen.length], [0, 0]);
  assert.equal(calls(chat)[0]?.permissions[0]?.state.kind, 'cancelled');
  await eventually('the agent has its answer', () => said(chat, 'agent') !== '');
  assert.match(said(chat, 'agent'), /^\{"outcome":"cancelled"\}/);
  await ended(chat);
});

test('an agent that dies takes its requests with it', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  floor.window.show(chat.id);
  chat.prompt(steps(['ask', request('c')]));
  await waiting(floor, 1);
  const other = floor.chats.newChat('scripted');
  other.prompt(steps(['exit', 9]));
  await ended(chat);
  assert.deepEqual([floor.desk.open.length, floor.prompt.onScreen.length], [0, 0]);
  assert.equal(calls(chat)[0]?.permissions[0]?.state.kind, 'cancelled');
});

test('a request for a session that is not known is cancelled and shown nowhere', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['ask', request('c', { sessionId: 'somebody else' })]));
  await ended(chat);
  assert.equal(said(chat, 'agent'), '{"outcome":"cancelled"}');
  assert.deepEqual(calls(chat), []);
});

test('a request from before its session was named waits for the session, and is answered by the person', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('asksEarly');
  chat.prompt('Hello');
  await waiting(floor, 1);
  assert.deepEqual([floor.desk.open[0]?.chatId, calls(chat)[0]?.state], [chat.id, 'waiting']);
  floor.desk.answer(floor.desk.open[0]?.permissionId ?? '', 'yes\nno');
  await ended(chat);
  assert.equal(said(chat, 'agent'), '["selected"]');
  // An agent chooses its ids: they make no lines of their own in the log.
  assert.ok(floor.log.lines.some((line) => line.endsWith(String.raw`answered with "yes\nno"`)));
});

test('of requests from before their session was named no more than twenty wait', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('asksEarly', ['25']);
  chat.prompt('Hello');
  await waiting(floor, 20);
  chat.stop();
  await ended(chat);
  assert.equal(said(chat, 'agent'), JSON.stringify(Array.from({ length: 25 }, () => 'cancelled')));
});

test('hostile requests: no options, one id for two options, thousands of options, a title of a megabyte', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const twins = [
    { optionId: 'x', name: 'Run', kind: 'allow_once' },
    { optionId: 'x', name: 'Do not run', kind: 'reject_once' },
  ];
  const many = Array.from({ length: 10_000 }, (_, n) => ({
    optionId: `o${n}`,
    name: `Option ${n}`,
    kind: 'allow_once',
  }));
  const long = { toolCallId: 'long', title: 'x'.repeat(1_000_000), kind: 'execute' };
  chat.prompt(
    steps(
      ['ask', request('none', { options: [] })],
      ['ask', request('twins', { options: twins })],
      ['ask', request('many', { options: many })],
      ['ask', { toolCall: long, options: OPTIONS }],
      ['ask', { toolCall: { toolCallId: 'twins' }, options: OPTIONS }],
    ),
  );
  const next = async (optionId: string): Promise<readonly string[]> => {
    await waiting(floor, 1);
    const { permissionId, question } = floor.desk.open[0] ?? assert.fail();
    assert.ok(JSON.stringify(question).length < 200_000);
    assert.equal(floor.desk.answer(permissionId, 'not offered'), false);
    assert.equal(floor.desk.answer(permissionId, optionId), true);
    return question.options.map(({ name }) => name);
  };
  assert.deepEqual(await next('x'), ['Run']);
  assert.equal((await next('o7')).length, 100);
  await next('no');
  await next('once');
  await ended(chat);
  const answers = said(chat, 'agent');
  assert.match(answers, /^-32602\{"outcome":"selected","optionId":"x"\}/);
  assert.match(answers, /"o7"\}.*"no"\}.*"once"\}$/);
});

test('an agent that asks without end gets its surplus cancelled, and Stop ends them all', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const all = Array.from({ length: 500 }, (_, n) => request(`c${n}`));
  chat.prompt(steps(['askAll', all], ['end', 'cancelled']));
  await waiting(floor, 100);
  await eventually('the surplus is answered', () => said(chat, 'agent').length > 0);
  chat.stop();
  await ended(chat);
  assert.equal(floor.desk.open.length, 0);
  assert.equal(said(chat, 'agent'), '{"outcome":"cancelled"}'.repeat(500));
});

test('where a command of the agent is to run stands at its question, unless it is the folder of the chat', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const { workspace } = floor.folders;
  const command = 'make';
  const asks = (toolCallId: string, more: object): readonly unknown[] => [
    'ask',
    { toolCall: { toolCallId, kind: 'execute' }, options: OPTIONS, ...more },
  ];
  const rawInputs = [
    [{ command }, null],
    [{ command, cwd: workspace }, null],
    [{ command, cwd: '.' }, null],
    [{ command, workdir: '/etc' }, '/etc'],
    [{ command, cwd: 'sub/../..' }, floor.folders.root],
    [{ cwd: '/etc' }, null],
  ] as const;
  chat.prompt(
    steps(
      ...rawInputs.map(([rawInput], n) =>
        asks(`c${n}`, { toolCall: { toolCallId: `c${n}`, kind: 'execute', rawInput } }),
      ),
      // What an earlier update said counts, too.
      [
        'update',
        { sessionUpdate: 'tool_call', toolCallId: 'u', rawInput: { command, cwd: '/usr' } },
      ],
      asks('u', {}),
    ),
  );
  for (const folder of [...rawInputs.map(([, folder]) => folder), '/usr']) {
    await waiting(floor, 1);
    const { question } = floor.desk.open[0] ?? assert.fail();
    assert.deepEqual(question.facts, folder === null ? [] : [`in ${folder}`]);
    assert.equal(calls(chat).at(-1)?.permissions[0]?.folder ?? null, folder);
    const before = calls(chat).length;
    floor.desk.answer(question.permissionId, 'no');
    await eventually('the next', () => calls(chat).length > before || !chat.isRunning);
  }
  await ended(chat);
});
