import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WINDOWS, refusal, resolve } from './machines.ts';

describe('a program on Windows is found as PATH and PATHEXT say', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['git', 'C:\\Program Files\\Git\\cmd\\git.EXE'],
    ['git.exe', 'C:\\Program Files\\Git\\cmd\\git.exe'],
    ['node', 'C:\\Program Files\\nodejs\\node.EXE'],
    ['python3.11', 'C:\\Tools\\python3.11.EXE'],
    ['.\\git', 'C:\\work\\git.EXE'],
    ['./git.exe', 'C:\\work\\git.exe'],
    ['C:\\Windows\\System32\\where', 'C:\\Windows\\System32\\where.EXE'],
    ['C:/Windows/System32/where.exe', 'C:\\Windows\\System32\\where.exe'],
  ];
  for (const [command, file] of cases) {
    test(command, () => {
      const found = resolve(command, ['a b', '"'], WINDOWS);
      assert.deepEqual([found.file, found.args], [file, ['a b', '"']]);
      assert.equal(found.windowsVerbatimArguments, false);
    });
  }

  test('the PATH that counts is the one that the command gets', () => {
    const env = [{ name: 'PATH', value: 'C:\\Tools' }];
    assert.match(
      refusal(() => resolve('git', ['x'], WINDOWS, { env })),
      /"git" was not found/,
    );
    assert.equal(resolve('python3.11', [], WINDOWS, { env }).file, 'C:\\Tools\\python3.11.EXE');
  });

  test('a program in the folder that the command runs in is not found by its bare name', () => {
    assert.match(
      refusal(() => resolve('build', ['x'], WINDOWS)),
      /was not found/,
    );
  });

  test('a script without one of the endings is not a program', () => {
    assert.match(
      refusal(() => resolve('ps1script', ['x'], WINDOWS)),
      /was not found/,
    );
  });
});

/** The arguments as `cmd.exe` passes them on to a program: an own reading of its rules, for the test. */
function takenApart(line: string): string[] {
  const expanded = line.replaceAll('%%cd:~,%', '%');
  const words: string[] = [];
  let [word, inside, open] = ['', false, false];
  for (let at = 0; at < expanded.length; at += 1) {
    const slashes = /^\\*/.exec(expanded.slice(at))?.[0].length ?? 0;
    if (expanded[at + slashes] === '"') {
      word += '\\'.repeat(slashes >> 1);
      at += slashes;
      if (slashes % 2 === 1) word += '"';
      else if (inside && expanded[at + 1] === '"') [word, at] = [`${word}"`, at + 1];
      else inside = !inside;
      open = true;
    } else if (expanded[at] === ' ' && !inside) {
      if (open) words.push(word);
      [word, open] = ['', false];
    } else [word, open] = [word + (expanded[at] ?? ''), true];
  }
  return open ? [...words, word] : words;
}

/** Characters that `cmd.exe` would take for more than themselves: outside of its quotes, which every quote toggles. */
function activeIn(line: string): string[] {
  let inside = false;
  return Array.from(line).filter((char) => {
    if (char === '"') inside = !inside;
    return !inside && /[&|<>^()!]/.test(char);
  });
}

describe('a batch file on Windows is run by cmd.exe and its arguments can say nothing to it', () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['run', 'build'], 'run build'],
    [['a b'], '"a b"'],
    [[''], '""'],
    [['a&calc'], '"a&calc"'],
    [['a|b', 'a>b', 'a<b', 'a^b'], '"a|b" "a>b" "a<b" "a^b"'],
    [['%PATH%'], '"%%cd:~,%PATH%%cd:~,%"'],
    [['!PATH!'], '"!PATH!"'],
    [['say "hi"'], '"say ""hi"""'],
    [['"&calc&"'], '"""&calc&"""'],
    [['\\"&calc'], '"\\\\""&calc"'],
    [['C:\\dir\\'], '"C:\\dir\\\\"'],
    [['C:\\a\\b.txt'], 'C:\\a\\b.txt'],
    [['--x=y'], '"--x=y"'],
    [['a;b', 'a,b'], '"a;b" "a,b"'],
    [['(x)'], '"(x)"'],
    [['schön'], 'schön'],
  ];
  for (const [args, words] of cases) {
    test(words, () => {
      const found = resolve('npm', args, WINDOWS);
      assert.equal(found.file, 'C:\\Windows\\System32\\cmd.exe');
      assert.deepEqual(found.args, [
        '/e:on',
        '/v:off',
        '/d',
        '/s',
        '/c',
        `""C:\\Program Files\\nodejs\\npm.CMD" ${words}"`,
      ]);
      assert.equal(found.windowsVerbatimArguments, true);
    });
  }

  test('any argument arrives as it is, and none of its characters is active', () => {
    const alphabet = [
      '"',
      '\\',
      '%',
      '&',
      '|',
      '^',
      '!',
      '<',
      '>',
      ' ',
      'a',
      '(',
      ')',
      '%PATH%',
      '""',
      '\\"',
    ];
    let seed = 7;
    const next = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * most);
    };
    for (let round = 0; round < 3_000; round += 1) {
      const args = Array.from({ length: 1 + next(3) }, () =>
        Array.from({ length: next(9) }, () => alphabet[next(alphabet.length)] ?? '').join(''),
      );
      const line = (resolve('old', args, WINDOWS).args.at(-1) ?? '').slice(1, -1);
      assert.deepEqual(takenApart(line).slice(1), args, line);
      assert.deepEqual(activeIn(line), [], line);
      assert.ok(!line.replaceAll('%%cd:~,%', '').includes('%'), line);
    }
  });

  for (const end of ['\n', '\r', '\r\n']) {
    test(`an argument with ${JSON.stringify(end)} is refused`, () => {
      assert.match(
        refusal(() => resolve('npm', [`a${end}calc`], WINDOWS)),
        /line end/,
      );
    });
  }

  test('people see the command and its arguments', () => {
    const { shown } = resolve('npm', ['run', 'a b', 'x"y', 'C:\\d e\\', '%PATH%'], WINDOWS);
    assert.equal(shown, 'npm run "a b" "x\\"y" "C:\\d e\\\\" "%PATH%"');
  });
});
