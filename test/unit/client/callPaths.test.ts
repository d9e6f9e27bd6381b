import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { callNaming, mayChange, pathsOf } from '../../../src/client/requests/callPaths.ts';
import { newToolCall } from '../../../src/thread/toolCall.ts';
import type { ToolCallEntry } from '../../../src/thread/thread.ts';

const call = (more: Partial<ToolCallEntry>): ToolCallEntry => ({ ...newToolCall('c', 0), ...more });
const located = (...paths: readonly string[]): ToolCallEntry =>
  call({ locations: paths.map((each) => ({ path: each, line: null })) });

test('a call names the files of its diffs and locations, and those in its input', () => {
  const diff = { type: 'diff', path: '/w/a', oldText: null, newText: '' } as const;
  const named = call({
    content: [
      { ...diff, added: 0, removed: 0, rows: [], omittedRows: 0 },
      { type: 'text', text: '/x' },
    ],
    locations: [{ path: '/w/b', line: 7 }],
    rawInput: { file_path: '/w/c', path: 4, command: '/w/d' },
  });
  assert.deepEqual(pathsOf(named), ['/w/a', '/w/b', '/w/c']);
  assert.deepEqual(pathsOf(call({ rawInput: 'text' })), []);
});

test('a file is found by another name, through a link, and from the folder of the session', async (t) => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-calls-')));
  t.after(() => {
    fs.rmSync(folder, { recursive: true });
  });
  const real = path.join(folder, 'real.txt');
  fs.writeFileSync(real, '');
  fs.symlinkSync('real.txt', path.join(folder, 'link.txt'));
  const place = { kind: 'disk', path: real, real } as const;
  const isNamed = async (text: string): Promise<boolean> =>
    (await callNaming([located('/elsewhere', text)], place, folder)) !== null;
  for (const text of [real, path.join(folder, 'link.txt'), 'real.txt', `${folder}/x/../real.txt`]) {
    assert.equal(await isNamed(text), true, text);
  }
  for (const text of [`${real}x`, folder, '', `real.txt\0`, '/real.txt', 'x'.repeat(10_000)]) {
    assert.equal(await isNamed(text), false, text);
  }
});

test('on Windows no other computer is asked for a file that an agent names', async (t) => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-calls-')));
  const before = process.cwd();
  process.chdir(folder);
  t.after(() => {
    process.chdir(before);
    fs.rmSync(folder, { recursive: true });
  });
  // Windows' paths are names in this folder, each a link to the file: whoever looks at one finds the file.
  const real = path.join(folder, 'real.txt');
  fs.writeFileSync(real, '');
  const place = { kind: 'disk', path: 'C:\\w\\real.txt', real } as const;
  const isLookedAt = async (named: string, found: string, cwd: string): Promise<boolean> => {
    fs.symlinkSync('real.txt', found);
    const call = await callNaming([located(named)], place, cwd, 'win32');
    fs.unlinkSync(found);
    return call !== null;
  };
  const share = '\\\\server\\share\\x';
  const spellings = [
    share,
    '//server/share/x',
    '\\/server/share\\x',
    '\\\\?\\UNC\\server\\share\\x',
    '//?/unc/server/share/x',
    '\\\\server\\share\\y\\..\\x',
  ];
  for (const named of spellings) {
    assert.equal(await isLookedAt(named, share, 'C:\\w'), false, named);
    assert.equal(await isLookedAt(named, share, '\\\\other\\share'), false, named);
    assert.equal(await isLookedAt(named, share, '\\\\SERVER\\w'), true, 'of the own server');
  }
  assert.equal(await isLookedAt('link.txt', 'C:\\w\\link.txt', 'C:\\w'), true);
  fs.mkdirSync('C:\\w');
  fs.symlinkSync('\\\\server\\share', 'C:\\w\\away');
  assert.equal(await isLookedAt('C:\\w\\away\\x', 'C:\\w\\away\\x', 'C:\\w'), false);
  assert.equal(await isLookedAt('\\\\.\\pipe\\x', '\\\\.\\pipe\\x', 'C:\\w'), false);
  assert.equal(await isLookedAt('a.txt:b', 'C:\\w\\a.txt:b', 'C:\\w'), false);
});

test('a file that is not on the disk is found by its path alone', async () => {
  const place = { kind: 'virtual', path: '/v/a.txt' } as const;
  assert.notEqual(await callNaming([located('/v/./a.txt')], place, '/v'), null);
  assert.equal(await callNaming([located('a.txt')], place, '/v'), null);
});

test('of calls that name very many files only some are looked at', async () => {
  const place = { kind: 'disk', path: '/w/last', real: '/w/last' } as const;
  const many = Array.from({ length: 10 }, (_, n) =>
    located(...Array.from({ length: 500 }, (__, m) => `/nowhere/${n}/${m}`)),
  );
  assert.equal(await callNaming([...many, located('/w/last')], place, '/w'), null);
  assert.notEqual(await callNaming([...many.slice(0, 2), located('/w/last')], place, '/w'), null);
});

test('what only reads announces no change', () => {
  const kinds = ['read', 'search', 'edit', 'delete', 'move', 'execute', 'other'] as const;
  assert.deepEqual(
    kinds.filter((toolKind) => mayChange(call({ toolKind }))),
    ['edit', 'delete', 'move', 'execute', 'other'],
  );
});
