import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import type { Machine } from '../../../../src/client/terminals/commandLine.ts';
import { DARWIN, POSIX, WINDOWS, refusal, resolve } from './machines.ts';

/** Lines for a shell: they have blanks, and no arguments come with them. */
const LINES = [
  'ls -la',
  'npm run build',
  'git status --short',
  'git commit -m "a message"',
  "echo 'single quotes'",
  'echo $HOME and `id`',
  'echo $(whoami) | cat',
  'make -j4 && make test',
  'false || echo failed',
  'sleep 1; echo done',
  'cat < in.txt > out.txt',
  'cat <<EOF\nhello\nEOF',
  'for f in *.ts; do echo "$f"; done',
  'cd sub && npm test',
  'FOO=1 node index.js',
  'echo "a\tb"',
  'grep -r "x y" . 2>/dev/null',
  'find . -name "*.ts" -exec wc -l {} +',
  'docker run --rm -it image sh -c "echo hi"',
  'curl -s https://example.com | head -n 1',
  'echo schön 日本語 🙂',
  'true # a comment',
  '(cd /tmp; ls)',
  '{ echo a; echo b; }',
  '! grep -q x file',
  'echo a\\ b',
  'echo "unclosed',
  'node -e "console.log(1)"',
  'python3 -m pytest tests/ -k "not slow"',
  'cargo test -- --nocapture',
  'go test ./... -run TestX',
  'echo %PATH% ^& !x!',
  'a b',
  '/bin/ls /tmp',
  './run me',
  '/opt/my tools/other',
  'tsc\t--noEmit',
  'echo \\',
  'sudo -n true',
  'exec 3>&1; echo x >&3',
];

/** Programs: a name without blanks, or arguments beside it. */
const PROGRAMS: readonly (readonly [string, readonly string[], string])[] = [
  ['ls', [], 'ls'],
  ['pwd', [], 'pwd'],
  ['/bin/ls', [], '/bin/ls'],
  ['./gradlew', [], './gradlew'],
  ['a|b', [], "'a|b'"],
  ['$HOME/x', [], "'$HOME/x'"],
  ['ls', ['-la'], 'ls -la'],
  ['ls', ['a b'], "ls 'a b'"],
  ['ls', [''], "ls ''"],
  ['my tool', ['x'], "'my tool' x"],
  ['npm run', ['build'], "'npm run' build"],
  ['echo', ['$HOME'], "echo '$HOME'"],
  ['echo', ['`id`'], "echo '`id`'"],
  ['echo', ["it's"], "echo 'it'\\''s'"],
  ['echo', ['"quoted"'], 'echo \'"quoted"\''],
  ['echo', ['a;b', '&&', '|'], "echo 'a;b' '&&' '|'"],
  ['echo', ['*', '?', '[a]'], "echo '*' '?' '[a]'"],
  ['echo', ['~'], "echo '~'"],
  ['echo', ['a\nb'], "echo $'a\\nb'"],
  ['echo', ['a\\b'], "echo 'a\\b'"],
  ['echo', ['--flag=value'], 'echo --flag=value'],
  ['echo', ['a=b,c:d@e%f+g'], 'echo a=b,c:d@e%f+g'],
  ['echo', ['!x'], "echo '!x'"],
  ['echo', ['#x'], "echo '#x'"],
  ['echo', ['(x)'], "echo '(x)'"],
  ['echo', ['schön'], "echo 'schön'"],
  ['echo', ['a', ' ', 'b'], "echo a ' ' b"],
  ['bash', ['-c', 'echo hi'], "bash -c 'echo hi'"],
  ['git', ['commit', '-m', 'one two'], "git commit -m 'one two'"],
  ['node', ['-e', 'console.log("x")'], 'node -e \'console.log("x")\''],
];

const LINE_CASES: readonly (readonly [string, Machine, string])[] = [
  ['POSIX', POSIX, '/bin/bash'],
  ['macOS', DARWIN, '/bin/zsh'],
];

describe('a command with blanks and no arguments is a line for the shell', () => {
  for (const [name, machine, shell] of LINE_CASES) {
    for (const line of LINES) {
      test(`on ${name}: ${JSON.stringify(line)}`, () => {
        const { file, args, shown, windowsVerbatimArguments } = resolve(line, [], machine);
        assert.deepEqual({ file, args, shown }, { file: shell, args: ['-c', line], shown: line });
        assert.equal(windowsVerbatimArguments, false);
      });
    }
  }
});

describe('a command with arguments, or without blanks, is a program', () => {
  for (const [name, machine] of LINE_CASES) {
    for (const [command, args, expected] of PROGRAMS) {
      test(`on ${name}: ${expected}`, () => {
        const { file, args: given, shown } = resolve(command, args, machine);
        assert.deepEqual({ file, given, shown }, { file: command, given: args, shown: expected });
      });
    }
  }

  test(
    'what is shown is taken apart by a shell into exactly what runs',
    { skip: process.platform === 'win32' },
    () => {
      const words = PROGRAMS.flatMap(([command, args]) => [command, ...args]);
      const nasty = [
        ...words,
        'a\u202eb',
        'x\u001b[31m',
        "'",
        "''",
        '\\',
        "\\'",
        '-n',
        '\t',
        'a\r\nb',
      ];
      const { shown } = resolve('printf', ['%s\\0', ...nasty], POSIX);
      const output = execFileSync('bash', ['-c', shown], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      });
      assert.deepEqual(output.split('\0').slice(0, -1), nasty);
    },
  );
});

describe('the path of a file that is there is a program, blanks or not', () => {
  const cases = ['/opt/my tools/run it', './my script.sh', '/work/my script.sh', 'sub dir/tool'];
  for (const command of cases) {
    test(command, () => {
      const { file, args, shown } = resolve(command, [], POSIX);
      assert.deepEqual({ file, args, shown }, { file: command, args: [], shown: `'${command}'` });
    });
  }

  test('also on Windows', () => {
    const { file, args } = resolve('.\\my tool', [], WINDOWS);
    assert.deepEqual({ file, args }, { file: 'C:\\work\\my tool.EXE', args: [] });
  });
});

describe('each shell is given a line as it wants it', () => {
  const line = 'echo "a b" && exit 3';
  const cases: readonly (readonly [string, Machine, string, readonly string[]])[] = [
    ['/bin/bash', POSIX, '/bin/bash', ['-c', line]],
    ['/bin/zsh', POSIX, '/bin/zsh', ['-c', line]],
    ['/usr/bin/fish', POSIX, '/usr/bin/fish', ['-c', line]],
    ['nu', POSIX, 'nu', ['-c', line]],
    ['pwsh', POSIX, 'pwsh', ['-NoProfile', '-NonInteractive', '-Command', line]],
    ['/bin/tcsh', POSIX, '/bin/sh', ['-c', line]],
    ['/gone/bash', POSIX, '/bin/sh', ['-c', line]],
    ['', POSIX, '/bin/sh', ['-c', line]],
    ['cmd.exe', WINDOWS, 'cmd.exe', ['/d', '/s', '/c', `"${line}"`]],
    [
      'C:\\Program Files\\PowerShell\\7\\pwsh.exe',
      WINDOWS,
      'C:\\Program Files\\PowerShell\\7\\pwsh.exe',
      ['-NoProfile', '-NonInteractive', '-Command', line],
    ],
    ['bash.exe', WINDOWS, 'bash.exe', ['-c', line]],
    [
      'C:\\gone\\pwsh.exe',
      WINDOWS,
      'C:\\Windows\\System32\\cmd.exe',
      ['/d', '/s', '/c', `"${line}"`],
    ],
    ['xonsh.exe', WINDOWS, 'C:\\Windows\\System32\\cmd.exe', ['/d', '/s', '/c', `"${line}"`]],
  ];
  for (const [shell, machine, file, args] of cases) {
    test(`${shell === '' ? 'no shell' : shell} on ${machine.platform}`, () => {
      const found = resolve(line, [], { ...machine, shell });
      assert.deepEqual([found.file, found.args, found.shown], [file, args, line]);
    });
  }

  test('a line that begins like an option is none', () => {
    assert.deepEqual(resolve('-l x', [], POSIX).args, ['-c', ' -l x']);
  });

  test('cmd.exe would leave lines out, so several are refused', () => {
    assert.match(
      refusal(() => resolve('echo a\necho b', [], WINDOWS)),
      /several lines/,
    );
  });

  test('a line with invisible characters is shown with them written out', () => {
    const { args, shown } = resolve('echo a \u202e b', [], POSIX);
    assert.deepEqual(args, ['-c', 'echo a \u202e b']);
    assert.equal(shown, "/bin/bash -c $'echo a \\u202e b'");
  });
});

describe('what cannot be run is refused in words', () => {
  const nul = 'a\0b';
  const cases: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['an empty command', () => resolve('', [], POSIX), /empty/],
    ['blanks only', () => resolve(' \t\n', [], POSIX), /empty/],
    ['NUL in the command', () => resolve(nul, [], POSIX), /NUL/],
    ['NUL in an argument', () => resolve('ls', [nul], POSIX), /NUL/],
    ['NUL in the folder', () => resolve('ls', [], POSIX, { cwd: `/${nul}` }), /NUL/],
    ['a relative folder', () => resolve('ls', [], POSIX, { cwd: 'work' }), /absolute/],
    [
      'a relative folder on Windows',
      () => resolve('git', [], WINDOWS, { cwd: 'work' }),
      /absolute/,
    ],
    [
      'a folder that is gone',
      () => resolve('ls', [], POSIX, { cwd: '/gone' }),
      /\/gone does not exist/,
    ],
  ];
  for (const [name, work, words] of cases) {
    test(name, () => {
      assert.match(refusal(work), words);
    });
  }
});
