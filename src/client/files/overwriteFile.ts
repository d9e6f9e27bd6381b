import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { FileFault, type Log } from '../ports.ts';
import { isSame, type DiskContent } from './diskFile.ts';
import { NEW_FILE, type RealFolder } from './realFolder.ts';

export interface Overwriting {
  /** Writes all bytes to an opened file, from its beginning. */
  readonly write: (handle: FileHandle, bytes: Uint8Array) => Promise<void>;
  readonly log: Log;
}

/** The old bytes, beside the file. */
interface Copy {
  /** How it is reached now. */
  readonly at: string;
  /** Where people find it. */
  readonly file: string;
}

/**
 * Writes over a file that cannot be replaced. A crash in the middle leaves it half written; therefore its old bytes are
 * made durable beside it first, under a name that the log tells, and removed at the end (the old ones: the new ones the
 * agent still has). Where the folder takes no new file there is no such copy. After an error in the middle (a full disk)
 * the old bytes are put back.
 * @returns False if the file is not any more what `before` says.
 */
export async function overwrite(
  folder: RealFolder,
  target: string,
  bytes: Uint8Array,
  before: DiskContent,
  how: Overwriting,
): Promise<boolean> {
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await fs.open(target, flags);
  try {
    await folder.check();
    if (!isSame(await handle.stat({ bigint: true }), before.stat)) return false;
    const copy = await copyAside(folder, before, how);
    try {
      await fill(handle, bytes, how.write);
    } catch (error) {
      await putBack(handle, before.bytes, copy, error);
      await remove(copy);
      throw error;
    }
    await remove(copy);
    return true;
  } finally {
    await handle.close();
  }
}

/** Writes all bytes to an opened file, from its beginning. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, done);
    done += bytesWritten;
  }
}

async function fill(
  handle: FileHandle,
  bytes: Uint8Array,
  write: Overwriting['write'],
): Promise<void> {
  await write(handle, bytes);
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** `null` where the folder takes no new file. */
async function copyAside(
  folder: RealFolder,
  before: DiskContent,
  { log }: Overwriting,
): Promise<Copy | null> {
  const name = `.parley-${randomBytes(12).toString('hex')}.old`;
  const copy = { at: folder.path(name), file: path.join(folder.real, name) };
  try {
    const handle = await fs.open(copy.at, NEW_FILE, 0o600);
    try {
      await writeAll(handle, before.bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await folder.sync();
  } catch (error) {
    await remove(copy);
    log.warn(`A file is overwritten without a copy of what it held: ${messageOf(error)}`);
    return null;
  }
  log.info(`What the file holds is kept until it is written: ${copy.file}`);
  return copy;
}

async function putBack(
  handle: FileHandle,
  bytes: Uint8Array,
  copy: Copy | null,
  error: unknown,
): Promise<void> {
  try {
    await fill(handle, bytes, writeAll);
  } catch {
    const kept = copy === null ? 'It is damaged' : `What it held is in ${copy.file}`;
    throw new FileFault(
      'failed',
      `The file could be written only in part (${messageOf(error)}). ${kept}.`,
    );
  }
}

async function remove(copy: Copy | null): Promise<void> {
  if (copy !== null) await fs.rm(copy.at, { force: true });
}
