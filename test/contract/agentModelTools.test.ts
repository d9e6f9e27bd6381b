import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { calls, says, streams } from '../fakes/modelEndpoint.ts';
import { choose, until } from './agentDriver.ts';
import { callsIn, roomFor, toldIn } from './agentModelRoom.ts';

const ADD = 'export function add(a, b) {\n  return a - b;\n}\n';

test('the model is offered what the client can do, and nothing else', async (t) => {
  for (const [capabilities, names] of [
    [
      { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      ['read', 'list', 'search', 'edit', 'write', 'run', 'plan'],
    ],
    [{ fs: { readTextFile: true } }, ['read', 'list', 'search', 'plan']],
    [{ fs: { writeTextFile: true } }, ['list', 'write', 'plan']],
    [{ terminal: true }, ['list', 'run', 'plan']],
    [{}, ['list', 'plan']],
  ] as const) {
    const { endpoint, driver, id } = await roomFor(t, { capabilities });
    endpoint.script(calls(['run', { command: 'x' }]), says('ok'));
    const turn = driver.prompt(id, 'go');
    if ('terminal' in capabilities) {
      const request = await driver.permission();
      request.answer(choose(request, 'reject_once'));
    }
    await turn;
    assert.deepEqual(
      endpoint.last.body.tools?.map((tool) => tool.function.name),
      names,
    );
  }
});

test('what a search tells comes through the client, which knows unsaved text', async (t) => {
  const room = await roomFor(t, { files: { 'src/add.js': ADD } });
  const { endpoint, driver, id, folder } = room;
  const file = path.join(folder, 'src/add.js');
  driver.unsaved.set(file, 'add, but not saved\n');
  endpoint.script(calls(['search', { text: 'add' }]), says('ok'));
  await driver.prompt(id, 'go');
  assert.match(toldIn(room)[0] ?? '', /add, but not saved/);
  assert.deepEqual(driver.reads, [file]);
});

test('a file is read through the client, unsaved text included, with line numbers', async (t) => {
  const room = await roomFor(t, { files: { 'src/add.js': ADD } });
  const { endpoint, driver, id, folder } = room;
  const file = path.join(folder, 'src/add.js');
  driver.unsaved.set(file, 'one\ntwo\nthree\nfour\n');
  endpoint.script(calls(['read', { path: 'src/add.js', line: 2, limit: '2' }]), says('ok'));
  await driver.prompt(id, 'go');
  const [told = ''] = toldIn(room);
  assert.match(told, /^2\ttwo\n3\tthree\n\[.*line 4/);
  assert.deepEqual(driver.reads, [file]);
  const [call] = callsIn(driver.updates(id));
  assert.equal(call?.kind, 'read');
  assert.equal(call.status, 'completed');
  assert.deepEqual(call.locations, [{ path: file, line: 2 }]);
});

test('files are listed and searched, and what was found can be jumped to', async (t) => {
  const files = { 'src/add.js': ADD, 'src/deep/b.js': '// add', 'node_modules/x.js': 'add' };
  const room = await roomFor(t, { files });
  const { endpoint, driver, id, folder } = room;
  endpoint.script(
    calls(['list', {}], ['search', { text: 'ADD' }], ['search', { text: 'add', path: 'src/deep' }]),
    says('ok'),
  );
  await driver.prompt(id, 'go');
  const [list, all, deep] = toldIn(room);
  assert.equal(list, 'src/add.js\nsrc/deep/b.js');
  assert.match(all ?? '', /src\/add\.js:1: export function add/);
  assert.equal(deep, 'src/deep/b.js:1: // add');
  const [, call] = callsIn(driver.updates(id));
  assert.equal(call?.kind, 'search');
  assert.deepEqual(call.locations, [
    { path: path.join(folder, 'src/add.js'), line: 1 },
    { path: path.join(folder, 'src/deep/b.js'), line: 1 },
  ]);
});

test('an edit is shown as a diff, asked about, and written through the client', async (t) => {
  const room = await roomFor(t, { files: { 'add.js': ADD } });
  const { endpoint, driver, id, folder } = room;
  const file = path.join(folder, 'add.js');
  const fixed = ADD.replace('a - b', 'a + b');
  endpoint.script(
    calls(['edit', { path: 'add.js', old_text: 'a - b', new_text: 'a + b' }]),
    says('Fixed.'),
  );
  const turn = driver.prompt(id, 'fix add');
  const request = await driver.permission();
  const { toolCall } = request.params;
  assert.equal(toolCall.kind, 'edit');
  assert.deepEqual(toolCall.locations, [{ path: file, line: 2 }]);
  assert.deepEqual(toolCall.content, [{ type: 'diff', path: file, oldText: ADD, newText: fixed }]);
  assert.equal(fs.readFileSync(file, 'utf8'), ADD);
  request.answer(choose(request, 'allow_once'));
  assert.equal((await turn).stopReason, 'end_turn');
  assert.equal(fs.readFileSync(file, 'utf8'), fixed);
  assert.deepEqual(driver.writes, [file]);
  assert.deepEqual([...driver.toolStates(id).values()], [['pending', 'in_progress', 'completed']]);
});

test('a rejected edit writes nothing, and the model hears of it and goes on', async (t) => {
  const room = await roomFor(t, { files: { 'add.js': ADD } });
  const { endpoint, driver, id, folder } = room;
  endpoint.script(calls(['write', { path: 'add.js', content: 'gone' }]), says('As you like.'));
  const turn = driver.prompt(id, 'go');
  const request = await driver.permission();
  request.answer(choose(request, 'reject_once'));
  assert.equal((await turn).stopReason, 'end_turn');
  assert.equal(fs.readFileSync(path.join(folder, 'add.js'), 'utf8'), ADD);
  assert.match(toldIn(room)[0] ?? '', /rejected/);
  assert.equal(callsIn(driver.updates(id))[0]?.status, 'failed');
});

test('who allows edits for the chat is not asked again, but for commands', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id, folder } = room;
  endpoint.script(
    calls(['write', { path: 'a.txt', content: 'a' }], ['write', { path: 'b/c.txt', content: 'c' }]),
    calls(['run', { command: 'echo hi' }]),
    says('ok'),
  );
  const turn = driver.prompt(id, 'go');
  const first = await driver.permission();
  assert.equal(first.params.toolCall.title, 'Create a.txt');
  first.answer(choose(first, 'allow_always'));
  const second = await driver.permission();
  assert.equal(second.params.toolCall.kind, 'execute');
  second.answer(choose(second, 'reject_once'));
  await turn;
  assert.equal(fs.readFileSync(path.join(folder, 'b/c.txt'), 'utf8'), 'c');
});

test('a command runs in a terminal of the client after a yes, and its output and exit code are told', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id, folder } = room;
  const command = 'echo out; exit 3';
  endpoint.script(calls(['run', { command }]), calls(['run', { command }]), says('ok'));
  const turn = driver.prompt(id, 'go');
  const request = await driver.permission();
  assert.deepEqual(request.params.toolCall.rawInput, { cwd: folder, command });
  assert.deepEqual(driver.terminals, []);
  request.answer(choose(request, 'allow_always'));
  await turn;
  assert.match(toldIn(room)[0] ?? '', /^Exit code 3\.\nout/);
  assert.equal(driver.terminals.length, 2);
  assert.deepEqual(driver.released.toSorted(), ['terminal-1', 'terminal-2']);
  const [call] = callsIn(driver.updates(id));
  assert.equal(call?.status, 'failed');
  assert.deepEqual(call.content, [{ type: 'terminal', terminalId: 'terminal-1' }]);
  assert.equal(driver.permissions.length, 0);
});

test('a command that does not end is ended after the time that the model gave', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id } = room;
  endpoint.script(calls(['run', { command: 'echo begun; sleep 60', seconds: 1 }]), says('ok'));
  const turn = driver.prompt(id, 'go');
  const request = await driver.permission();
  request.answer(choose(request, 'allow_once'));
  await turn;
  assert.match(toldIn(room)[0] ?? '', /did not end within 1 s.*begun/s);
});

test('a plan is shown as a plan', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id } = room;
  const steps = [
    { step: 'Look', status: 'completed' },
    { step: 'Leap', status: 'nonsense' },
  ];
  endpoint.script(calls(['plan', { steps }]), says('ok'));
  await driver.prompt(id, 'go');
  const plan = driver.updates(id).find((one) => one.sessionUpdate === 'plan');
  assert.deepEqual(plan?.entries, [
    { content: 'Look', status: 'completed', priority: 'medium' },
    { content: 'Leap', status: 'pending', priority: 'medium' },
  ]);
});

test('a stop in the middle of a command ends it, and the model later hears that it was cancelled', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id } = room;
  endpoint.script(
    calls(['run', { command: 'echo begun; sleep 60' }], ['run', { command: 'echo never' }]),
    says('ok'),
  );
  const turn = driver.prompt(id, 'go');
  const request = await driver.permission();
  request.answer(choose(request, 'allow_once'));
  await until('the command runs', () => driver.terminals.length === 1);
  await driver.cancel(id);
  assert.equal((await turn).stopReason, 'cancelled');
  await until('the terminal is released', () => driver.released.length === 1);
  await driver.prompt(id, 'and now?');
  assert.deepEqual(toldIn(room), ['cancelled by the user', 'cancelled by the user']);
  assert.equal(driver.terminals.length, 1);
});

test('a question that is taken back ends the turn, and nothing is done', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id } = room;
  endpoint.script(calls(['write', { path: 'a.txt', content: 'a' }]), says('ok'));
  const turn = driver.prompt(id, 'go');
  const request = await driver.permission();
  request.answer({ outcome: { outcome: 'cancelled' } });
  assert.equal((await turn).stopReason, 'cancelled');
  assert.deepEqual(driver.writes, []);
});

for (const [what, call, told] of [
  ['an unknown tool', ['destroy', {}], /no tool "destroy".*read, list/],
  ['arguments that are no JSON', ['read', '{"path": '], /no JSON.*\{"path": /],
  ['arguments that are no object', ['read', '["a"]'], /no JSON object/],
  ['a missing argument', ['read', {}], /"path" must be there/],
  ['an argument of another type', ['write', { path: 'x', content: 7 }], /"content"/],
  ['a path outside the folder', ['read', { path: '../../etc/passwd' }], /outside/],
  ['a write outside the folder', ['write', { path: '/tmp/x', content: '' }], /outside/],
  ['a file that is not there', ['read', { path: 'none.txt' }], /no file/],
  ['an old text that is not there', ['edit', edit('zzz')], /is not in/],
  ['an old text that is there twice', ['edit', edit('twin')], /2 times/],
  ['a folder as a file', ['write', { path: 'src', content: 'x' }], /is a folder/],
] as const) {
  test(`${what}: the model is told as a result, and nothing is done`, async (t) => {
    const room = await roomFor(t, { files: { 'a.txt': 'twin twin\n', 'src/x.txt': '' } });
    const { endpoint, driver, id } = room;
    endpoint.script(calls(call), says('I see.'));
    assert.equal((await driver.prompt(id, 'go')).stopReason, 'end_turn');
    assert.match(toldIn(room)[0] ?? '', told);
    assert.equal(driver.said(id), 'I see.');
    assert.deepEqual(driver.writes, []);
    assert.deepEqual(
      callsIn(driver.updates(id)).map(({ status }) => status),
      ['failed'],
    );
    // What goes back to the server is JSON, for many parse it.
    const sent = endpoint.last.body.messages.flatMap((message) => message.tool_calls ?? []);
    for (const { function: made } of sent) {
      assert.doesNotThrow(() => void JSON.parse(made.arguments));
    }
  });
}

function edit(from: string) {
  return { path: 'a.txt', old_text: from, new_text: 'new' };
}

const piece = (fields: object) => ({ tool_calls: [fields] });

for (const [what, chunks] of [
  [
    'in pieces, mixed, by index',
    [
      piece({ index: 0, id: 'a', function: { name: 'read', arguments: '' } }),
      piece({ index: 0, function: { arguments: '{"path":' } }),
      piece({ index: 1, id: 'b', function: { name: 'list', arguments: '{' } }),
      piece({ index: 0, function: { arguments: '"a.txt"}' } }),
      piece({ index: 1, function: { arguments: '}' } }),
    ],
  ],
  [
    'whole, in one chunk, without index and id',
    [
      {
        tool_calls: [
          { function: { name: 'read', arguments: '{"path":"a.txt"}' } },
          { function: { name: 'list', arguments: '{}' } },
        ],
      },
    ],
  ],
  [
    'whole, each at index 0, with ids',
    [
      piece({ index: 0, id: 'x', function: { name: 'read', arguments: '{"path":"a.txt"}' } }),
      piece({ index: 0, id: 'y', function: { name: 'list', arguments: '' } }),
    ],
  ],
  [
    'with arguments as an object, and ids that are the same',
    [
      piece({ index: 0, id: 'x', function: { name: 'read', arguments: { path: 'a.txt' } } }),
      piece({ index: 1, id: 'x', function: { name: 'list', arguments: {} } }),
    ],
  ],
] as const) {
  test(`calls that come ${what} are understood`, async (t) => {
    const room = await roomFor(t, { files: { 'a.txt': 'apple\n' } });
    const { endpoint, driver, id } = room;
    // Some say "stop" though there are calls.
    endpoint.script(streams(chunks, 'stop'), says('ok'));
    await driver.prompt(id, 'go');
    assert.deepEqual(toldIn(room), ['1\tapple', 'a.txt']);
    const ids = endpoint.last.body.messages.flatMap(({ tool_calls: made = [] }) =>
      made.map((one) => one.id),
    );
    assert.equal(new Set(ids).size, 2);
  });
}

test('a file with CRLF keeps it, though models write LF', async (t) => {
  const room = await roomFor(t, { files: { 'w.txt': 'a\r\nb\r\nc\r\n' } });
  const { endpoint, driver, id, folder } = room;
  endpoint.script(
    calls(['edit', { path: 'w.txt', old_text: 'a\nb\n', new_text: 'a\nx\ny\n' }]),
    says('ok'),
  );
  const turn = driver.prompt(id, 'go');
  const request = await driver.permission();
  request.answer(choose(request, 'allow_once'));
  await turn;
  assert.equal(fs.readFileSync(path.join(folder, 'w.txt'), 'utf8'), 'a\r\nx\r\ny\r\nc\r\n');
});

test('a file that changed while the person thought is not written over', async (t) => {
  const room = await roomFor(t, { files: { 'add.js': ADD } });
  const { endpoint, driver, id, folder } = room;
  endpoint.script(
    calls(['edit', { path: 'add.js', old_text: 'a - b', new_text: 'a + b' }]),
    says('ok'),
  );
  const turn = driver.prompt(id, 'go');
  const request = await driver.permission();
  fs.writeFileSync(path.join(folder, 'add.js'), 'mine\n');
  request.answer(choose(request, 'allow_once'));
  await turn;
  assert.equal(fs.readFileSync(path.join(folder, 'add.js'), 'utf8'), 'mine\n');
  assert.match(toldIn(room)[0] ?? '', /has changed since/);
});
