import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath, relativeIn, type Platform } from '../../../src/client/files/paths.ts';

/** Why the verdict is what it is, the verdict (`in` a folder, `out` of it, or no path at all), and the attempts. */
type Group = readonly [why: string, verdict: 'in' | 'out' | 'none', attempts: readonly string[]];

const attemptsOnPosix: readonly Group[] = [
  [
    'dots lead out of the folder',
    'out',
    [
      '/w/..',
      '/w/../',
      '/w/../etc/passwd',
      '/w/a/../../etc/passwd',
      '/w/a/b/../../../etc',
      '/w/./../etc',
      '/w/.././etc',
      '/w//..//etc',
      '/w/../w/../etc',
      '/w/../../../../../../etc/passwd',
      '/w/a/../../w-evil/x',
      '/../etc/passwd',
      '/w/../.',
      '/w/x/../../W/../etc',
      '/w/.git/../../etc',
    ],
  ],
  [
    'dots stay in the folder',
    'in',
    [
      '/w/a/..',
      '/w/a/../b',
      '/w/../w/a',
      '/../w/a',
      '/w/./a',
      '/w/a/b/../../c',
      '//w/a',
      '/w//a///b',
      '/x/../w/a',
    ],
  ],
  [
    'these are names like any other, whatever they look like',
    'in',
    [
      '/w/...',
      '/w/..a',
      '/w/a..',
      '/w/.. /etc',
      '/w/ ../x',
      '/w/..\\..\\etc',
      '/w/a\\b',
      '/w/%2e%2e/etc',
      '/w/..%2fetc',
      '/w/\u2024\u2024/etc',
      '/w/\uff0e\uff0e/etc',
      '/w/..\u2215etc',
      '/w/..\u2044etc',
      '/w/~/x',
      '/w/~root',
      '/w/$HOME/x',
      '/w/C:/x',
      '/w/con',
      '/w/a:b',
      '/w/a.txt.',
      '/w/a ',
      '/w/*',
      '/w/..\u200d/x',
      '/w/🦜/x',
    ],
  ],
  [
    'the folder is only the beginning of another name',
    'out',
    [
      '/w-evil',
      '/w-evil/a',
      '/w2',
      '/w.',
      '/w /a',
      '/ww/a',
      '/w\\a',
      '/w~/a',
      '/w.bak/a',
      '/w:/a',
      '/w\u200b/a',
      '/w%2f/a',
    ],
  ],
  [
    'another place of the system',
    'out',
    [
      '/',
      '//',
      '/etc/passwd',
      '///etc/passwd',
      '/root/.ssh/id_rsa',
      '/proc/self/environ',
      '/proc/self/root/etc/passwd',
      '/proc/self/cwd/x',
      '/dev/fd/3',
      '/dev/stdin',
      '/dev/null',
      '/tmp/w/a',
      '/home/w/a',
      '/a/w/b',
    ],
  ],
  [
    'no path that names one place, so nothing is guessed',
    'none',
    [
      '',
      '.',
      '..',
      'a',
      'w/a',
      './w/a',
      '../w/a',
      ' /w/a',
      '~',
      '~/x',
      '~root/x',
      '$HOME/x',
      'file:///w/a',
      'file:/w/a',
      'FILE:///w/a',
      'vscode-remote://host/w/a',
      'untitled:/w/a',
      'C:\\w\\a',
      'C:/w/a',
      '\\w\\a',
      '\\\\server\\share\\a',
      '\\\\?\\C:\\w',
    ],
  ],
  [
    'NUL, control characters, half characters or too many of them',
    'none',
    [
      '/w/a\0',
      '/w/a\0/../../etc',
      '\0/w/a',
      '/w/a\nb',
      '/w/\r',
      '/w/\u001b[2J',
      '/w/\u007f',
      '/w/\u0085',
      '/w/\ud800',
      '/w/\udc00a',
      '/w/\ud800\ud800',
      `/w/${'a/'.repeat(2_100)}`,
      `/w/${'ä'.repeat(2_048)}`,
      `/w/${'a'.repeat(40_000)}`,
    ],
  ],
];

const attemptsOnMac: readonly Group[] = [
  ['case does not tell names apart', 'in', ['/W/a', '/W', '/w/A', '/W/../w/a', '/W/../W/a']],
  [
    'one sign is not the sign that it looks like',
    'out',
    ['/ẃ/a', '/ｗ/a', '/W-EVIL/a', '/w\u0301/a', '/ш/a'],
  ],
  ['a part of a file, or a file by its number', 'none', ['/w/a/..namedfork/rsrc', '/.vol/1/2']],
  ['dots lead out in any case', 'out', ['/W/../etc/passwd', '/W/a/../../ETC', '/W/..']],
];

const attemptsOnWindows: readonly Group[] = [
  [
    'dots lead out of the folder',
    'out',
    [
      'C:\\w\\..',
      'C:\\w\\..\\x',
      'C:/w/../x',
      'C:\\w/..\\x',
      'C:\\w\\a\\..\\..\\Windows',
      'C:\\w\\..\\..\\..\\..\\x',
      'C:\\w\\\\..\\\\x',
      'C:\\w\\.\\..\\x',
      '\\\\?\\C:\\w\\..\\x',
      'c:/W/../Windows/win.ini',
      'C:\\w\\..\\w-evil\\a',
    ],
  ],
  [
    'another spelling of what is inside',
    'in',
    [
      'C:\\w',
      'c:\\w\\a',
      'C:\\W\\A',
      'C:/w/a',
      'C:\\w\\\\a',
      'C:\\w\\a\\',
      'C:\\w\\a\\..\\b',
      'C:\\..\\w\\a',
      '\\\\?\\C:\\w\\a',
      '//?/C:/w/a',
      '\\\\?\\c:\\W\\a',
      'C:\\w\\%2e%2e\\x',
      'C:\\w\\..a',
      'C:\\w\\~\\a',
      'C:\\w\\console',
      'C:\\w\\com',
      'C:\\w\\com10',
      'C:\\w\\a.con',
      'C:\\w\\LONGNA~1\\a',
    ],
  ],
  [
    'another drive, share or folder',
    'out',
    [
      'C:\\',
      'C:/',
      'C:\\x',
      'C:\\w-evil\\a',
      'C:\\w2',
      'C:\\WW\\a',
      'D:\\w\\a',
      'C:\\Windows\\System32',
      'C:\\PROGRA~1\\x',
      'C:\\x\\w\\a',
      '\\\\server\\share\\a',
      '\\\\server\\w\\a',
      '\\\\localhost\\C$\\w\\a',
      '\\\\127.0.0.1\\c$\\w\\a',
      '\\\\wsl$\\Ubuntu\\w',
      '\\\\server@SSL\\DavWWWRoot\\a',
      '\\\\?\\UNC\\server\\share\\a',
      '//server/share/a',
      '\\\\server\\share\\..\\..\\w',
    ],
  ],
  [
    'it counts from a folder or a drive that nobody named',
    'none',
    [
      '',
      '.',
      '..',
      'a',
      'w\\a',
      '.\\a',
      '..\\a',
      '\\w\\a',
      '/w/a',
      '\\',
      '/',
      'C:',
      'C:w',
      'C:..\\x',
      'c:a\\b',
      '~\\a',
      '~/a',
      '%USERPROFILE%\\a',
      '\\\\',
      '\\\\server',
      '\\\\server\\',
      '/c/w/a',
      '1:\\w',
      'file:///C:/w/a',
      'file:C:\\w',
    ],
  ],
  [
    'it names a device or steps past the rules for names',
    'none',
    [
      '\\\\.\\C:\\w\\a',
      '\\\\.\\COM1',
      '\\\\.\\PhysicalDrive0',
      '\\\\.\\pipe\\x',
      '//./C:/w',
      '\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\x',
      '\\\\?\\Volume{b75e2c83-0000-0000-0000-602f00000000}\\x',
      '\\\\?\\pipe\\x',
      '\\\\?\\C:',
      '\\\\?\\UNC\\server',
      '\\\\?\\UNC\\.\\C:\\x',
      '\\\\?\\UNC\\?\\C:\\x',
      '\\\\?\\\\\\?\\C:\\w',
      '\\??\\C:\\w',
      '\\Device\\HarddiskVolume1\\x',
      '\\\\server\\pipe\\x',
      '\\\\localhost\\PIPE\\x',
      '\\\\server\\IPC$\\x',
      '\\\\server\\..\\x',
      '\\\\?\\',
      '\\\\.\\',
    ],
  ],
  [
    'Windows takes the name for a device',
    'none',
    [
      'CON',
      'con',
      'NUL',
      'nul.txt',
      'AUX.c',
      'prn',
      'COM1',
      'com9.log',
      'COM0',
      'LPT1',
      'lpt3.tar.gz',
      'COM¹',
      'LPT²',
      'CONIN$',
      'conout$',
      'CLOCK$',
      'NUL .txt',
      'nul\\a',
      'a\\con\\b',
    ].map((name) => `C:\\w\\${name}`),
  ],
  [
    'Windows would take something off the name, or read something else in it',
    'none',
    [
      'a.',
      'a ',
      'a..',
      'a. .',
      '...',
      '.. ',
      '.. \\x',
      '.git.',
      '.git ',
      '.git::$INDEX_ALLOCATION',
      'a.txt:stream',
      'a.txt::$DATA',
      'a:b\\c',
      ':a',
      'C:\\a',
      'a?',
      'a*b',
      'a|b',
      'a<b',
      'a>b',
      'a"b',
      'a\0',
      'a\nb',
      'a\u0001',
      '\ud800',
      'a'.repeat(33_000),
    ].map((name) => `C:\\w\\${name}`),
  ],
  [
    'a sign without a partner on NTFS is no other letter',
    'out',
    ['C:\\ｗ\\a', 'C:\\ẃ\\a', 'C:\\w\u0301\\a'],
  ],
];

function verdictOn(text: string, folder: string, platform: Platform): Group[1] {
  const { path } = readPath(text, platform);
  if (path === null) return 'none';
  return relativeIn(path, folder, platform) === null ? 'out' : 'in';
}

const tables = [
  ['posix', '/w', attemptsOnPosix],
  // macOS: what differs from POSIX is that case does not count.
  ['darwin', '/w', [...attemptsOnPosix, ...attemptsOnMac]],
  ['win32', 'C:\\w', attemptsOnWindows],
] as const;
for (const [platform, folder, groups] of tables) {
  for (const [why, verdict, attempts] of groups) {
    for (const text of attempts) {
      const name = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
      test(`${platform}: ${name} is ${verdict}: ${why}`, () => {
        assert.equal(verdictOn(text, folder, platform), verdict);
      });
    }
  }
}

test('there are at least 200 attempts', () => {
  const count = [...attemptsOnPosix, ...attemptsOnMac, ...attemptsOnWindows].flatMap(
    ([, , attempts]) => attempts,
  ).length;
  assert.ok(count >= 200, `${count}`);
});

test('each refusal says in a sentence why', () => {
  for (const [platform, , groups] of tables) {
    for (const text of groups.flatMap(([, verdict, all]) => (verdict === 'none' ? all : []))) {
      assert.match(readPath(text, platform).problem ?? '', /^[A-Z~].{10,}/, JSON.stringify(text));
    }
  }
});

test('what a long Windows path names is what its plain form names', () => {
  assert.equal(readPath('\\\\?\\UNC\\server\\share\\a', 'win32').path, '\\\\server\\share\\a');
  assert.equal(readPath('\\\\?\\C:\\w', 'win32').path, 'C:\\w');
});

test('folding takes no two letters for one that the disk tells apart', () => {
  const apart: readonly (readonly [Platform, string, string])[] = [
    ['posix', 'é', 'e\u0301'],
    ['posix', 'a', 'A'],
    ['win32', 'é', 'e\u0301'],
    ['win32', '\u212a', 'k'],
    ['win32', 'ß', 'ss'],
    ['win32', 'ı', 'i'],
    ['win32', 'İ', 'i'],
    ['win32', 'ſ', 's'],
    ['win32', '𐐀', '𐐨'],
    ['darwin', 'ı', 'i'],
  ];
  for (const [platform, one, other] of apart) {
    const [a, b] = platform === 'win32' ? [`C:\\${one}`, `C:\\${other}`] : [`/${one}`, `/${other}`];
    assert.equal(relativeIn(`${a}`, b, platform), null, `${platform} ${one} ${other}`);
  }
});

test('folding takes two spellings for one where the disk does', () => {
  const same: readonly (readonly [Platform, string, string])[] = [
    ['darwin', '/é', '/e\u0301'],
    ['darwin', '/É', '/e\u0301'],
    ['darwin', '/𐐀', '/𐐨'],
    ['darwin', '/가', '/\u1100\u1161'],
    ['win32', 'C:\\É', 'c:\\é'],
    ['win32', 'C:\\Я', 'c:\\я'],
  ];
  for (const [platform, one, other] of same) {
    assert.equal(relativeIn(one, other, platform), '', `${platform} ${one} ${other}`);
  }
});

/** A generator of its own, so that a failure can be seen again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = ['w', 'W', 'w2', 'a', '..', '.', '', '...', 'é', 'e\u0301', '~', 'C:', ' ', '.git'];

test('whatever is judged inside begins with the folder, name by name, and has no dots left', () => {
  let inside = 0;
  for (let seed = 1; seed <= 4_000; seed++) {
    const next = numbers(seed);
    const names = Array.from({ length: 1 + next(7) }, () => pieces[next(pieces.length)] ?? '');
    for (const platform of ['posix', 'darwin', 'win32'] as const) {
      const [start, separator] = platform === 'win32' ? ['C:\\', '\\'] : ['/', '/'];
      const { path } = readPath(`${start}w${separator}${names.join(separator)}`, platform);
      if (path === null) continue;
      const rest = relativeIn(path, `${start}w`, platform);
      const parts = path.slice(start.length).split(separator);
      assert.ok(!parts.some((part) => part === '..' || part === '.'), path);
      const [first] = parts;
      const isW = platform === 'posix' ? first === 'w' : first?.toLowerCase() === 'w';
      assert.equal(rest !== null, isW, `${platform} ${path}`);
      if (rest === null) continue;
      inside += 1;
      assert.equal(rest, parts.slice(1).join(separator));
    }
  }
  assert.ok(inside > 1_000, 'some of them must be inside');
});

test('reading a path again changes nothing', () => {
  for (const [platform, , groups] of tables) {
    for (const text of groups.flatMap(([, , all]) => all)) {
      const { path } = readPath(text, platform);
      if (path !== null) assert.equal(readPath(path, platform).path, path);
    }
  }
});
