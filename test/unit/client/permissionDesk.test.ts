import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PermissionDesk } from '../../../src/client/requests/permissionDesk.ts';
import { question } from '../../fakes/questions.ts';

const never = new AbortController().signal;

test('a request waits until an option is chosen, and is answered with it', async () => {
  const desk = new PermissionDesk();
  const answer = desk.ask('chat', question('p1'), never);
  assert.deepEqual(
    desk.open.map(({ permissionId, chatId }) => [permissionId, chatId]),
    [['p1', 'chat']],
  );
  assert.equal(desk.answer('p1', 'yes'), true);
  assert.equal(await answer, 'yes');
  assert.deepEqual(desk.open, []);
});

test('the first answer wins and the second one is told so', async () => {
  const desk = new PermissionDesk();
  const answer = desk.ask('chat', question('p1'), never);
  assert.deepEqual([desk.answer('p1', 'no'), desk.answer('p1', 'yes')], [true, false]);
  assert.equal(await answer, 'no');
});

test('what the agent did not offer is no answer, and neither is one to another request', () => {
  const desk = new PermissionDesk();
  void desk.ask('chat', question('p1'), never);
  assert.deepEqual([desk.answer('p1', 'sudo'), desk.answer('p2', 'yes')], [false, false]);
  assert.equal(desk.open.length, 1);
});

test('a chat that is stopped cancels its own requests and leaves those of others', async () => {
  const desk = new PermissionDesk();
  const mine = [desk.ask('a', question('p1'), never), desk.ask('a', question('p3'), never)];
  void desk.ask('b', question('p2'), never);
  desk.cancelChat('a');
  assert.deepEqual(await Promise.all(mine), [null, null]);
  assert.deepEqual(
    desk.open.map(({ permissionId }) => permissionId),
    ['p2'],
  );
});

test('a request that the agent takes back is cancelled, also if it never came to wait', async () => {
  const desk = new PermissionDesk();
  const abort = new AbortController();
  const answer = desk.ask('chat', question('p1'), abort.signal);
  abort.abort();
  assert.equal(await answer, null);
  assert.equal(await desk.ask('chat', question('p2'), abort.signal), null);
  assert.equal(desk.answer('p1', 'yes'), false);
  assert.deepEqual(desk.open, []);
});

test('a window that closes answers every request', async () => {
  const desk = new PermissionDesk();
  const answers = [desk.ask('a', question('p1'), never), desk.ask('b', question('p2'), never)];
  desk.dispose();
  assert.deepEqual(await Promise.all(answers), [null, null]);
});

test('listeners hear of each coming and going', () => {
  const desk = new PermissionDesk();
  const counts: number[] = [];
  desk.onDidChange(() => counts.push(desk.open.length));
  void desk.ask('a', question('p1'), never);
  void desk.ask('b', question('p2'), never);
  desk.answer('p1', 'yes');
  desk.cancelChat('b');
  assert.deepEqual(counts, [1, 2, 1, 0]);
});

test('a listener that fails spoils no answer', async () => {
  const failures: unknown[] = [];
  const desk = new PermissionDesk((error) => failures.push(error));
  desk.onDidChange(() => {
    throw new Error('broken view');
  });
  const answer = desk.ask('a', question('p1'), never);
  assert.equal(desk.answer('p1', 'yes'), true);
  assert.equal(await answer, 'yes');
  assert.equal(failures.length, 2);
});
