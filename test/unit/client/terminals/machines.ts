import assert from 'node:assert/strict';
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

export const POSIX: Machine = {
  platform: 'posix',
  shell: '/bin/bash',
  env: { PATH: '/usr/bin:/bin', HOME: '/home/me' },
  exists: (path) => FILES.has(path),
};
export const DARWIN: Machine = { ...POSIX, platform: 'darwin', shell: '/bin/zsh' };
export const WINDOWS: Machine = {
  platform: 'win32',
  shell: 'C:\\Windows\\System32\\cmd.exe',
  env: {
    Path: 'C:\\Windows\\System32;"C:\\Program Files\\Git\\cmd";C:\\Program Files\\nodejs;relative;C:\\Tools',
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    ComSpec: 'C:\\Windows\\System32\\cmd.exe',
  },
  exists: (path) => WINDOWS_FILES.includes(path.toLowerCase()),
};

export function resolve(
  command: string,
  args: readonly string[],
  machine: Machine,
  rest: Partial<CommandRequest> = {},
) {
  const cwd = machine.platform === 'win32' ? 'C:\\work' : '/work';
  return resolveCommand({ command, args, env: [], cwd, ...rest }, machine);
}

export function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof RequestError, String(error));
    return error.message;
  }
  return assert.fail('it was not refused');
}
