import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath, relativeIn, type Platform } from '../../../src/client/files/paths.ts';
import { attemptsOnMac, attemptsOnPosix, attemptsOnWindows, type Group } from './escapeAttempts.ts';

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
    const start = platform === 'win32' ? 'C:\\' : '/';
    assert.equal(
      relativeIn(start + one, start + other, platform),
      null,
      `${platform} ${one} ${other}`,
    );
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
