import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

/** Milliseconds between two signs of life. */
const BEAT = 10_000;

/** A lock without a sign of life for so long belongs to nobody: milliseconds. */
const STALE_AFTER = 60_000;

/** A lock without an owner in it may be one that is just being written, for so many milliseconds. */
const WRITING = 2_000;

/** Two clocks of one process agree to so many milliseconds. */
const SAME_START = 2_000;

interface Owner {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** When the process started, milliseconds since the epoch: the number of a dead process comes back. */
  readonly startedAt: number;
}

/**
 * Makes one window the only one that writes a chat: a file that only one can create. One whose owner is gone is taken
 * over.
 */
export class ChatLock {
  private readonly beat: NodeJS.Timeout;
  private seenAt = Date.now();
  private lost = false;

  private constructor(
    private readonly file: string,
    private readonly token: string,
  ) {
    this.beat = setInterval(() => {
      this.renew();
    }, BEAT);
    this.beat.unref();
  }

  /** @returns The lock, or `null` while another window has it. Throws if the folder cannot be written. */
  static take(file: string): ChatLock | null {
    const token = randomUUID();
    if (create(file, token)) return new ChatLock(file, token);
    const owner = read(file);
    if (isAlive(file, owner)) return null;
    if (!moveAway(file, owner, token)) return null;
    return create(file, token) ? new ChatLock(file, token) : null;
  }

  /** Whether somebody has the lock now. */
  static isHeld(file: string): boolean {
    return isAlive(file, read(file));
  }

  /** False once another window took the lock, which can happen only after this one slept for long. */
  isOurs(): boolean {
    if (!this.lost && Date.now() - this.seenAt > 2 * BEAT) this.renew();
    return !this.lost;
  }

  release(): void {
    clearInterval(this.beat);
    if (read(this.file)?.token === this.token) fs.rmSync(this.file, { force: true });
  }

  private renew(): void {
    if (read(this.file)?.token !== this.token) {
      this.lost = true;
      clearInterval(this.beat);
      return;
    }
    const now = new Date();
    try {
      fs.utimesSync(this.file, now, now);
      this.seenAt = now.getTime();
    } catch {
      // The next beat tries again; a lock that cannot be renewed at all grows stale and is found lost.
    }
  }
}

function create(file: string, token: string): boolean {
  const owner: Owner = {
    token,
    pid: process.pid,
    host: os.hostname(),
    startedAt: startOfProcess(),
  };
  try {
    fs.writeFileSync(file, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): Owner | null {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return isOwner(value) ? value : null;
  } catch {
    return null;
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === 'object' &&
    value !== null &&
    'token' in value &&
    typeof value.token === 'string' &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'host' in value &&
    typeof value.host === 'string' &&
    'startedAt' in value &&
    typeof value.startedAt === 'number'
  );
}

function isAlive(file: string, owner: Owner | null): boolean {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const age = Date.now() - stat.mtimeMs;
  if (age > STALE_AFTER) return false;
  // Created and not yet written, or torn by a crash.
  if (owner === null) return age < WRITING;
  if (owner.host !== os.hostname()) return true;
  if (owner.pid === process.pid) return Math.abs(owner.startedAt - startOfProcess()) < SAME_START;
  return isRunning(owner.pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function startOfProcess(): number {
  return Date.now() - process.uptime() * 1_000;
}

/**
 * Takes a dead lock off its name. Two windows may try at once: the slower one then holds the fresh lock of the quicker
 * one in its hands, sees that, and puts it back.
 */
function moveAway(file: string, dead: Owner | null, token: string): boolean {
  const aside = `${file}.${token}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    // Somebody else was quicker, or it was released: both are for the next try.
    return !fs.existsSync(file);
  }
  const moved = read(aside);
  if (moved?.token !== dead?.token) {
    try {
      fs.linkSync(aside, file);
    } catch {
      // A third one has created the lock meanwhile: it stands, and the one in our hands finds itself lost.
    }
    fs.rmSync(aside, { force: true });
    return false;
  }
  fs.rmSync(aside, { force: true });
  return true;
}
