import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { UserError } from '../../../src/base/errors.ts';
import { commandLine, expand } from '../../../src/client/agents/commandLine.ts';

test('a shell takes a shown command line apart into the very words that are started', () => {
  const words = ['plain', 'two words', "it's", '$HOME', '`id`', '', '*', '"', '\\', 'a;b|c&d', 'é'];
  const line = commandLine('printf', ['%s\\n', ...words]);
  const out = execFileSync('bash', ['-c', line], { encoding: 'utf8' });
  assert.equal(out, `${words.join('\n')}\n`);
});

test('line ends and invisible characters are written out in a shown command line', () => {
  const line = commandLine('run', ['harmless\nrm -rf', 'left\u202eright', '\u001b[2J']);
  assert.equal(line, "run $'harmless\\nrm -rf' $'left\\u202eright' $'\\u001b[2J'");
});

test('what is written out is the very character to a shell, also one beyond four digits', () => {
  const words = ['a\u{e0041}b', '\u202e', '\u0001'];
  const line = commandLine('printf', ['%s\n', ...words]);
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  assert.equal(
    execFileSync('bash', ['-c', line], { encoding: 'utf8', env }),
    `${words.join('\n')}\n`,
  );
});

test('a program whose name has a = is not shown as a variable that is set', () => {
  assert.equal(commandLine('PATH=/x', ['ls', 'A=b']), "'PATH=/x' ls A=b");
});

const variables = { workspaceFolder: '/home/me/my project', env: { KEY: 's3cret', EMPTY: '' } };

test('the workspace folder and environment variables expand, once', () => {
  assert.equal(
    expand('${workspaceFolder}/bin ${env:KEY}${env:EMPTY}', variables, 'x'),
    '/home/me/my project/bin s3cret',
  );
  const nested = { workspaceFolder: '/${env:KEY}', env: { KEY: 'no' } };
  assert.equal(expand('${workspaceFolder}', nested, 'x'), '/${env:KEY}');
});

test('dollars that name nothing stay as they are', () => {
  assert.equal(expand('$HOME $5 {env:KEY} ${', variables, 'x'), '$HOME $5 {env:KEY} ${');
});

for (const [text, words] of [
  ['${env:NOPE}', /\$\{env:NOPE\}.*no such environment variable/],
  ['${file}', /\$\{file\}.*does not know/],
  ['${env}', /\$\{env\}.*does not know/],
] as const) {
  test(`an unknown variable is named: ${text}`, () => {
    assert.throws(
      () => expand(text, variables, 'The setting'),
      (error) => error instanceof UserError && words.test(error.message),
    );
  });
}

test('with no folder open, the workspace folder is an error that says so', () => {
  assert.throws(
    () => expand('${workspaceFolder}', { workspaceFolder: null, env: {} }, 'The setting'),
    /no folder is open/,
  );
});
