import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A variable of the agent's environment that its descendants inherit: on Linux they are found by it. */
export const MARK = 'PARLEY_CONFORMANCE_RUN';

const windows = process.platform === 'win32';
/** Milliseconds between SIGTERM and SIGKILL, and between two looks. */
const PATIENCE_MS = 1_000;
const LOOK_MS = 20;

/** Whether anybody of the process's group, or anybody who inherited its mark, is alive. On Windows: not known, `false`. */
export function isTreeAlive(pid: number, mark: string): boolean {
  return !windows && (signal(-pid, 0) || marked(mark).length > 0);
}

/** Ends a process and all that it has started, those in other groups too where they can be found. Never rejects. */
export async function endTree(pid: number, mark: string): Promise<void> {
  if (windows) {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], {
      stdio: 'ignore',
      windowsHide: true,
    });
    return;
  }
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isTreeAlive(pid, mark)) return;
    signalTree(pid, mark, name);
    const deadline = Date.now() + PATIENCE_MS;
    while (isTreeAlive(pid, mark) && Date.now() < deadline) await delay(LOOK_MS);
  }
}

function signalTree(pid: number, mark: string, name: NodeJS.Signals): void {
  signal(-pid, name);
  for (const other of marked(mark)) signal(other, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Living processes that carry the mark. Other platforms than Linux do not tell. */
function marked(mark: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  const wanted = `${MARK}=${mark}`;
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // One that has ended and waits for its parent has no environment left.
      const environment = fs.readFileSync(`/proc/${name}/environ`, 'latin1');
      return environment.split('\0').includes(wanted) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
