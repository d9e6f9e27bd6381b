import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { random } from '../unit/thread/random.ts';
import { Room } from './clientFilesRoom.ts';

/** This file is also the program that its test starts as a process of its own and kills. */
const given = process.env['PARLEY_FILE_WRITER'];

const KILLS = 40;
/** Long enough that a write is often under way. */
const LINES = 60_000;

function textOf(number: number): string {
  return `version ${number}\n`.repeat(LINES);
}

/** Writes one version after the other until it is killed. */
async function write(file: string): Promise<void> {
  const room = new Room();
  room.remove();
  for (let number = 1; ; number++) {
    await room.write(file, textOf(number));
    if (number === 1) process.send?.('writing');
  }
}

/** @returns The version that is there whole; 0 for the first one. */
function versionIn(text: string): number {
  const number = Number(/^version (\d+)\n/.exec(text)?.[1]);
  assert.ok(text === textOf(number), `half a file of ${text.length} characters`);
  return number;
}

async function temporaryFileIn(folder: string): Promise<void> {
  for await (const { filename } of fs.promises.watch(folder)) {
    if (filename?.endsWith('.tmp') === true) return;
  }
}

if (given !== undefined) void write(given);
else {
  test(`a file is the old one or the new one after its writer was killed, ${KILLS} times`, async (t) => {
    const room = new Room();
    t.after(() => {
      room.remove();
    });
    const { below } = random(9);
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const file = room.put('a.txt', textOf(0));
      const child = fork(__filename, {
        env: { ...process.env, PARLEY_FILE_WRITER: file, NODE_TEST_CONTEXT: '' },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      await once(child, 'message');
      // Any moment, and by turns any moment while a new file is being written.
      if (kill % 2 === 0) await temporaryFileIn(room.folder);
      await delay(below(kill % 2 === 0 ? 6 : 40));
      child.kill('SIGKILL');
      await once(child, 'exit');
      assert.ok(versionIn(room.text('a.txt')) > 0);
      const left = room.names().filter((name) => name !== 'a.txt');
      if (left.length > 0) interrupted++;
      for (const name of left) {
        assert.match(name, /^\.parley-[0-9a-f]{24}\.tmp$/);
        fs.rmSync(room.path(name));
      }
    }
    // Else it was never killed in the middle.
    assert.ok(interrupted > KILLS / 10, `${interrupted} kills in the middle of a write`);
  });
}
