import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { LOG_VERSION, readLine } from '../../../src/client/session/logFormat.ts';
import { SessionLog } from '../../../src/client/session/sessionLog.ts';
import type { ThreadEvent } from '../../../src/thread/thread.ts';
import { TestFolders } from '../../fakes/clientFloor.ts';
import { eventually } from '../../fakes/eventually.ts';
import { RecordingLog } from '../../fakes/recordingLog.ts';

const prompted = (text: string): ThreadEvent => ({ at: 1, type: 'prompted', turnId: 't', text });
const chunk = (text: string): ThreadEvent => ({
  at: 2,
  type: 'updated',
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});

const ENOSPC = 'ENOSPC: no space left on device';

/** Of a log with a header and something in it; 0 before that. */
const sizeOf = (lines: readonly string[]): number =>
  lines.length < 3 ? 0 : Buffer.byteLength(lines.join('\n'));

function setUp(t: TestContext) {
  const test = new TestFolders();
  t.after(() => {
    test.remove();
  });
  const log = new RecordingLog();
  const troubles: string[] = [];
  const open = (id = 'chat'): SessionLog =>
    new SessionLog(test.chats, { version: LOG_VERSION, id, agentId: 'a', createdAt: 7 }, log, {
      trouble: (text) => troubles.push(text),
      lost: () => troubles.push('lost'),
    });
  const load = async (session: SessionLog): Promise<ThreadEvent[]> => {
    const events: ThreadEvent[] = [];
    await session.load((event) => events.push(event));
    return events;
  };
  const file = path.join(test.chats, 'chat.ndjson');
  const lines = (): string[] => fs.readFileSync(file, 'utf8').split('\n');
  return { root: test.root, folder: test.chats, file, lines, log, troubles, open, load };
}

test('events come back as they were written, after a header that names format, chat and agent', async (t) => {
  const { open, load, lines } = setUp(t);
  const session = open();
  session.append(prompted('Hi\n\u2028"there"'));
  session.append({ at: 3, type: 'stopped', reason: 'end_turn' });
  session.dispose();
  assert.deepEqual(JSON.parse(lines()[0] ?? ''), {
    parley: 'chat',
    version: 1,
    id: 'chat',
    agentId: 'a',
    createdAt: 7,
  });
  const again = open();
  assert.deepEqual(await load(again), [
    prompted('Hi\n\u2028"there"'),
    { at: 3, type: 'stopped', reason: 'end_turn' },
  ]);
  assert.equal(again.readOnly, null);
  again.dispose();
});

test('nothing is on the disk before something happens', (t) => {
  const { open, root, folder } = setUp(t);
  open().dispose();
  assert.equal(fs.existsSync(folder), false);
  assert.equal(fs.existsSync(path.join(root, 'storage')), false);
});

test('an event goes to the disk after 100 ms, and only its owner may read it', async (t) => {
  const { open, file } = setUp(t);
  const session = open();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  session.append(prompted('Hi'));
  t.mock.timers.tick(0);
  t.mock.timers.tick(100);
  t.mock.timers.reset();
  await eventually('it is on the disk', () => fs.readFileSync(file, 'utf8').includes('"Hi"'));
  if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  session.dispose();
});

test('pieces of one message become one line, and the text is the same', async (t) => {
  const { open, load, lines } = setUp(t);
  const session = open();
  for (let n = 0; n < 1_000; n += 1) session.append(chunk(`${n} `));
  session.dispose();
  assert.equal(lines().length, 3);
  const again = open();
  const [event] = await load(again);
  const whole = Array.from({ length: 1_000 }, (_, n) => `${n} `).join('');
  assert.deepEqual(event, chunk(whole));
  again.dispose();
});

test('a line that a crash tore is dropped, and the log goes on after the last whole one', async (t) => {
  const { open, load, file } = setUp(t);
  const session = open();
  session.append(prompted('one'));
  session.dispose();
  fs.appendFileSync(file, '{"at":2,"type":"stopp');
  const second = open();
  assert.deepEqual(await load(second), [prompted('one')]);
  second.append(prompted('two'));
  second.dispose();
  const third = open();
  assert.deepEqual(await load(third), [prompted('one'), prompted('two')]);
  third.dispose();
});

test('lines in the middle that cannot be read are left out, with a report, and kept in the file', async (t) => {
  const { open, load, file, log } = setUp(t);
  const session = open();
  session.append(prompted('one'));
  session.dispose();
  const bad = [
    '{"at":1}',
    'nonsense',
    '[]',
    '{"at":2,"type":"stopped"}',
    '{"at":2,"type":"toString"}',
    '',
  ];
  fs.appendFileSync(file, `${bad.join('\n')}\n${JSON.stringify(prompted('two'))}\n`);
  const again = open();
  assert.deepEqual(await load(again), [prompted('one'), prompted('two')]);
  again.dispose();
  assert.ok(log.lines.some((line) => line.startsWith('warn') && line.includes('6 lines')));
  assert.ok(fs.readFileSync(file, 'utf8').includes('nonsense'));
});

test('a log of a newer version is read and never written', async (t) => {
  const { open, load, file, folder } = setUp(t);
  fs.mkdirSync(folder, { recursive: true });
  const text = `{"parley":"chat","version":2,"id":"chat","agentId":"a","createdAt":1}\n${JSON.stringify(prompted('one'))}\n{"at":2,"type":"hologram"}\n`;
  fs.writeFileSync(file, text);
  const session = open();
  assert.deepEqual(await load(session), [prompted('one')]);
  assert.equal(session.readOnly, 'newer');
  session.append(prompted('two'));
  session.dispose();
  assert.equal(fs.readFileSync(file, 'utf8'), text);
});

test('a draft is on the disk after 100 ms, in no log, and comes back', async (t) => {
  const { open, load, lines, folder } = setUp(t);
  const draft = path.join(folder, 'chat.draft');
  const session = open();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const text of ['H', 'Ha', 'Hal', 'Half a thought']) {
    session.append({ at: 5, type: 'drafted', text });
  }
  t.mock.timers.tick(0);
  t.mock.timers.tick(100);
  assert.equal(fs.readFileSync(draft, 'utf8'), 'Half a thought');
  t.mock.timers.reset();
  session.dispose();
  assert.equal(lines().length, 2);
  const again = open();
  const events = await load(again);
  assert.deepEqual(events, [{ at: 7, type: 'drafted', text: 'Half a thought' }]);
  again.append({ at: 6, type: 'drafted', text: '' });
  again.dispose();
  assert.equal(fs.existsSync(draft), false);
});

test('a removed chat leaves nothing behind', async (t) => {
  const { open, folder } = setUp(t);
  const session = open();
  session.append({ at: 5, type: 'drafted', text: 'Hm' });
  await eventually('it is on the disk', () => fs.existsSync(path.join(folder, 'chat.draft')));
  session.remove();
  assert.deepEqual(fs.readdirSync(folder), []);
});

test('a second owner reads what the first one writes, and takes over when it is gone', async (t) => {
  const { open, load } = setUp(t);
  const first = open();
  first.append(prompted('one'));
  await eventually('the first one has it', () => first.size > 0);
  const second = open();
  assert.deepEqual(await load(second), []);
  assert.equal(second.readOnly, 'elsewhere');

  const seen: ThreadEvent[] = [];
  await eventually('the second one sees it', async () => {
    await second.follow((event) => seen.push(event));
    return seen.length === 1;
  });
  second.append(prompted('not mine'));
  assert.equal(await second.takeOver((event) => seen.push(event)), false);

  first.append(prompted('two'));
  first.dispose();
  assert.equal(await second.takeOver((event) => seen.push(event)), true);
  assert.deepEqual(seen, [prompted('one'), prompted('two')]);
  assert.equal(second.readOnly, null);
  second.append(prompted('three'));
  second.dispose();

  const third = open();
  assert.deepEqual(await load(third), [prompted('one'), prompted('two'), prompted('three')]);
  third.dispose();
});

test('a folder that cannot be written is told once, and the chat goes on', async (t) => {
  const { root, open, troubles } = setUp(t);
  fs.writeFileSync(path.join(root, 'storage'), 'in the way');
  const session = open();
  session.append(prompted('one'));
  await eventually('it is told', () => troubles.length > 0);
  session.append(prompted('two'));
  session.dispose();
  assert.equal(troubles.length, 1);
  assert.match(troubles[0] ?? '', /cannot be saved/);
  assert.equal(session.readOnly, null);
});

test('a disk that is full is told once, and what was said meanwhile is written when there is room again', async (t) => {
  const { open, load, troubles, lines } = setUp(t);
  const session = open();
  session.append(prompted('one'));
  await eventually('it is written', () => session.size > 0 && session.size === sizeOf(lines()));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const full = t.mock.method(fs, 'write', (...args: unknown[]) => {
    const done = args.at(-1);
    if (typeof done === 'function') Reflect.apply(done, undefined, [new Error(ENOSPC), 0]);
  });
  session.append(prompted('two'));
  for (let n = 0; n < 3; n += 1) t.mock.timers.tick(5_000);
  assert.ok(full.mock.callCount() > 1);
  assert.equal(troubles.length, 1);
  assert.match(troubles[0] ?? '', /not being saved.*ENOSPC/);
  session.append(prompted('three'));
  full.mock.restore();
  session.dispose();
  t.mock.timers.reset();
  const again = open();
  const texts = (await load(again)).map((event) => event.type === 'prompted' && event.text);
  again.dispose();
  assert.deepEqual(texts, ['one', 'two', 'three']);
  assert.equal(troubles.length, 1);
});

test('a chat that waits too long for its disk is kept no further: its log has an end, not a hole', async (t) => {
  const { open, load, troubles, lines } = setUp(t);
  const session = open();
  session.append(prompted('start'));
  await eventually('it is written', () => session.size > 0 && session.size === sizeOf(lines()));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let room = false;
  const write = fs.write;
  t.mock.method(fs, 'write', (...args: Parameters<typeof write>) => {
    if (room) {
      write(...args);
      return;
    }
    const done: unknown = args.at(-1);
    if (typeof done === 'function') Reflect.apply(done, undefined, [new Error(ENOSPC), 0]);
  });
  session.append(prompted('0'));
  t.mock.timers.tick(5_000);
  for (let n = 1; n <= 100_001; n += 1) session.append(prompted(String(n)));
  assert.match(troubles.at(-1) ?? '', /kept no further/);
  room = true;
  t.mock.timers.tick(5_000);
  t.mock.timers.reset();
  const size = session.size;
  await eventually('there is room again', () => session.size > size);
  session.append(prompted('after the end'));
  session.dispose();
  assert.equal(troubles.length, 2);
  const again = open();
  const events = await load(again);
  again.dispose();
  assert.equal(events.length, 100_002);
  assert.deepEqual(events.at(-1), prompted('100000'));
});

test('everything that was appended is on the disk when dispose returns, also with a write on its way', async (t) => {
  const { open, load } = setUp(t);
  const session = open();
  const all: ThreadEvent[] = [];
  const until = performance.now() + 350;
  // Long enough for several batches, so that dispose falls into the middle of one.
  while (performance.now() < until) {
    for (let n = 0; n < 50; n += 1) {
      const event = prompted(`${all.length} ${'x'.repeat(2_000)}`);
      all.push(event);
      session.append(event);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  session.dispose();
  const again = open();
  const events = await load(again);
  again.dispose();
  assert.equal(events.length, all.length);
  assert.deepEqual(events, all);
});

for (const line of [
  '',
  'null',
  '7',
  '{"parley":"chat","version":"1","id":"x","agentId":"a","createdAt":1}',
  '{"at":"now","type":"interrupted"}',
  '{"at":1,"type":"queued","prompt":[]}',
  '{"at":1,"type":"permissionAnswered","permissionId":"p","optionId":7}',
  '{"at":1,"type":"__proto__"}',
]) {
  test(`a line that says nothing is not taken for an event: ${line}`, () => {
    assert.equal(readLine(line), null);
  });
}
