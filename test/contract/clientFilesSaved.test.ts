import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { savedFile } from '../../src/vscode/ports/savedFile.ts';
import { fault, room } from './clientFilesRoom.ts';

const skip = process.platform === 'win32';

test('the file of a document is read through a link, in whole', { skip }, async (t) => {
  const it = room(t);
  const real = it.put('real.txt', 'text');
  fs.symlinkSync('real.txt', it.path('link.txt'));
  const saved = await savedFile(it.path('link.txt'));
  assert.equal(saved.real, real);
  assert.equal(Buffer.from(saved.bytes).toString(), 'text');
});

test(
  'what has taken the place of a document’s file is not read without bounds',
  { skip },
  async (t) => {
    const it = room(t);
    // Takes no room on the disk.
    fs.truncateSync(it.put('large.txt', ''), 2 ** 31);
    await assert.rejects(savedFile(it.path('large.txt')), fault('failed', /too large/));
    // Nobody writes to it: to wait for its end would take for ever.
    execFileSync('mkfifo', [it.path('pipe')]);
    await assert.rejects(savedFile(it.path('pipe')), { code: 'ENXIO' });
    await assert.rejects(savedFile(it.folder), { code: 'EISDIR' });
    await assert.rejects(savedFile(it.path('none')), { code: 'ENOENT' });
  },
);
