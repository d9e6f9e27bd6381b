import assert from 'node:assert/strict';
import { test } from 'node:test';
import { privateGuard, writeGuard } from '../../../src/client/files/guarded.ts';

const askedInside = [
  '.git/config',
  '.git',
  '.git/hooks/pre-commit',
  'sub/.git/config',
  'deep/er/.git/x',
  '.GIT/config',
  '.Git/hooks/x',
  '.g\u200cit/config',
  '.gıt/config',
  '.git./config',
  '.git /config',
  'bare.git/hooks/update',
  'bare.git/config',
  'bare/hooks/post-receive',
  'bare/HEAD',
  '.gitmodules',
  '.husky/pre-commit',
  '.vscode/settings.json',
  '.VSCode/tasks.json',
  'a/.vscode/launch.json',
  'x.code-workspace',
  'X.CODE-WORKSPACE',
  '.idea/runConfigurations/a.xml',
  '.devcontainer/devcontainer.json',
  '.devcontainer.json',
  '.mcp.json',
  'a/.mcp.json',
  '.claude/settings.json',
  '.claude/hooks/x.sh',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.cursor/mcp.json',
  '.kimi/config.toml',
  '.kimi-code/config.toml',
  '.qwen/settings.json',
  '.opencode/plugin/x.ts',
  'opencode.json',
  'opencode.jsonc',
  '.clinerules/x.md',
  '.cline/a',
  '.roo/mcp.json',
  '.roomodes',
  '.env',
  '.env.local',
  '.ENV',
  '.envrc',
  'a/b/.env.production',
  '.npmrc',
  '.yarnrc.yml',
  '.cargo/config.toml',
  '.bashrc',
  '.zshrc',
  'home/.profile',
  '.pre-commit-config.yaml',
  // Worktrees of a project in an agent's folder are guarded as the project is, no less.
  '.claude/worktrees/a/.git',
  '.claude/worktrees/a/.env',
  '.claude/worktrees/a',
  '.claude/worktrees',
];
const openInside = [
  'src/a.ts',
  'AGENTS.md',
  'CLAUDE.md',
  'README.md',
  'git/config',
  'a.git.ts',
  '.gitignore',
  '.github/workflows/ci.yml',
  'environment.ts',
  'env',
  'src/env.ts',
  'vscode/settings.json',
  'package.json',
  'claude/settings.json',
  'hooks/useThing.ts',
  'src/hooks/index.ts',
  'header',
  'model.pth',
  'src/mcp/index.ts',
  'cert.pem',
  'docs/ssh/x.md',
  'etc/passwd',
  'usr/bin/x',
  'proc/x',
  '.claude/worktrees/a/src/x.ts',
];
for (const name of askedInside) {
  test(`writing ${JSON.stringify(name)} in a project is asked`, () => {
    assert.match(writeGuard(`/w/p/${name}`, '/w/p', 'posix') ?? '', /^[A-Z].*\.$/);
    const windows = `C:\\w\\p\\${name.replaceAll('/', '\\')}`;
    assert.notEqual(writeGuard(windows, 'C:\\w\\p', 'win32'), null);
  });
}
for (const name of openInside) {
  test(`writing ${name} in a project is not asked`, () => {
    assert.equal(writeGuard(`/w/p/${name}`, '/w/p', 'posix'), null);
  });
}

const askedOutside = [
  '/home/u/.bashrc',
  '/home/u/.zshrc',
  '/home/u/.zshenv',
  '/home/u/.profile',
  '/home/u/.bash_profile',
  '/home/u/.config/fish/config.fish',
  '/home/u/.ssh',
  '/home/u/.ssh/id_ed25519',
  '/home/u/.SSH/config',
  '/home/u/.ſsh/config',
  '/root/.ssh/authorized_keys',
  '/home/u/.gnupg/x',
  '/home/u/.aws/credentials',
  '/home/u/.config/gh/hosts.yml',
  '/home/u/keys/server.pem',
  '/x/id_rsa',
  '/x/id_ed25519.pub',
  '/home/u/.config/autostart/a.desktop',
  '/Users/u/Library/LaunchAgents/a.plist',
  '/Users/u/Library/Keychains/login.keychain-db',
  '/home/u/.config/systemd/user/a.service',
  '/var/spool/cron/crontabs/u',
  '/etc/passwd',
  '/etc',
  '/private/etc/hosts',
  '/proc/self/environ',
  '/dev/sda',
  '/home/u/.netrc',
  '/home/u/.docker/config.json',
  '/home/u/.kube/config',
  '/home/u/.mozilla/firefox/a/logins.json',
  '/home/u/.config/google-chrome/Default/Cookies',
  '/home/u/.bash_history',
  '/home/u/.git-credentials',
  '/home/u/.claude/.credentials.json',
  '/home/u/.codex/auth.json',
  '/other/project/.env',
  '/Users/u/Library/Application Support/Google/Chrome/Default/Cookies',
  '/home/u/.config/Code/User/globalStorage/x',
];
for (const file of askedOutside) {
  test(`even reading ${file} outside of the walls is asked`, () => {
    assert.match(privateGuard(file, null, 'posix') ?? '', /^[A-Z].*\.$/);
  });
}

const askedOnWindows = [
  'C:\\Users\\u\\.ssh\\id_rsa',
  'C:\\Users\\u\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1',
  'C:\\Users\\u\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\a.bat',
  'C:\\ProgramData\\Microsoft\\Windows\\Start Menu\\Programs\\StartUp\\a.bat',
  'C:\\Users\\u\\AppData\\Local\\Google\\Chrome\\User Data\\Default\\Login Data',
  'C:\\Users\\u\\AppData\\Roaming\\Microsoft\\Credentials\\x',
  'C:\\Windows\\System32\\Tasks\\x',
  '\\\\server\\home\\.ssh\\id_rsa',
];
for (const file of askedOnWindows) {
  test(`even reading ${file} is asked`, () => {
    assert.notEqual(privateGuard(file, null, 'win32'), null);
  });
}

test('parts of the system are written after a question, and read without a special one', () => {
  for (const file of ['/usr/include/stdio.h', '/usr/lib/x.so', '/home/u/.local/bin/x']) {
    assert.notEqual(writeGuard(file, null, 'posix'), null, file);
    assert.equal(privateGuard(file, null, 'posix'), null, file);
  }
  assert.notEqual(writeGuard('C:\\Windows\\win.ini', null, 'win32'), null);
  assert.equal(privateGuard('C:\\Windows\\win.ini', null, 'win32'), null);
});

test('an ordinary file outside has no special question', () => {
  for (const file of ['/home/u/notes.txt', '/tmp/a', '/data/set.csv', '/home/u/other/src/a.ts']) {
    assert.equal(privateGuard(file, null, 'posix'), null, file);
    assert.equal(writeGuard(file, null, 'posix'), null, file);
  }
});

test('a folder that was opened counts only by what lies below it', () => {
  // Somebody has opened a checkout that an agent's worktree, or the system's settings, is.
  assert.equal(writeGuard('/etc/nginx/nginx.conf', '/etc/nginx', 'posix'), null);
  assert.equal(writeGuard('/p/.codex/x/src/a.ts', '/p/.codex/x', 'posix'), null);
  assert.notEqual(writeGuard('/p/.codex/x/.git/config', '/p/.codex/x', 'posix'), null);
  // What makes it guarded begins above the folder and ends below it.
  assert.notEqual(privateGuard('/home/u/.config/gh/hosts.yml', '/home/u/.config', 'posix'), null);
});

test("Windows' short name of .git is .git there", () => {
  assert.notEqual(writeGuard('C:\\w\\GIT~1\\config', 'C:\\w', 'win32'), null);
  assert.equal(writeGuard('/w/GIT~1/config', '/w', 'posix'), null);
});

test('a path of thousands of names is looked through in bounded time', () => {
  const started = performance.now();
  writeGuard(`/${'a/'.repeat(2_000)}b`, null, 'posix');
  assert.ok(performance.now() - started < 1_000);
});
