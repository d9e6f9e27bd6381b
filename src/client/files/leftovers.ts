import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import type { RealFolder } from './realFolder.ts';

const OURS = /^\.parley-[0-9a-f]{24}\.tmp$/;
/** No write takes as long, in milliseconds: what is older belongs to one that was killed. */
const OLD = 60 * 60 * 1000;
/** Names that are looked at in a folder. */
const MAX_NAMES = 10_000;
/** Folders that are remembered. */
const MAX_FOLDERS = 1_000;

/** A name for a new file that is to take another one's place: nobody has it, and `Leftovers` knows it. */
export function temporaryName(): string {
  return `.parley-${randomBytes(12).toString('hex')}.tmp`;
}

/**
 * Removes the new files that writes which were killed have left beside the file that they were to take the place of: only
 * regular files of the same person, by their exact names, an hour after they were written. What an overwritten file held
 * (`.old`) is kept: the person may need it. A folder is looked at once.
 */
export class Leftovers {
  private readonly swept = new Set<string>();

  /** Never rejects: what cannot be removed stays. */
  async sweep(folder: RealFolder): Promise<void> {
    if (this.swept.has(folder.real)) return;
    if (this.swept.size >= MAX_FOLDERS) this.swept.clear();
    this.swept.add(folder.real);
    try {
      let looked = 0;
      for await (const { name } of await fs.opendir(folder.path(''))) {
        looked += 1;
        if (looked > MAX_NAMES) return;
        if (OURS.test(name) && (await isLeft(folder.path(name))))
          await fs.unlink(folder.path(name));
      }
    } catch {
      // The file itself is written.
    }
  }
}

async function isLeft(file: string): Promise<boolean> {
  const stat = await fs.lstat(file);
  const isMine = stat.uid === (process.geteuid?.() ?? stat.uid);
  return stat.isFile() && stat.nlink === 1 && isMine && Date.now() - stat.mtimeMs > OLD;
}
