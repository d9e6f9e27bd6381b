import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { StoreLimits } from '../../../../src/agent/sessions/store.ts';
import { SessionStore } from '../../../../src/agent/sessions/store.ts';
import type { SessionUpdate } from '../../../../src/protocol/acp.ts';

let folder = '';
let logged: string[] = [];

beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-sessions-')), 'kept');
  logged = [];
});

afterEach(() => {
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
});

function storeOf(limits: Partial<StoreLimits> = {}): SessionStore {
  return new SessionStore(folder, (line) => logged.push(line), limits);
}

function fileOf(id: string): string {
  return path.join(folder, `${id}.ndjson`);
}

function said(text: string, messageId = 'm', voice: 'user' | 'agent' = 'agent'): SessionUpdate {
  const content = { type: 'text' as const, text };
  return voice === 'user'
    ? { sessionUpdate: 'user_message_chunk', messageId, content }
    : { sessionUpdate: 'agent_message_chunk', messageId, content };
}

function textsOf(store: SessionStore, id: string): readonly string[] {
  return (store.open(id)?.updates ?? []).map((update) =>
    'content' in update && !Array.isArray(update.content) && update.content?.type === 'text'
      ? update.content.text
      : update.sessionUpdate,
  );
}

/** A session with one prompt and this time of its last use, in seconds. */
function made(store: SessionStore, at: number, cwd = '/work'): string {
  const id = randomUUID();
  const record = store.begin(id, cwd);
  record.take(said('hello', 'u', 'user'));
  record.endTurn();
  record.take({ sessionUpdate: 'session_info_update', title: `title of ${at}` });
  record.mark({});
  if (fs.existsSync(fileOf(id))) fs.utimesSync(fileOf(id), at, at);
  return id;
}

describe('a kept session', () => {
  test('is there again for another process, in its order', () => {
    const id = randomUUID();
    const record = storeOf().begin(id, '/work');
    record.take(said('Do it', 'u1', 'user'));
    record.take(said('I ', 'm1'));
    record.take(said('do.', 'm1'));
    record.take(said('Done.', 'm2'));
    record.endTurn();
    record.take({ sessionUpdate: 'session_info_update', title: 'Doing it' });
    record.mark({ mode: 'plan' });
    const opened = storeOf().open(id);
    assert.deepEqual(textsOf(storeOf(), id), ['Do it', 'I do.', 'Done.']);
    assert.deepEqual(opened?.mark, { title: 'Doing it', choices: { mode: 'plan' } });
    assert.equal(opened.header.cwd, '/work');
    assert.deepEqual(logged, []);
  });

  test('shows each call once, as it was in the end', () => {
    const id = randomUUID();
    const record = storeOf().begin(id, '/work');
    record.take({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Read', status: 'pending' });
    record.take({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'in_progress' });
    record.take(said('between'));
    record.take({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'a',
      status: 'completed',
      rawOutput: 7,
    });
    record.endTurn();
    assert.deepEqual(storeOf().open(id)?.updates[0], {
      sessionUpdate: 'tool_call',
      toolCallId: 'a',
      title: 'Read',
      status: 'completed',
      rawOutput: 7,
    });
    assert.deepEqual(textsOf(storeOf(), id), ['tool_call', 'between']);
  });

  test('has no call without a result, whether the turn was cancelled or the process killed', () => {
    const [cancelled, killed] = [randomUUID(), randomUUID()];
    for (const id of [cancelled, killed]) {
      const record = storeOf().begin(id, '/work');
      record.take({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A', status: 'pending' });
      if (id === cancelled) assert.equal(record.endTurn().length, 1);
      const [call] = storeOf().open(id)?.updates ?? [];
      assert.ok(call?.sessionUpdate === 'tool_call');
      assert.equal(call.status, 'failed');
      assert.match(JSON.stringify(call.content), /cancelled/i);
    }
  });

  test('loses no more than its last line when the process is killed while it writes', () => {
    const id = randomUUID();
    const record = storeOf().begin(id, '/work');
    record.take(said('one', 'm1'));
    record.endTurn();
    fs.appendFileSync(fileOf(id), '{"update":{"sessionUp');
    assert.deepEqual(textsOf(storeOf(), id), ['one']);
    assert.deepEqual(logged, [], 'that is no damage');
    const again = storeOf().open(id);
    again?.record.take(said('two', 'm2'));
    again?.record.endTurn();
    assert.deepEqual(textsOf(storeOf(), id), ['one', 'two']);
  });

  test('is read past lines that are none, with a word in the log', () => {
    const id = randomUUID();
    const record = storeOf().begin(id, '/work');
    record.take(said('one', 'm1'));
    record.endTurn();
    const strange = [
      'noise',
      '[]',
      'null',
      '{"update":{"sessionUpdate":"agent_message_chunk","messageId":1,"content":{}}}',
      '{"update":{"sessionUpdate":"tool_call","toolCallId":"x","title":"t","content":[{"type":"diff"}]}}',
      '{"update":{"sessionUpdate":"plan","entries":[{"content":"x"}]}}',
      '{"update":{"sessionUpdate":"current_mode_update","currentModeId":"x"}}',
    ];
    fs.appendFileSync(fileOf(id), `${strange.join('\n')}\n`);
    assert.deepEqual(textsOf(storeOf(), id), ['one']);
    assert.match(logged.join('\n'), new RegExp(`${strange.length} lines`));
  });

  test('can be read by nobody else', { skip: process.platform === 'win32' }, () => {
    const id = made(storeOf(), 1_000);
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
    assert.equal(fs.statSync(fileOf(id)).mode & 0o777, 0o600);
  });

  test('keeps no single thing that is too long, and says so', () => {
    const id = randomUUID();
    const record = storeOf().begin(id, '/work');
    const long = 'x'.repeat(1 << 20);
    record.take(said(long, 'm1'));
    record.take({
      sessionUpdate: 'tool_call',
      toolCallId: 'a',
      title: 'Edit',
      status: 'completed',
      rawInput: long,
      content: [{ type: 'diff', path: '/a', oldText: null, newText: long }],
    });
    record.endTurn();
    assert.ok(fs.statSync(fileOf(id)).size < 100_000);
    assert.match(JSON.stringify(storeOf().open(id)?.updates), /too long to be kept.*too long/s);
  });

  test('that is too long keeps its newer part, its title and its choices', () => {
    const id = randomUUID();
    const store = storeOf({ maxBytes: 20_000 });
    const record = store.begin(id, '/work');
    record.take({ sessionUpdate: 'session_info_update', title: 'Long' });
    record.mark({ pace: 'slow' });
    for (let turn = 0; turn < 100; turn += 1) {
      record.take(said(`prompt ${turn}`, `u${turn}`, 'user'));
      record.take(said('y'.repeat(500), `m${turn}`));
      record.endTurn();
    }
    assert.ok(fs.statSync(fileOf(id)).size <= 20_000);
    const texts = textsOf(store, id);
    assert.match(texts[0] ?? '', /^prompt [1-9]\d$/, 'it begins with what the person said');
    assert.equal(texts.at(-2), 'prompt 99');
    assert.deepEqual(store.open(id)?.mark, { title: 'Long', choices: { pace: 'slow' } });
    assert.deepEqual(logged, []);
  });

  test('does not come back once it was removed, whoever still writes to it', () => {
    const id = randomUUID();
    const record = storeOf().begin(id, '/work');
    assert.equal(storeOf().remove(id), true);
    assert.equal(storeOf().remove(id), false);
    record.take(said('late'));
    record.endTurn();
    assert.equal(fs.existsSync(fileOf(id)), false);
    assert.match(logged.join(), /not kept any further: ENOENT/);
  });

  test('in which nothing was said leaves nothing', () => {
    const [empty, full] = [randomUUID(), randomUUID()];
    const store = storeOf();
    store.begin(empty, '/work').mark({ mode: 'plan' });
    store.begin(full, '/work').take(said('x', 'u', 'user'));
    const record = store.open(full)?.record;
    record?.take(said('x', 'u', 'user'));
    record?.endTurn();
    store.forgetEmpty(empty);
    store.forgetEmpty(full);
    assert.equal(store.open(empty), undefined);
    assert.notEqual(store.open(full), undefined);
  });

  test('may be written by two processes at once: every line stays whole', () => {
    const id = randomUUID();
    const one = storeOf().begin(id, '/work');
    const other = storeOf().open(id)?.record;
    assert.ok(other);
    for (let at = 0; at < 50; at += 1) {
      one.take(said(`one ${at}`, `a${at}`));
      other.take(said(`other ${at}`, `b${at}`));
    }
    one.endTurn();
    other.endTurn();
    const texts = textsOf(storeOf(), id);
    assert.equal(texts.length, 100);
    assert.deepEqual(logged, []);
  });

  test('goes on unkept where nothing can be written', () => {
    fs.writeFileSync(folder, 'no folder');
    const id = randomUUID();
    const record = storeOf().begin(id, '/work');
    record.take(said('x'));
    record.endTurn();
    assert.match(logged.join(), /will not be kept/);
  });
});

describe('what processes that were killed have left beside the files', () => {
  test('is removed when it is old, and nothing else is', () => {
    const store = storeOf();
    const id = made(store, 1_000);
    const [old, young, other] = [`${id}.ndjson.1.tmp`, `${id}.ndjson.2.tmp`, 'mine.tmp'];
    for (const name of [old, young, other]) fs.writeFileSync(path.join(folder, name), 'x');
    fs.utimesSync(path.join(folder, old), 1_000, 1_000);
    fs.utimesSync(path.join(folder, other), 1_000, 1_000);
    store.begin(randomUUID(), '/work');
    const names = fs.readdirSync(folder);
    assert.deepEqual(
      [old, young, other].map((name) => names.includes(name)),
      [false, true, true],
    );
  });
});

describe('a copy of a session', () => {
  test('has the conversation of the first, and each goes on by itself', () => {
    const [first, copy] = [randomUUID(), randomUUID()];
    const store = storeOf();
    const record = store.begin(first, '/work');
    record.take(said('common', 'm1'));
    record.endTurn();
    record.take({ sessionUpdate: 'session_info_update', title: 'T' });
    record.mark({});
    const forked = store.fork(first, copy, '/other');
    assert.ok(forked);
    record.take(said('first', 'm2'));
    record.endTurn();
    forked.record.take(said('copy', 'm2'));
    forked.record.endTurn();
    assert.deepEqual(textsOf(store, first), ['common', 'first']);
    assert.deepEqual(textsOf(store, copy), ['common', 'copy']);
    assert.equal(store.open(copy)?.header.cwd, '/other');
    assert.equal(store.open(copy)?.mark.title, 'T');
  });

  test('of nothing is nothing', () => {
    assert.equal(storeOf().fork(randomUUID(), randomUUID(), '/'), undefined);
  });
});

describe('ids', () => {
  const hostile = ['', '.', '..', '../../etc/passwd', 'a/b', 'CON', 'x\0', 'ü', 'A'.repeat(300)];
  for (const id of [...hostile, randomUUID().toUpperCase()]) {
    test(`lead to no file when they are not ours: ${JSON.stringify(id.slice(0, 20))}`, () => {
      made(storeOf(), 1_000);
      assert.equal(storeOf().open(id), undefined);
      assert.equal(storeOf().remove(id), false);
      assert.equal(storeOf().fork(id, randomUUID(), '/'), undefined);
      assert.equal(fs.readdirSync(folder).length, 1);
    });
  }
});

describe('the list of sessions', () => {
  test('begins with the one that was used last, and tells title, folder and time', () => {
    const store = storeOf();
    const [old, young] = [made(store, 1_000), made(store, 2_000, '/other')];
    assert.deepEqual(store.list(), {
      sessions: [
        { id: young, cwd: '/other', title: 'title of 2000', updatedAt: '1970-01-01T00:33:20.000Z' },
        { id: old, cwd: '/work', title: 'title of 1000', updatedAt: '1970-01-01T00:16:40.000Z' },
      ],
    });
  });

  test('is empty where there is no folder', () => {
    assert.deepEqual(storeOf().list(), { sessions: [] });
  });

  test('can be had of one folder', () => {
    const store = storeOf();
    made(store, 1_000, '/other');
    const mine = made(store, 2_000);
    assert.deepEqual(
      store.list('/work/').sessions.map(({ id }) => id),
      [mine],
    );
  });

  test('comes in pages, of which none repeats or leaves out a session, also when some go meanwhile', () => {
    const store = storeOf({ pageSize: 3 });
    const ids = [1, 2, 3, 4, 5, 6, 7].map((at) => made(store, at * 1_000)).reverse();
    const first = store.list();
    assert.deepEqual(
      first.sessions.map(({ id }) => id),
      ids.slice(0, 3),
    );
    store.remove(ids[2] ?? '');
    const second = store.list(undefined, first.nextCursor);
    const third = store.list(undefined, second.nextCursor);
    assert.deepEqual(
      [...second.sessions, ...third.sessions].map(({ id }) => id),
      ids.slice(3),
    );
    assert.equal(third.nextCursor, undefined);
  });

  test('has no page behind the last one, also where that is full', () => {
    const store = storeOf({ pageSize: 2 });
    made(store, 1_000);
    made(store, 2_000);
    assert.equal(store.list().nextCursor, undefined);
  });

  test('takes no cursor of somebody else', () => {
    for (const cursor of ['', 'x', '!!', Buffer.from('1 ../..').toString('base64url')]) {
      assert.throws(() => storeOf().list(undefined, cursor), RangeError, cursor);
    }
  });

  test('passes over files that are no sessions, with a word in the log', () => {
    const store = storeOf();
    const good = made(store, 1_000);
    const [noise, lying, relative, huge] = [1, 2, 3, 4].map(() => randomUUID());
    fs.writeFileSync(fileOf(noise ?? ''), 'noise');
    fs.copyFileSync(fileOf(good), fileOf(lying ?? ''));
    const header = { parleySession: 1, id: relative, cwd: 'here', created: '' };
    fs.writeFileSync(fileOf(relative ?? ''), `${JSON.stringify(header)}\n`);
    fs.writeFileSync(fileOf(huge ?? ''), 'x'.repeat(1 << 20));
    fs.mkdirSync(fileOf(randomUUID()));
    fs.writeFileSync(path.join(folder, 'notes.txt'), 'x');
    assert.deepEqual(
      store.list().sessions.map(({ id }) => id),
      [good],
    );
    assert.equal(logged.length, 4);
  });

  test('follows no link, and waits for no pipe', { skip: process.platform === 'win32' }, () => {
    const store = storeOf();
    const good = made(store, 1_000);
    const link = randomUUID();
    fs.symlinkSync(fileOf(good), fileOf(link));
    assert.equal(store.list().sessions.length, 1);
    assert.equal(store.open(link), undefined);
    const pipe = randomUUID();
    execFileSync('mkfifo', [fileOf(pipe)]);
    assert.equal(store.open(pipe), undefined);
    assert.equal(store.list().sessions.length, 1);
  });

  test('finds the title of a turn that a killed process left long and open', () => {
    const store = storeOf();
    const id = randomUUID();
    const record = store.begin(id, '/work');
    record.take({ sessionUpdate: 'session_info_update', title: 'Early' });
    record.mark({});
    for (let at = 0; at < 40; at += 1) record.take(said('z'.repeat(4_000), `m${at}`));
    record.endTurn();
    assert.equal(store.list().sessions[0]?.title, 'Early');
  });

  test('loses no conversation to sessions in which nothing was said', () => {
    const store = storeOf({ maxSessions: 3 });
    const kept = made(store, 1_000);
    for (let at = 0; at < 10; at += 1) store.begin(randomUUID(), '/w');
    assert.notEqual(store.open(kept), undefined);
  });

  test('is bounded: of too many the oldest go', () => {
    const store = storeOf({ maxSessions: 3 });
    const ids = [1, 2, 3, 4, 5].map((at) => made(store, at * 1_000));
    assert.deepEqual(
      store.list().sessions.map(({ id }) => id),
      [ids[4], ids[3], ids[2]],
    );
  });
});
