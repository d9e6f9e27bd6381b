import { constants, readlinkSync, type BigIntStats } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, SystemError } from './faults.ts';

/**
 * How it is made sure that what is opened lies where the walls judged it, whatever is renamed or linked meanwhile.
 *
 * - `handles` (Linux): the kernel itself tells where an opened file lies (`/proc/self/fd`), and writing happens relative to
 *   the handle of a folder that was checked so. A link that comes in between check and use leads nowhere.
 * - `paths` (macOS, Windows, Linux without `/proc`): the real path is looked up after opening, twice, and the opened file
 *   must be the one that is there. Somebody would have to put a link there and take it away several times, between the
 *   right calls, to be overlooked. A new file can, for the moment between two calls, be made in a folder that a link has
 *   put there; the write is then refused, and the temporary file removed if the link is still there. No file that exists
 *   elsewhere is ever changed.
 */
export type Footing = 'handles' | 'paths';

export function footingOf(platform: NodeJS.Platform): Footing {
  return platform === 'linux' ? 'handles' : 'paths';
}

/** An opened file, and what was known of it before its first byte was read. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stat: BigIntStats;
}

/** Without waiting for the other end of a pipe, and never through a link. */
const CAREFULLY = constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** For `open`: a file that nobody has made before, and that no link leads to. */
export const NEW_FILE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** How often a file is opened anew that is being replaced by newer ones. */
const TRIES = 5;

/**
 * Opens a regular file exactly at its real path, for reading. Rejects with the system's error, or one like it for a
 * folder, a special file, and a place that a link has taken. Nothing but regular files is ever opened.
 */
export async function openFile(real: string, footing: Footing): Promise<OpenedFile> {
  for (let tries = 0; tries < TRIES; tries++) {
    refuseOther(await fs.lstat(real, { bigint: true }));
    const handle = await fs.open(real, constants.O_RDONLY | CAREFULLY);
    try {
      const stat = await handle.stat({ bigint: true });
      refuseOther(stat);
      if (await liesAt(handle, stat, real, footing)) return { handle, stat };
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
  }
  throw new SystemError('ELOOP');
}

/**
 * Closes what was only read. There is nothing to wait for, but on Windows, where a file that is open cannot be replaced.
 */
export async function letGo(handle: FileHandle): Promise<void> {
  const closed = handle.close().catch(() => undefined);
  if (process.platform === 'win32') await closed;
}

/** Throws, as the system would, unless it is a regular file. */
export function refuseOther(stat: BigIntStats): void {
  if (stat.isFile()) return;
  if (stat.isDirectory()) throw new SystemError('EISDIR');
  throw new SystemError(stat.isSymbolicLink() ? 'ELOOP' : 'ENXIO');
}

/** A folder that was checked to be where it should be; what is in it is reached through it. */
export class RealFolder {
  private constructor(
    readonly real: string,
    private readonly footing: Footing,
    private readonly handle: FileHandle | null,
  ) {}

  /** @param create Whether it, and the folders above it, are made where they do not exist. */
  static async open(real: string, footing: Footing, create: boolean): Promise<RealFolder> {
    try {
      return await RealFolder.openThere(real, real, footing);
    } catch (error) {
      if (!create || codeOf(error) !== 'ENOENT' || path.dirname(real) === real) throw error;
    }
    const parent = await RealFolder.open(path.dirname(real), footing, true);
    try {
      const inside = parent.path(path.basename(real));
      await fs.mkdir(inside).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      return await RealFolder.openThere(inside, real, footing);
    } finally {
      await parent.close();
    }
  }

  private static async openThere(at: string, real: string, footing: Footing): Promise<RealFolder> {
    const handle = process.platform === 'win32' ? null : await openFolder(at);
    const folder = new RealFolder(real, footing, handle);
    try {
      await folder.check();
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  /** How a file in the folder is reached, wherever links lead by now. */
  path(name: string): string {
    if (this.footing === 'handles' && this.handle !== null) {
      return `/proc/self/fd/${this.handle.fd}/${name}`;
    }
    return path.join(this.real, name);
  }

  /** Rejects if the folder is no more where it was. */
  async check(): Promise<void> {
    const there =
      this.footing === 'handles' && this.handle !== null
        ? placeOf(this.handle)
        : await fs.realpath(this.real);
    if (there === null || !samePath(there, this.real)) throw new SystemError('ELOOP');
  }

  /** Makes durable what was made, renamed or removed in it, where the system can. */
  async sync(): Promise<void> {
    // Some file systems know no such thing; what they keep is theirs to say.
    await this.handle?.sync().catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.handle !== null) await letGo(this.handle);
  }
}

/**
 * Whether following a path, also one to a file that does not exist yet, leads to `real`. For what opens the path itself, as
 * the editor does.
 */
export async function leadsTo(file: string, real: string): Promise<boolean> {
  try {
    return samePath(await fs.realpath(file), real);
  } catch (error) {
    const isTop = path.dirname(file) === file;
    if (codeOf(error) !== 'ENOENT' || isTop) return false;
    if (await isThere(file)) return false;
    return (
      samePath(path.basename(file), path.basename(real)) &&
      leadsTo(path.dirname(file), path.dirname(real))
    );
  }
}

async function openFolder(at: string): Promise<FileHandle> {
  try {
    return await fs.open(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // The system finds first that a link is no folder.
    const stat = await fs.lstat(at);
    throw stat.isSymbolicLink() ? new SystemError('ELOOP') : error;
  }
}

/** A link to nowhere is there, too. */
async function isThere(file: string): Promise<boolean> {
  return fs.lstat(file).then(
    () => true,
    () => false,
  );
}

async function liesAt(
  handle: FileHandle,
  stat: BigIntStats,
  real: string,
  footing: Footing,
): Promise<boolean> {
  if (footing === 'handles') {
    const there = placeOf(handle);
    // Replaced by a newer one since it was opened: it was there all the same.
    if (there !== null) return there === real || there === `${real} (deleted)`;
  }
  // Twice, so that a link would have to come and go several times in between to be overlooked.
  for (let looks = 0; looks < 2; looks++) {
    if (!samePath(await fs.realpath(real).catch(() => ''), real)) return false;
    const now = await fs.lstat(real, { bigint: true }).catch(() => null);
    if (now?.dev !== stat.dev || now.ino !== stat.ino) return false;
  }
  return true;
}

/** Where the kernel says that it lies; `null` if it does not say. No disk is asked for this, so that nothing waits. */
function placeOf(handle: FileHandle): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${handle.fd}`);
  } catch {
    return null;
  }
}

/** Windows and macOS do not tell case apart, and macOS not how accents are composed. */
function samePath(one: string, other: string): boolean {
  return one === other || (process.platform !== 'linux' && folded(one) === folded(other));
}

function folded(file: string): string {
  return file.normalize('NFC').toLowerCase();
}
