import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Chat } from '../../src/client/session/chat.ts';
import { ended, floorFor, said, stateOf, steps } from '../fakes/clientFloor.ts';
import {
  terminals,
  asked,
  answer,
  node,
  create,
  ID,
  untilExit,
  isAlive,
} from '../fakes/commandSteps.ts';
import { eventually } from '../fakes/eventually.ts';

const LONG = 'console.log(process.pid); setInterval(() => {}, 1000)';
const pidOf = async (chat: Chat): Promise<number> => {
  await eventually('it prints its id', () => /^\d+\n$/.test(terminals(chat)[0]?.output ?? ''));
  return Number(terminals(chat)[0]?.output);
};

const lastPid = async (chat: Chat): Promise<number> => {
  await eventually('it prints its id', () => /^\d+\n$/.test(terminals(chat).at(-1)?.output ?? ''));
  return Number(terminals(chat).at(-1)?.output);
};

test('Stop leaves the commands to the agent at first, and ends them when it does not react', async (t) => {
  const floor = floorFor(t, { stopPatience: 400 });
  const chat = floor.chatWith('scripted');
  // It waits for the end of its command and takes no notice of Stop.
  chat.prompt(steps(create(node(LONG)), untilExit));
  await asked(floor);
  answer(floor, /once/);
  const pid = await pidOf(chat);
  chat.stop();
  assert.equal(isAlive(pid), true);
  await ended(chat);
  await eventually('it has ended', () => !isAlive(pid));
  assert.match(said(chat, 'notice'), /not reacted to Stop .* commands were ended/);
});

test('what a stopped turn began ends with it, and says so; a command of an earlier turn runs on', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const running = create(node(LONG));
  const pids = async (count: number): Promise<readonly number[]> => {
    const outputs = (): readonly string[] => terminals(chat).map(({ output }) => output.trim());
    await eventually(
      `${count} commands print their ids`,
      () => outputs().length === count && outputs().every((output) => /^\d+$/.test(output)),
    );
    return outputs().map(Number);
  };
  chat.prompt(steps(running, ['poll', '\n']));
  await asked(floor);
  answer(floor, /exact command/);
  await ended(chat);
  // An agent that answers Stop as it should, and leaves its commands running.
  chat.prompt(steps(running, running, ['wait'], ['end', 'cancelled']));
  const [server = 0, ...mine] = await pids(3);
  chat.stop();
  await ended(chat);
  await eventually('they have ended', () => !mine.some(isAlive));
  assert.equal(isAlive(server), true);
  await eventually('the chat shows their ends', () =>
    terminals(chat)
      .slice(1)
      .every(({ exit }) => exit !== null),
  );
  assert.equal(terminals(chat)[0]?.exit, null);
  assert.match(said(chat, 'notice'), /Stop ended 2 commands of this turn/);
  // A turn that ends by itself ends nothing.
  chat.prompt(steps(running, ['poll', '\n']));
  await ended(chat);
  assert.equal(isAlive(await lastPid(chat)), true);
});

test('a command that is just about to begin when its turn is stopped does not outlive it', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const running = create(node(LONG));
  chat.prompt(steps(running, ['poll', '\n'], ['request', 'terminal/release', ID]));
  await asked(floor);
  answer(floor, /exact command/);
  await ended(chat);
  const many = Array.from({ length: 8 }, () => ['start', 'terminal/create', node(LONG)]);
  for (let round = 0; round < 5; round++) {
    const before = terminals(chat).length;
    chat.prompt(steps(...many, ['wait'], ['end', 'cancelled']));
    await eventually('the first one runs', () => terminals(chat).length > before);
    chat.stop();
    await ended(chat);
    await eventually('all have ended', () => terminals(chat).every(({ exit }) => exit !== null));
  }
  // Those that came late would have been there by now: a request after them has its answer.
  chat.prompt(steps(['read', path.join(floor.folders.workspace, 'none')]));
  await ended(chat);
  await eventually('all have ended', () => terminals(chat).every(({ exit }) => exit !== null));
});

test('a command that waited for its place while its turn was stopped does not begin in the next one', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const running = create(node(LONG));
  chat.prompt(steps(running, ['poll', '\n'], ['request', 'terminal/release', ID]));
  await asked(floor);
  answer(floor, /exact command/);
  await ended(chat);
  // All places of the chat are taken, as by files of a disk that does not answer.
  const { gate } = floor.services;
  let free: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    free = resolve;
  });
  const others = Array.from({ length: 6 }, () =>
    gate.run(chat.id, () => until, new AbortController().signal),
  );
  const late = ['start', 'terminal/create', node(LONG)];
  chat.prompt(steps(late, ['say', 'sent'], ['wait'], ['end', 'cancelled']));
  await eventually('it waits', () => said(chat, 'agent').includes('sent'));
  chat.stop();
  await ended(chat);
  chat.prompt(steps(running, ['poll', '\n']));
  await eventually('the next turn runs', () => stateOf(chat) === 'running');
  free();
  await Promise.all(others);
  await ended(chat);
  // The first one, and that of the last turn, which came behind the one that waited.
  assert.equal(terminals(chat).length, 2);
});

test('after Stop the agent writes no file, until the next turn', async (t) => {
  const floor = floorFor(t);
  const chat = floor.chatWith('scripted');
  const file = path.join(floor.folders.workspace, 'late.txt');
  const write = ['write', file, 'late\n'];
  // It takes notice of Stop only by going on.
  chat.prompt(steps(['say', 'waiting'], ['wait'], write, ['end', 'cancelled']));
  await eventually('it waits', () => said(chat, 'agent').includes('waiting'));
  chat.stop();
  await ended(chat);
  assert.equal(fs.existsSync(file), false);
  chat.prompt(steps(write));
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'late\n');
});
