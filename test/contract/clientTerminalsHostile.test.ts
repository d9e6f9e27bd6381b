import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Chat } from '../../src/client/session/chat.ts';
import type { Terminal } from '../../src/thread/thread.ts';
import { type ClientFloor, ended, floorFor, said, steps } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

const terminals = (chat: Chat): readonly Terminal[] => Object.values(chat.thread.terminals);
const asked = (floor: ClientFloor): Promise<void> =>
  eventually('a question is open', () => floor.desk.open.length === 1);
const answer = (floor: ClientFloor, name: RegExp): void => {
  const { permissionId, options } = floor.desk.open[0]?.question ?? assert.fail();
  const option = options.find((each) => name.test(each.name)) ?? assert.fail(String(name));
  assert.equal(floor.desk.answer(permissionId, option.optionId), true);
};
const node = (script: string): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: ['-e', script],
});
const create = (params: object): readonly unknown[] => ['request', 'terminal/create', params];
const untilExit = ['request', 'terminal/wait_for_exit', { terminalId: '$terminal' }] as const;

test('after Stop nothing begins, not even what is allowed for the chat, until the person goes on', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const again = create(node('1'));
  chat.prompt(steps(again, untilExit, ['wait'], again));
  await asked(floor);
  answer(floor, /exact command/);
  await eventually('it has run', () => said(chat, 'agent').includes('"exitCode":0'));
  chat.stop();
  await ended(chat);
  assert.equal(terminals(chat).length, 1);
  assert.match(said(chat, 'agent'), /"code":-32800/);
  chat.prompt(steps(again));
  await ended(chat);
  assert.equal(terminals(chat).length, 2);
});

test('a folder that becomes another one while the person is asked runs nothing', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const cwd = path.join(floor.folders.workspace, 'sub');
  const elsewhere = path.join(floor.folders.root, 'elsewhere');
  fs.mkdirSync(cwd);
  fs.mkdirSync(elsewhere);
  chat.prompt(steps(create({ ...node('fs.writeFileSync("made", "")'), cwd }), untilExit));
  await asked(floor);
  fs.rmdirSync(cwd);
  fs.symlinkSync(elsewhere, cwd);
  answer(floor, /once/);
  await ended(chat);
  assert.deepEqual(fs.readdirSync(elsewhere), []);
  assert.match(said(chat, 'agent'), /"code":-32602/);
});

test('a command that is allowed for the chat is asked about again where its folder has become another one', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const cwd = path.join(floor.folders.workspace, 'sub');
  const elsewhere = path.join(floor.folders.root, 'elsewhere');
  fs.mkdirSync(cwd);
  fs.mkdirSync(elsewhere);
  const again = create({ ...node('1'), cwd });
  chat.prompt(steps(again, untilExit));
  await asked(floor);
  answer(floor, /exact command/);
  await ended(chat);
  fs.rmdirSync(cwd);
  fs.symlinkSync(elsewhere, cwd);
  chat.prompt(steps(again));
  await asked(floor);
  assert.ok(floor.desk.open[0]?.question.reason.includes(elsewhere));
  answer(floor, /Reject/);
  await ended(chat);
  assert.equal(terminals(chat).length, 1);
});

test('a thousand commands at once are asked about a hundred at most, and Stop answers them all', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const flood = Array.from({ length: 1_000 }, (_, n) => [
    'start',
    ...create(node(`${n}`)).slice(1),
  ]);
  chat.prompt(steps(...flood, ['wait']));
  await eventually('the desk is full', () => floor.desk.open.length === 100);
  chat.stop();
  await ended(chat);
  assert.equal(floor.desk.open.length, 0);
  assert.deepEqual(terminals(chat), []);
});
