import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { sharedStorage } from '../../../src/vscode/ports/sharedStorage.ts';

const storage = (id: string): string =>
  path.join(path.sep, 'User', 'workspaceStorage', id, 'me.it');

test('all windows of a workspace have the folder of the first one', () => {
  const first = storage('0fd1c2');
  assert.equal(sharedStorage(first), first);
  assert.equal(sharedStorage(storage('0fd1c2-1')), first);
  assert.equal(sharedStorage(storage('0fd1c2-9')), first);
});

test('an id that begins with a minus, or has one inside, stays what it is', () => {
  for (const id of ['-7', '-7fb2c01', 'ext-dev', 'a-12', 'a-0']) {
    assert.equal(sharedStorage(storage(id)), storage(id));
  }
  assert.equal(sharedStorage(storage('-7fb2c01-2')), storage('-7fb2c01'));
});
