import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { setImmediate as breath } from 'node:timers/promises';

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the platform does not tell. */
  readonly session: number;
  /** The value of the variable that was asked for; `undefined` where it has none, or the platform does not tell. */
  readonly mark: string | undefined;
}

/** Processes that are looked at before others get a turn. */
const BATCH = 40;

/**
 * Who runs on this machine. On Linux with sessions and with a variable of its environment, on macOS with parents and
 * groups; empty elsewhere, and where it cannot be told. Zombies are left out.
 */
export class ProcessTable {
  private found = false;
  private running: Promise<readonly ProcessEntry[]> | undefined;
  private next: Promise<readonly ProcessEntry[]> | undefined;

  /** @param variable The name of the variable by which processes are marked. */
  constructor(private readonly variable: string) {}

  /** Whether the last look has found everybody who runs. */
  get tellsAll(): boolean {
    return this.found;
  }

  /** A look that begins after the call; many that ask at the same time share one. Never rejects. */
  look(): Promise<readonly ProcessEntry[]> {
    if (this.running === undefined) {
      this.running = this.read().finally(() => {
        this.running = undefined;
      });
      return this.running;
    }
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.look();
    });
    return this.next;
  }

  /** The same at once, for the last moments of our own process. Linux only; empty elsewhere. */
  lookNow(): readonly ProcessEntry[] {
    if (process.platform !== 'linux') return [];
    return linuxPids().flatMap((pid) => linuxEntry(pid, this.variable) ?? []);
  }

  private async read(): Promise<readonly ProcessEntry[]> {
    if (process.platform === 'darwin') return readPs();
    if (process.platform !== 'linux') return [];
    const entries: ProcessEntry[] = [];
    for (const [n, pid] of linuxPids().entries()) {
      if (n % BATCH === BATCH - 1) await breath();
      const entry = linuxEntry(pid, this.variable);
      if (entry !== undefined) entries.push(entry);
    }
    this.found = entries.length > 0;
    return entries;
  }
}

/** Whether a process runs: a zombie does not. */
export function runs(pid: number): boolean {
  if (process.platform === 'linux') return linuxState(pid) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function linuxPids(): number[] {
  try {
    return fs.readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function linuxEntry(pid: number, variable: string): ProcessEntry | undefined {
  const numbers = linuxState(pid);
  if (numbers === undefined) return undefined;
  const [parent = 0, group = 0, session = 0] = numbers;
  return { pid, parent, group, session, mark: linuxMark(pid, variable) };
}

/** Parent, group and session of a process; `undefined` for one that is not there, or a zombie. */
function linuxState(pid: number): readonly number[] | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold anything.
    const [state, ...numbers] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 4);
    return state === undefined || 'ZX'.includes(state) ? undefined : numbers.map(Number);
  } catch {
    return undefined;
  }
}

function linuxMark(pid: number, variable: string): string | undefined {
  try {
    const environment = `\0${fs.readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
    const at = environment.indexOf(`\0${variable}=`);
    if (at < 0) return undefined;
    const from = at + variable.length + 2;
    const end = environment.indexOf('\0', from);
    return environment.slice(from, end < 0 ? undefined : end);
  } catch {
    // Somebody else's process, or one that has just ended.
    return undefined;
  }
}

function readPs(): Promise<readonly ProcessEntry[]> {
  return new Promise((resolve) => {
    execFile(
      '/bin/ps',
      ['-axo', 'pid=,ppid=,pgid=,stat='],
      { maxBuffer: 8 << 20 },
      (_error, stdout) => {
        resolve(entriesOfPs(stdout));
      },
    );
  });
}

/** Lines of `ps -axo pid=,ppid=,pgid=,stat=`. */
export function entriesOfPs(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+[^Z\s]/.exec(line) ?? [];
    if (pid === undefined) return [];
    const [own, up, led] = [pid, parent, group].map(Number);
    return [{ pid: own ?? 0, parent: up ?? 0, group: led ?? 0, session: 0, mark: undefined }];
  });
}
