import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { setImmediate as breath } from 'node:timers/promises';
import { heldPipes } from './heldPipes.ts';

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the platform does not tell. */
  readonly session: number;
  /** The value of the variable that was asked for; `undefined` where it has none, or the platform does not tell. */
  readonly mark: string | undefined;
  /** When it began, in the platform's own measure; 0 where it does not tell. With it a number is known again. */
  readonly started: number;
  /** The named pipes of ours that it holds for writing, as `heldPipe` names them. Only of who carries no mark. */
  readonly holds: readonly string[];
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

  /**
   * @param variable The name of the variable by which processes are marked.
   * @param pipes What the names of all pipes hold by which processes are known too; none if it is ''.
   */
  constructor(
    private readonly variable: string,
    private readonly pipes = '',
  ) {}

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
    return linuxPids().flatMap((pid) => linuxEntry(pid, this.variable, this.pipes) ?? []);
  }

  private async read(): Promise<readonly ProcessEntry[]> {
    if (process.platform === 'darwin') return readPs();
    if (process.platform !== 'linux') return [];
    const entries: ProcessEntry[] = [];
    for (const [n, pid] of linuxPids().entries()) {
      if (n % BATCH === BATCH - 1) await breath();
      const entry = linuxEntry(pid, this.variable, this.pipes);
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

/** When a process began, as its entry has it, also of one that has just ended; 0 where that cannot be told. */
export function startOf(pid: number): number {
  return process.platform === 'linux' ? (linuxStat(pid)?.state.started ?? 0) : 0;
}

/** Whether it still runs, and its number has not been given to another one, as far as the platform tells. */
export function stillRuns({ pid, started }: ProcessEntry): boolean {
  if (process.platform !== 'linux') return runs(pid);
  return linuxState(pid)?.started === started;
}

function linuxPids(): number[] {
  try {
    return fs.readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function linuxEntry(pid: number, variable: string, pipes: string): ProcessEntry | undefined {
  const state = linuxState(pid);
  if (state === undefined) return undefined;
  const mark = linuxMark(pid, variable);
  // Who began before us was not started by us: most of a machine need not be looked into.
  const asked = pipes !== '' && mark === undefined && state.started >= ourStart();
  return { pid, ...state, mark, holds: asked ? heldPipes(pid, pipes) : [] };
}

type LinuxState = Pick<ProcessEntry, 'parent' | 'group' | 'session' | 'started'>;

/** `undefined` for a process that is not there, or a zombie. */
function linuxState(pid: number): LinuxState | undefined {
  const stat = linuxStat(pid);
  return stat?.isZombie === false ? stat.state : undefined;
}

/** Of any process that still has its number; `isZombie`: it has ended, and its parent has not heard of it yet. */
function linuxStat(
  pid: number,
): { readonly state: LinuxState; readonly isZombie: boolean } | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold anything.
    const [letter, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
    if (letter === undefined) return undefined;
    const numbers = rest.map(Number);
    const [parent = 0, group = 0, session = 0] = numbers;
    const state = { parent, group, session, started: numbers[18] ?? 0 };
    return { state, isZombie: 'ZX'.includes(letter) };
  } catch {
    return undefined;
  }
}

let began: number | undefined;

function ourStart(): number {
  return (began ??= linuxState(process.pid)?.started ?? 0);
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
    const rest = { session: 0, mark: undefined, started: 0, holds: [] };
    return [{ pid: own ?? 0, parent: up ?? 0, group: led ?? 0, ...rest }];
  });
}
