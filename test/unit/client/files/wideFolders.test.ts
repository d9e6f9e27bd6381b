import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWide } from '../../../../src/client/files/wideFolders.ts';

const CASES = {
  posix: {
    wide: [
      '/',
      '/tmp',
      '/mnt',
      '/home',
      '/opt',
      '/home/other',
      '/mnt/c',
      '/media/me',
      '/media/me/STICK',
      '/run/media/me/STICK',
      '/run/user/1000',
      '/var/tmp',
      '/usr/share',
    ],
    narrow: [
      '/tmp/build-7',
      '/home/me/notes',
      '/mnt/c/work',
      '/media/me/STICK/photos',
      '/opt/tool',
      '/var/log/app',
      '/usr/share/dict',
      '/srv/data',
    ],
  },
  darwin: {
    wide: [
      '/',
      '/Users',
      '/users/other',
      '/Volumes',
      '/VOLUMES/Disk',
      '/private/tmp',
      '/private/var/folders/ab/cdef/T',
    ],
    narrow: ['/Users/me/notes', '/Volumes/Disk/work', '/private/tmp/build-7', '/opt/homebrew'],
  },
  win32: {
    wide: [
      'C:\\',
      'd:\\',
      'C:\\Users',
      'c:\\users\\other',
      'C:\\Windows',
      'D:\\work',
      '\\\\server\\share',
    ],
    narrow: ['C:\\Users\\me\\notes', 'D:\\work\\tool', '\\\\server\\share\\work'],
  },
} as const;

for (const platform of ['posix', 'darwin', 'win32'] as const) {
  describe(`one answer on ${platform}`, () => {
    for (const folder of CASES[platform].wide) {
      test(`does not open ${folder}`, () => {
        assert.equal(isWide(folder, platform), true);
      });
    }
    for (const folder of CASES[platform].narrow) {
      test(`may open ${folder}`, () => {
        assert.equal(isWide(folder, platform), false);
      });
    }
  });
}
