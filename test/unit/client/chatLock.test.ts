import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { ChatLock } from '../../../src/client/session/chatLock.ts';

function lockFor(t: TestContext): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-lock-'));
  t.after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return path.join(folder, 'chat.lock');
}

/** A process that has ended: nobody has its number now. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  assert.ok(child.pid);
  return child.pid;
}

const owner = (fields: object): string =>
  JSON.stringify({
    token: 'other',
    pid: process.pid,
    host: os.hostname(),
    startedAt: 0,
    ...fields,
  });

test('one owner at a time; once it lets go the next one can have it', (t) => {
  const file = lockFor(t);
  const first = ChatLock.take(file);
  assert.ok(first);
  assert.equal(ChatLock.isHeld(file), true);
  assert.equal(ChatLock.take(file), null);
  first.release();
  assert.equal(ChatLock.isHeld(file), false);
  const second = ChatLock.take(file);
  assert.ok(second);
  second.release();
  assert.deepEqual(fs.readdirSync(path.dirname(file)), []);
});

test('the lock of a process that is gone is taken over', async (t) => {
  const file = lockFor(t);
  fs.writeFileSync(file, owner({ pid: await deadPid() }));
  assert.equal(ChatLock.isHeld(file), false);
  const lock = ChatLock.take(file);
  assert.ok(lock);
  assert.equal(lock.isOurs(), true);
  lock.release();
});

test('the lock of a process that lives is respected', async (t) => {
  const file = lockFor(t);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  fs.writeFileSync(file, owner({ pid: child.pid }));
  assert.equal(ChatLock.take(file), null);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = ChatLock.take(file);
  assert.ok(lock);
  lock.release();
});

test("a lock with our number from an earlier life of that number is nobody's", (t) => {
  const file = lockFor(t);
  fs.writeFileSync(file, owner({ startedAt: 1_000 }));
  const lock = ChatLock.take(file);
  assert.ok(lock);
  lock.release();
});

test("a lock that has shown no sign of life for a minute is nobody's, whoever has its number", (t) => {
  const file = lockFor(t);
  fs.writeFileSync(file, owner({ host: 'another machine' }));
  assert.equal(ChatLock.take(file), null);
  const old = new Date(Date.now() - 61_000);
  fs.utimesSync(file, old, old);
  const lock = ChatLock.take(file);
  assert.ok(lock);
  lock.release();
});

test('a lock that is just being written is respected, and one that was torn long ago is not', (t) => {
  const file = lockFor(t);
  fs.writeFileSync(file, '');
  assert.equal(ChatLock.take(file), null);
  const old = new Date(Date.now() - 5_000);
  fs.utimesSync(file, old, old);
  const lock = ChatLock.take(file);
  assert.ok(lock);
  lock.release();
});

test('who finds its lock taken by another lets it alone', (t) => {
  const file = lockFor(t);
  const mine = ChatLock.take(file);
  assert.ok(mine);
  fs.writeFileSync(file, owner({}));
  mine.release();
  assert.equal(fs.existsSync(file), true);
});
