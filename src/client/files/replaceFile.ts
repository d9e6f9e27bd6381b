import { constants, type BigIntStats } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../ports.ts';
import { isSame, type DiskContent } from './diskFile.ts';
import { codeOf, SystemError } from './faults.ts';
import { temporaryName, type Leftovers } from './leftovers.ts';
import { overwrite, writeAll } from './overwriteFile.ts';
import { NEW_FILE, RealFolder, refuseOther, type Footing } from './realFolder.ts';

/** The calls to the system that tests let fail. */
export interface DiskCalls {
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Writes all bytes from the file's beginning. */
  readonly write: (handle: FileHandle, bytes: Uint8Array) => Promise<void>;
}

export const SYSTEM_CALLS: DiskCalls = {
  rename: (from, to) => fs.rename(from, to),
  write: writeAll,
};

export interface Replacing {
  readonly footing: Footing;
  readonly platform: NodeJS.Platform;
  readonly calls: DiskCalls;
  readonly log: Log;
  /** Removes what earlier writes have left in the folder; `null`: nothing is removed. */
  readonly leftovers: Leftovers | null;
}

/** Where a new file cannot take the old one's place, or not without losing what is the old one's. */
const NO_REPLACING = new Set(['EXDEV', 'EACCES', 'EBUSY', 'EPERM', 'ENOTSUP']);
/** Virus scanners and indexers on Windows hold a file for moments. */
const RENAME_TRIES = 10;
const RENAME_PAUSE_MS = 20;
const PERMISSIONS = 0o7777n;
const ANY_WRITE = 0o222n;

/**
 * Puts bytes in the place of a file, or makes it, its folders too. After a crash there is the old file or the new one:
 * the bytes go to a new file in the same folder first, are made durable there, and take the old one's place by a rename.
 * Mode and owner stay; extended attributes do not. Where a rename cannot do it (other names are linked to the file, the
 * folder takes no new files, the owner cannot be kept, the file is a mount point), the file is overwritten, see
 * `overwrite`, and the log says so.
 * @param real Where the file really is.
 * @param before What was found there; `null`: nothing.
 * @param isCurrent Asked at the last moment.
 * @returns False if something else is there by now, or `isCurrent` says no: nothing was changed then. Rejects with the
 *   system's error; the file is as it was then.
 */
export async function replaceFile(
  real: string,
  bytes: Uint8Array,
  before: DiskContent | null,
  isCurrent: () => boolean,
  how: Replacing,
): Promise<boolean> {
  const [folder, refusal] = await Promise.all([
    RealFolder.open(path.dirname(real), how.footing, before === null),
    before === null ? null : refusalOf(real, before.stat, how.platform),
  ]);
  try {
    if (refusal !== null) throw refusal;
    const target = folder.path(path.basename(real));
    const stillRight = async (): Promise<boolean> =>
      (await isAsFound(target, before)) && isCurrent();
    if (before === null) return await put(folder, target, bytes, null, stillRight, how);
    if (before.stat.nlink > 1n) {
      if (!(await stillRight())) return false;
      return await inPlace(folder, target, bytes, before, 'it has several names', how);
    }
    try {
      return await put(folder, target, bytes, before.stat, stillRight, how);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || !NO_REPLACING.has(code) || !(await stillRight())) throw error;
      return await inPlace(folder, target, bytes, before, code, how);
    }
  } finally {
    await folder.close();
  }
}

/** Throws, as the system would, where a file must not be written: a rename would not notice. */
export async function refuseReadOnly(
  file: string,
  stat: BigIntStats,
  platform: NodeJS.Platform,
): Promise<void> {
  if ((stat.mode & ANY_WRITE) === 0n) throw new SystemError('EACCES');
  // What `access` says on Windows is the mode again.
  if (platform !== 'win32') await fs.access(file, constants.W_OK);
}

function refusalOf(
  file: string,
  stat: BigIntStats,
  platform: NodeJS.Platform,
): Promise<Error | null> {
  return refuseReadOnly(file, stat, platform).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
}

async function isAsFound(target: string, before: DiskContent | null): Promise<boolean> {
  const now = await fs.lstat(target, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (now !== null) refuseOther(now);
  if (now === null || before === null) return now === null && before === null;
  return isSame(now, before.stat);
}

async function put(
  folder: RealFolder,
  target: string,
  bytes: Uint8Array,
  old: BigIntStats | null,
  stillRight: () => Promise<boolean>,
  how: Replacing,
): Promise<boolean> {
  const aside = folder.path(temporaryName());
  const handle = await fs.open(aside, NEW_FILE, firstMode(old));
  try {
    let right = false;
    try {
      await fill(handle, bytes, old, how);
      // At the same time, since each call waits for its turn at the system.
      [right] = await Promise.all([stillThere(folder, stillRight), handle.close()]);
    } catch (error) {
      await handle.close();
      throw error;
    }
    if (!right) {
      await fs.rm(aside, { force: true });
      return false;
    }
    await renamed(aside, target, how);
  } catch (error) {
    await fs.rm(aside, { force: true });
    throw error;
  }
  await folder.sync();
  await how.leftovers?.sweep(folder);
  return true;
}

async function fill(
  handle: FileHandle,
  bytes: Uint8Array,
  old: BigIntStats | null,
  { calls, platform }: Replacing,
): Promise<void> {
  const isTakingOver = old !== null && platform !== 'win32';
  const [made] = await Promise.all([
    isTakingOver ? handle.stat({ bigint: true }) : null,
    calls.write(handle, bytes),
  ]);
  if (made !== null && old !== null) await takeOver(handle, made, old);
  await handle.sync();
}

async function stillThere(
  folder: RealFolder,
  stillRight: () => Promise<boolean>,
): Promise<boolean> {
  await folder.check();
  return stillRight();
}

/** Nobody may read the new file who could not read the old one, not even before it has the old one's owner. */
function firstMode(old: BigIntStats | null): number {
  if (old === null) return 0o666;
  const isOurs = Number(old.uid) === process.geteuid?.() && Number(old.gid) === process.getegid?.();
  return isOurs ? Number(old.mode & 0o777n) : 0o600;
}

/** Owner first: changing it takes away the bits that lend the owner's rights. */
async function takeOver(handle: FileHandle, made: BigIntStats, old: BigIntStats): Promise<void> {
  if (made.uid !== old.uid || made.gid !== old.gid) {
    await handle.chown(Number(old.uid), Number(old.gid));
  }
  const now = made.uid === old.uid && made.gid === old.gid ? made.mode & PERMISSIONS : null;
  if (now !== (old.mode & PERMISSIONS)) await handle.chmod(Number(old.mode & PERMISSIONS));
}

async function renamed(from: string, to: string, { calls, platform }: Replacing): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await calls.rename(from, to);
      return;
    } catch (error) {
      if (platform !== 'win32' || tries === RENAME_TRIES || !isHeld(error)) throw error;
      await delay(RENAME_PAUSE_MS * tries);
    }
  }
}

function isHeld(error: unknown): boolean {
  return ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '');
}

async function inPlace(
  folder: RealFolder,
  target: string,
  bytes: Uint8Array,
  before: DiskContent,
  reason: string,
  how: Replacing,
): Promise<boolean> {
  how.log.warn(
    `A file is overwritten in its place, since it cannot be replaced (${reason}): ${path.basename(target)}`,
  );
  return overwrite(folder, target, bytes, before, { write: how.calls.write, log: how.log });
}
