import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ended, entries, floorFor, said, stateOf } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

test('the bundled agent edits a file once it is allowed to', async (t) => {
  const floor = floorFor(t);
  const file = path.join(floor.folders.workspace, 'hello.ts');
  fs.writeFileSync(file, 'export const hello = 1;\n');
  const chat = floor.chats.newChat();
  floor.window.show(chat.id);
  chat.prompt('/edit hello.ts');
  await eventually('it asks', () => floor.prompt.onScreen.length === 1);
  const [pick] = floor.prompt.onScreen;
  assert.ok(pick);
  assert.equal(pick.question.kind, 'Edit a file');
  assert.equal(pick.question.subject.split(':')[0], file);
  assert.equal(fs.readFileSync(file, 'utf8'), 'export const hello = 1;\n');
  const allow = pick.question.options.find(({ kind }) => kind === 'allow_once');
  pick.act(allow?.optionId);
  await ended(chat);
  assert.notEqual(fs.readFileSync(file, 'utf8'), 'export const hello = 1;\n');
  const states = entries(chat).flatMap((entry) => (entry.kind === 'tool' ? [entry.state] : []));
  assert.ok(states.length > 0);
  assert.deepEqual([...new Set(states)], ['done']);
});

test('an edit that is refused changes nothing, and its call is rejected', async (t) => {
  const floor = floorFor(t);
  const file = path.join(floor.folders.workspace, 'hello.ts');
  fs.writeFileSync(file, 'export const hello = 1;\n');
  const chat = floor.chats.newChat();
  chat.prompt('/edit hello.ts');
  await eventually('it asks', () => floor.desk.open.length === 1);
  const [open] = floor.desk.open;
  const reject = open?.question.options.find(({ kind }) => kind === 'reject_once');
  assert.equal(floor.desk.answer(open?.permissionId ?? '', reject?.optionId ?? ''), true);
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'export const hello = 1;\n');
  assert.ok(entries(chat).some((entry) => entry.kind === 'tool' && entry.state === 'rejected'));
});

test('a slow turn of the bundled agent is stopped', async (t) => {
  const chat = floorFor(t).chats.newChat();
  chat.prompt('/slow');
  await eventually('it talks', () => said(chat, 'agent') !== '');
  chat.stop();
  await ended(chat);
  assert.deepEqual(chat.thread.latest?.state, { kind: 'stopped', reason: 'cancelled' });
});

test('the bundled agent thinks aloud, fails with words, and goes on after that', async (t) => {
  const chat = floorFor(t).chats.newChat();
  chat.prompt('/fail');
  await ended(chat);
  assert.equal(stateOf(chat), 'failed');
  chat.prompt('/think');
  await ended(chat);
  assert.equal(stateOf(chat), 'stopped');
  assert.notEqual(said(chat, 'thought'), '');
});
