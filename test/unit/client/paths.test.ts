import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalPath, platformOf, relativeIn } from '../../../src/client/files/paths.ts';

const posix: readonly [string, string | null][] = [
  ['/w/a', '/w/a'],
  ['/w/./a//b/', '/w/a/b'],
  ['/w/../etc/passwd', '/etc/passwd'],
  ['/w/a/../../../..', '/'],
  ['/', '/'],
  ['/w/a\\b', '/w/a\\b'],
  ['', null],
  ['w/a', null],
  ['./w', null],
  ['~/x', null],
  ['/w/a\0.txt', null],
  ['file:///w/a', null],
  ['C:\\w', null],
];
for (const [text, expected] of posix) {
  test(`on POSIX ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => {
    assert.equal(normalPath(text, 'posix'), expected);
    assert.equal(normalPath(text, 'darwin'), expected);
  });
}

const windows: readonly [string, string | null][] = [
  ['C:\\w\\a', 'C:\\w\\a'],
  ['C:/w/a/', 'C:\\w\\a'],
  ['c:\\w\\..\\x', 'c:\\x'],
  ['C:\\', 'C:\\'],
  ['\\\\server\\share\\a', '\\\\server\\share\\a'],
  ['\\\\server\\share\\..\\..\\x', '\\\\server\\share\\x'],
  ['C:w', null],
  ['C:', null],
  ['\\w\\a', null],
  ['/w/a', null],
  ['w\\a', null],
  ['\\\\?\\C:\\w', 'C:\\w'],
  ['\\\\.\\COM1', null],
  ['//?/C:/w', 'C:\\w'],
  ['C:\\w\\a.txt:stream', null],
  ['C:\\w\\a\0', null],
];
for (const [text, expected] of windows) {
  test(`on Windows ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => {
    assert.equal(normalPath(text, 'win32'), expected);
  });
}

const inside = [
  ['/w', '/w', 'posix', ''],
  ['/w/a/b', '/w', 'posix', 'a/b'],
  ['/w2/a', '/w', 'posix', null],
  ['/W/a', '/w', 'posix', null],
  ['/W/A', '/w', 'darwin', 'A'],
  ['/etc', '/', 'posix', 'etc'],
  ['/', '/w', 'posix', null],
  ['C:\\Work\\A', 'c:\\work', 'win32', 'A'],
  ['C:\\Work2', 'c:\\work', 'win32', null],
  ['D:\\work\\a', 'C:\\work', 'win32', null],
  ['C:\\a', 'C:\\', 'win32', 'a'],
  ['\\\\Server\\Share\\x', '\\\\server\\share', 'win32', 'x'],
  ['/İx/a', '/İx', 'darwin', 'a'],
] as const;
for (const [path, folder, platform, expected] of inside) {
  test(`${path} in ${folder} on ${platform}: ${JSON.stringify(expected)}`, () => {
    assert.equal(relativeIn(path, folder, platform), expected);
  });
}

test('the rules of a machine follow from its system', () => {
  assert.deepEqual((['linux', 'freebsd', 'darwin', 'win32'] as const).map(platformOf), [
    'posix',
    'posix',
    'darwin',
    'win32',
  ]);
});
