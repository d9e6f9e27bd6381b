import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecret, privateGuard, writeGuard } from '../../../src/client/files/guarded.ts';
import { readPath, type Platform } from '../../../src/client/files/paths.ts';

/** Places where something is run by what the file says, without anybody starting it by name. */
const askedInside = [
  // Clones for many worktrees, dotfiles, and the systems beside Git.
  '.bare/config',
  '.bare/hooks/pre-push',
  'dotfiles/.config/git/config',
  '.hg/hgrc',
  'sub/.hg/hgrc',
  '.svn/wc.db',
  '.jj/repo/config.toml',
  // SSH runs `ProxyCommand`, a cloud's tools run `credential_process` and `exec`.
  'dotfiles/.ssh/config',
  '.aws/config',
  '.kube/config',
  '.docker/config.json',
  '.docker/cli-plugins/docker-x',
  // Debuggers and interpreters read these in the folder that they are started in.
  '.gdbinit',
  '.lldbinit-Xcode',
  '.pdbrc.py',
  '.Rprofile',
  '.irbrc',
  // The editor activates the environment that it finds.
  '.venv/bin/activate',
  '.venv/bin/activate.fish',
  '.venv/pyvenv.cfg',
  'env/Scripts/Activate.ps1',
  'conda/etc/conda/activate.d/x.sh',
  '.bashrc.d/x.sh',
  '.zshrc.d/x.zsh',
  '.zcompdump-host',
  '.pnp.cjs',
  '.pnp.loader.mjs',
  '.yarn/sdks/typescript/lib/tsserver.js',
  'mise.local.toml',
  '.vim/plugin/x.vim',
  '.config/nvim/init.lua',
  '.helix/languages.toml',
  '.trae/mcp.json',
];
for (const name of askedInside) {
  test(`writing ${name} in a project is asked`, () => {
    assert.match(writeGuard(`/w/p/${name}`, '/w/p', 'posix') ?? '', /^[A-Z].*\.$/);
  });
}

const openInside = [
  '.aws/task-definition.json',
  '.docker/nginx/default.conf',
  'scripts/activate-user.ts',
  'src/activate.ts',
  'bin/activateAll',
  'src/profile.ts',
  'docs/hg/x.md',
  'ssh/config',
  'home/u/bin/x',
  'mnt/c/Windows/x',
  'proc/self/environ',
];
for (const name of openInside) {
  test(`writing ${name} in a project is not asked`, () => {
    assert.equal(writeGuard(`/w/p/${name}`, '/w/p', 'posix'), null);
  });
}

const programs: readonly (readonly [Platform, string])[] = [
  ['posix', '/home/u/bin/git'],
  ['posix', '/home/u/go/bin/gopls'],
  ['darwin', '/Users/u/bin/git'],
  ['posix', '/root/bin/x'],
  ['posix', '/home/u/.pyenv/shims/python'],
  ['posix', '/mnt/c/Windows/System32/x.dll'],
  ['posix', '/mnt/c/Program Files (x86)/x/y.exe'],
  ['win32', '\\\\localhost\\C$\\Windows\\System32\\x.dll'],
  ['win32', '\\\\server\\d$\\ProgramData\\x'],
];
for (const [platform, file] of programs) {
  test(`writing the program ${file} is asked, reading it not specially`, () => {
    assert.notEqual(writeGuard(file, null, platform), null);
    assert.equal(privateGuard(file, null, platform), null);
  });
}

const secrets: readonly (readonly [Platform, string])[] = [
  ['posix', '/etc/shadow'],
  ['posix', '/etc/gshadow-'],
  ['posix', '/etc/ssh/ssh_host_ed25519_key'],
  ['posix', '/run/secrets/db'],
  ['posix', '/var/run/secrets/kubernetes.io/serviceaccount/token'],
  ['posix', '/proc/4711/environ'],
  ['posix', '/proc/4711/task/4712/environ'],
  ['posix', '/other/production.env'],
  ['posix', '/home/u/.cache/huggingface/token'],
  ['posix', '/home/u/.thunderbird/x.default/logins.json'],
  ['darwin', '/Users/u/Library/Messages/chat.db'],
  ['darwin', '/Users/u/Library/Group Containers/2BUA8C4S2C.com.1password/x'],
  ['win32', 'C:\\Users\\u\\AppData\\Roaming\\GitHub CLI\\hosts.yml'],
  ['win32', 'C:\\Users\\u\\AppData\\Roaming\\Microsoft\\UserSecrets\\x\\secrets.json'],
];
for (const [platform, file] of secrets) {
  test(`${file} is a secret, and asked for each time`, () => {
    assert.equal(isSecret(file, null, platform), true);
    assert.match(privateGuard(file, null, platform) ?? '', /^[A-Z].*\.$/);
  });
}

test('settings of the system are asked for, and are no secrets', () => {
  for (const file of ['/etc/hosts', '/etc/ssh/sshd_config', '/proc/cpuinfo', '/etc/passwd']) {
    assert.notEqual(privateGuard(file, null, 'posix'), null, file);
    assert.equal(isSecret(file, null, 'posix'), false, file);
  }
});

test("macOS' second name of its disk leads to the same questions", () => {
  assert.notEqual(privateGuard('/System/Volumes/Data/private/etc/hosts', null, 'darwin'), null);
  assert.notEqual(writeGuard('/System/Volumes/Data/Users/u/x', null, 'darwin'), null);
});

test('macOS has ways of naming files that step past their names, and they are no paths', () => {
  for (const text of [
    '/.nofollow/etc/passwd',
    '/.resolve/1/etc/passwd',
    '/.file/id=6571367.2',
    '/.VOL/1/2',
    '/w/../.nofollow/x',
    '/.nofollow',
  ]) {
    assert.equal(readPath(text, 'darwin').path, null, text);
    assert.notEqual(readPath(text, 'posix').path, null, text);
  }
  assert.equal(readPath('/w/.nofollow/x', 'darwin').path, '/w/.nofollow/x');
  assert.equal(readPath('/.files/x', 'darwin').path, '/.files/x');
});

test('each system has its own letters for one name, and a guard knows them all', () => {
  for (const name of [
    '.\u212aube/config', // The Kelvin sign.
    '.\u212aUBE/CONFIG',
    '.\u017f\u017fh/config', // The long s.
    '.vſcode/settings.json',
    '.v\u200dscode/tasks.json',
    '\ufeff.git/config',
    '.gi\u206ft/config',
    'a.code-wor\u212aspace',
    '.env\u202e.local',
    '.g\u0131t. ./config',
  ]) {
    for (const platform of ['posix', 'darwin'] as const) {
      assert.notEqual(writeGuard(`/w/${name}`, '/w', platform), null, JSON.stringify(name));
    }
  }
});

const guarded = ['.git/config', '.vscode/tasks.json', '.husky/x', '.ssh/config', '.env.local'];
const IGNORED = ['\u200c', '\u200d', '\u202a', '\u206f', '\ufeff'];

test('no spelling of a guarded place, at whatever depth, is written unasked', () => {
  let state = 11;
  const below = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  for (let round = 0; round < 2_000; round++) {
    const plain = guarded[below(guarded.length)] ?? '';
    const respelled = Array.from(plain, (letter) => {
      const cased = below(2) === 0 ? letter.toUpperCase() : letter;
      return below(8) === 0 ? cased + (IGNORED[below(IGNORED.length)] ?? '') : cased;
    });
    const above = Array.from({ length: below(6) }, () => ['a', 'src', '.x', 'git'][below(4)]);
    const file = `/w/${[...above, respelled.join('')].join('/')}`;
    for (const platform of ['posix', 'darwin'] as const) {
      assert.notEqual(writeGuard(file, '/w', platform), null, JSON.stringify(file));
    }
    const windows = `C:${file.replaceAll('/', '\\')}`;
    assert.notEqual(writeGuard(windows, 'C:\\w', 'win32'), null, JSON.stringify(windows));
  }
});
