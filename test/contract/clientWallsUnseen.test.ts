import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ended, floorFor, said, steps } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';

test('nobody is asked to allow a change of a guarded file that is too large to be seen', async (t) => {
  const floor = floorFor(t);
  const file = path.join(floor.folders.workspace, '.vscode', 'settings.json');
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, '{}');
  const chat = floor.chatWith('scripted');
  chat.prompt(steps(['write', file, 'x'.repeat(2_000_000)]));
  await ended(chat);
  assert.match(said(chat, 'agent'), /too large to be shown \(2000002 characters\)/);
  assert.equal(fs.readFileSync(file, 'utf8'), '{}');

  chat.prompt(steps(['write', file, 'x'.repeat(100_000)]));
  await eventually('a smaller one is asked about', () => floor.desk.open.length === 1);
  assert.equal(floor.desk.open[0]?.question.diffs.length, 1, 'with all of the change');
  chat.stop();
  await ended(chat);
});
