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
      '/home/other/.config',
      '/home/other/.local/share',
      '/mnt/c',
      '/mnt/c/Users',
      '/mnt/c/Users/other',
      '/mnt/c/users/other',
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
      '/home/me/.config/tool',
      '/home/me/.local/share/tool',
      '/mnt/c/work',
      '/mnt/c/Users/me/notes',
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
      '/private/var/folders/ab',
      '/private/var/folders/ab/cdef',
      '/private/var/folders/ab/cdef/T',
      '/Users/me/Library',
      '/Users/me/Library/Application Support',
      '/Volumes/Disk/Users/other',
    ],
    narrow: [
      '/Users/me/notes',
      '/Users/me/Library/Application Support/tool',
      '/Volumes/Disk/work',
      '/private/tmp/build-7',
      '/private/var/folders/ab/cdef/T/build-7',
      '/opt/homebrew',
    ],
  },
  win32: {
    wide: [
      'C:\\',
      'd:\\',
      'C:\\Users',
      'c:\\users\\other',
      'C:\\Windows',
      'C:\\Windows\\Temp',
      'C:\\Users\\me\\AppData\\Local\\Temp',
      'C:\\Users\\me\\AppData\\Roaming',
      'D:\\work',
      '\\\\server\\share',
      '\\\\server\\C$\\Users\\other',
      '\\\\wsl.localhost\\Debian\\home\\other',
      '\\\\wsl$\\Debian\\tmp',
    ],
    narrow: [
      'C:\\Users\\me\\notes',
      'C:\\Users\\me\\AppData\\Roaming\\tool',
      'C:\\Users\\me\\AppData\\Local\\Temp\\build-7',
      'D:\\work\\tool',
      '\\\\server\\share\\work',
      '\\\\server\\C$\\work\\tool',
      '\\\\wsl.localhost\\Debian\\home\\me\\notes',
    ],
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
