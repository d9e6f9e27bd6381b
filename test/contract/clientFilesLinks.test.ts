import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { FileFault } from '../../src/client/ports.ts';
import { Room } from './clientFilesRoom.ts';

/**
 * This file is also the program that its test starts as a process of its own: it puts a folder and a file, and links to
 * a folder and a file outside, in the same places by turns, as quickly as it can.
 */
const given = process.env['PARLEY_SWAPPER'];

const SECRET = 'secret';
const INSIDE = 'inside';
const ROUNDS = 1500;

function swap(root: string): void {
  const at = (...names: string[]): string => path.join(root, ...names);
  process.send?.('swapping');
  const turn = (): void => {
    for (let turns = 0; turns < 50; turns++) {
      // The writer may make a folder where there is none at the moment.
      fs.rmSync(at('kept'), { recursive: true, force: true });
      fs.renameSync(at('workspace', 'folder'), at('kept'));
      const link = (): void => {
        fs.symlinkSync(at('outside'), at('workspace', 'folder'));
      };
      if (attempted(link)) {
        fs.unlinkSync(at('workspace', 'folder'));
      }
      attempted(() => {
        fs.renameSync(at('kept'), at('workspace', 'folder'));
      });
      // The file by a link to the secret, in one step and back.
      fs.symlinkSync(at('outside', 'a.txt'), at('link'));
      fs.renameSync(at('link'), at('workspace', 'b.txt'));
      fs.writeFileSync(at('new'), INSIDE);
      fs.renameSync(at('new'), at('workspace', 'b.txt'));
    }
    setImmediate(turn);
  };
  turn();
}

function attempted(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

async function swapped(): Promise<void> {
  const room = new Room();
  fs.mkdirSync(room.path('workspace'));
  fs.mkdirSync(room.path('workspace/folder'));
  fs.mkdirSync(room.path('outside'));
  room.put('outside/a.txt', SECRET);
  room.put('workspace/folder/a.txt', INSIDE);
  room.put('workspace/b.txt', INSIDE);
  const child = fork(__filename, {
    env: { ...process.env, PARLEY_SWAPPER: room.folder, NODE_TEST_CONTEXT: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const counts = { read: 0, refused: 0, written: 0, leaks: 0 };
  try {
    await once(child, 'message');
    for (let round = 0; round < ROUNDS; round++) await attempt(room, round, counts);
    assert.equal(child.exitCode, null, 'it swapped to the end');
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
  try {
    assert.equal(counts.leaks, 0);
    assert.equal(room.text('outside/a.txt'), SECRET);
    assert.deepEqual(fs.readdirSync(room.path('outside')), ['a.txt']);
    // Both sides were met.
    assert.ok(
      counts.read > 20 && counts.written > 20 && counts.refused > 20,
      JSON.stringify(counts),
    );
  } finally {
    room.remove();
  }
}

async function attempt(
  room: Room,
  round: number,
  counts: { read: number; refused: number; written: number; leaks: number },
): Promise<void> {
  const file = round % 2 === 0 ? 'workspace/folder/a.txt' : 'workspace/b.txt';
  try {
    if (round % 4 < 2) {
      const text = await room.read(file);
      counts.read++;
      if (text.includes(SECRET)) counts.leaks++;
    } else {
      room.known.forget(room.place(file));
      const { before } = await room.write(file, `${INSIDE} ${round}`);
      counts.written++;
      if (before?.includes(SECRET) === true) counts.leaks++;
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    counts.refused++;
  }
}

if (given !== undefined) swap(given);
else {
  test(
    'a link that comes and goes while files are read and written never leads outside',
    { skip: process.platform !== 'linux' },
    swapped,
  );
}
