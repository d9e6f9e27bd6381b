import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ClientFloor, said, stateOf, TestFolders } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

/** This file is also the window that its test starts as a process of its own and kills. */
const given = process.env['PARLEY_WRITER'];

function write(folders: TestFolders): void {
  const chat = new ClientFloor(folders).chatWith('flood', ['10000000']);
  chat.prompt('Go');
  process.send?.(chat.id);
}

async function killed(folders: TestFolders): Promise<void> {
  const child = fork(__filename, {
    env: { ...process.env, PARLEY_WRITER: JSON.stringify(folders), NODE_TEST_CONTEXT: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [id] = (await once(child, 'message')) as [string];
  const file = path.join(folders.chats, `${id}.ndjson`);
  await eventually(
    'it has written for a while',
    () => fs.existsSync(file) && fs.statSync(file).size > 200_000,
    30_000,
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  const whole = fs.readFileSync(file, 'utf8').lastIndexOf('\n') + 1;
  const floor = new ClientFloor(folders);
  try {
    await floor.chats.load();
    const chat = floor.chats.active;
    assert.deepEqual([chat.id, chat.readOnly, stateOf(chat)], [id, false, 'interrupted']);
    // The agent counts: what is there is a whole beginning of what it said, up to the last whole line.
    const numbers = said(chat, 'agent').trim().split(' ').map(Number);
    assert.ok(numbers.length > 1_000);
    assert.deepEqual(numbers, [...numbers.keys()]);
    assert.ok(fs.statSync(file).size >= whole);
  } finally {
    floor.close();
  }
}

if (given !== undefined) write(JSON.parse(given) as TestFolders);
else {
  test('a window that is killed in the middle of writing loses at most a torn line, and the next one goes on', async () => {
    const folders = new TestFolders();
    try {
      await killed(folders);
    } finally {
      folders.remove();
    }
  });
}
