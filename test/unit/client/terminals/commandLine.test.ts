import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { RequestError } from '../../../../src/protocol/errors.ts';
import {
  resolveCommand,
  type CommandRequest,
  type Machine,
} from '../../../../src/client/terminals/commandLine.ts';

const FILES = new Set([
  '/work',
  '/bin/bash',
  '/bin/zsh',
  '/usr/bin/fish',
  '/opt/my tools/run it',
  '/work/my script.sh',
  '/work/sub dir/tool',
]);

const WINDOWS_FILES = [
  'C:\\work',
  'C:\\work\\git.exe',
  'C:\\work\\build.cmd',
  'C:\\work\\my tool.exe',
  'C:\\Windows\\System32\\cmd.exe',
  'C:\\Windows\\System32\\where.exe',
  'C:\\Program Files\\Git\\cmd\\git.exe',
  'C:\\Program Files\\nodejs\\node.exe',
  'C:\\Program Files\\nodejs\\npm.cmd',
  'C:\\Program Files\\nodejs\\npm',
  'C:\\Tools\\old.bat',
  'C:\\Tools\\python3.11.exe',
  'C:\\Tools\\ps1script.ps1',
  'C:\\Program Files\\PowerShell\\7\\pwsh.exe',
].map((file) => file.toLowerCase());

const POSIX: Machine = {
  platform: 'posix',
  shell: '/bin/bash',
  env: { PATH: '/usr/bin:/bin', HOME: '/home/me' },
  exists: (path) => FILES.has(path),
};
const DARWIN: Machine = { ...POSIX, platform: 'darwin', shell: '/bin/zsh' };
const WINDOWS: Machine = {
  platform: 'win32',
  shell: 'C:\\Windows\\System32\\cmd.exe',
  env: {
    Path: 'C:\\Windows\\System32;"C:\\Program Files\\Git\\cmd";C:\\Program Files\\nodejs;relative;C:\\Tools',
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    ComSpec: 'C:\\Windows\\System32\\cmd.exe',
  },
  exists: (path) => WINDOWS_FILES.includes(path.toLowerCase()),
};

function resolve(
  command: string,
  args: readonly string[],
  machine: Machine,
  rest: Partial<CommandRequest> = {},
) {
  const cwd = machine.platform === 'win32' ? 'C:\\work' : '/work';
  return resolveCommand({ command, args, env: [], cwd, ...rest }, machine);
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof RequestError, String(error));
    return error.message;
  }
  return assert.fail('it was not refused');
}

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
  return [...line].filter((char) => {
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
