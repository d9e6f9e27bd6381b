import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { SYSTEM_CALLS } from '../../src/client/files/replaceFile.ts';
import { NOBODY, room } from './clientFilesRoom.ts';

const skip = process.platform === 'win32';
const HOUR = 60 * 60 * 1000;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const name = (letter: string, ending = '.tmp'): string => `.parley-${letter.repeat(24)}${ending}`;

test(
  'what a killed write left beside a file is removed by the next write there',
  { skip },
  async (t) => {
    const made: string[] = [];
    const it = room(t, {
      calls: {
        ...SYSTEM_CALLS,
        rename: (from, to) => {
          made.push(path.basename(from));
          return SYSTEM_CALLS.rename(from, to);
        },
      },
    });
    fs.mkdirSync(it.path('sub'));
    await it.write('sub/a.txt', 'a');
    const [left = ''] = made;
    it.put(left, 'half');
    fs.utimesSync(it.path(left), ago(2 * HOUR), ago(2 * HOUR));
    await it.write('a.txt', 'a');
    assert.deepEqual(it.names(), ['a.txt', 'sub']);
  },
);

test('nothing else is removed with it', { skip }, async (t) => {
  const it = room(t);
  const old = ago(2 * HOUR);
  const kept = [
    name('a', '.old'),
    name('a', '.tmp.txt'),
    `x${name('a')}`,
    name('A'),
    name('g'),
    '.parley-a.tmp',
    `${name('c', '')}c.tmp`,
    'other.tmp',
  ];
  for (const each of [name('a'), ...kept]) {
    it.put(each, each);
    fs.utimesSync(it.path(each), old, old);
  }
  // A write that is under way, perhaps in another window.
  it.put(name('b'), '');
  fs.utimesSync(it.path(name('b')), ago(HOUR / 2), ago(HOUR / 2));
  it.put('target', 'target');
  fs.symlinkSync('target', it.path(name('d')));
  fs.lutimesSync(it.path(name('d')), old, old);
  fs.mkdirSync(it.path(name('e')));
  fs.utimesSync(it.path(name('e')), old, old);
  fs.linkSync(it.put('linked', ''), it.path(name('f')));
  fs.utimesSync(it.path('linked'), old, old);
  fs.mkdirSync(it.path('sub'));
  it.put(path.join('sub', name('a')), '');
  fs.utimesSync(it.path(path.join('sub', name('a'))), old, old);
  const others = [name('b'), name('d'), name('e'), name('f'), 'linked', 'sub', 'target'];
  if (process.getuid?.() === 0) {
    it.put(name('0'), '');
    fs.utimesSync(it.path(name('0')), old, old);
    fs.chownSync(it.path(name('0')), NOBODY, NOBODY);
    others.push(name('0'));
  }
  await it.write('a.txt', 'a');
  assert.deepEqual(it.names(), ['a.txt', ...kept, ...others].sort());
  assert.deepEqual(fs.readdirSync(it.path('sub')), [name('a')]);
  assert.equal(it.text('target'), 'target');
});
