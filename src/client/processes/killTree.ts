import { spawn, spawnSync } from 'node:child_process';

const windows = process.platform === 'win32';

/**
 * Signals a process that leads its own group, and all of the group: agents start children that outlive them. On Windows
 * there are no signals: the tree is ended at once, whatever the signal.
 * @returns False if nobody of the group is left (on Windows: not known, always true).
 */
export function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (!windows) return signalGroup(pid, signal);
  const taskkill = spawn('taskkill', windowsArguments(pid), { stdio: 'ignore', windowsHide: true });
  // A missing taskkill must not end our own process; there is nothing else to try.
  taskkill.on('error', () => undefined);
  return true;
}

/** The same with SIGKILL, done when it returns: for the last moments of our own process. */
export function killTreeNow(pid: number): void {
  if (windows) spawnSync('taskkill', windowsArguments(pid), { stdio: 'ignore', windowsHide: true });
  else signalGroup(pid, 'SIGKILL');
}

/** Is anybody of the group left? On Windows: false, since `taskkill` ends the whole tree with its root. */
export function treeAlive(pid: number): boolean {
  return !windows && signalGroup(pid, 0);
}

function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

function windowsArguments(pid: number): string[] {
  return ['/pid', String(pid), '/T', '/F'];
}
