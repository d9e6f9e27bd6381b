import fs from 'node:fs/promises';
import { readWhole, type DiskContent } from '../../client/files/diskFile.ts';
import { footingOf } from '../../client/files/realFolder.ts';

/** No document of VS Code that extensions know is larger, in bytes of any encoding. */
const MAX_BYTES = 256 * 1024 * 1024;

/** What the file of a document holds, and where it really is. */
export interface SavedFile extends DiskContent {
  readonly real: string;
}

/**
 * Reads the file of a document, whatever is there by now: rejects with the system's error for what is no regular file,
 * and with a `FileFault` for more than 256 MiB.
 */
export async function savedFile(file: string): Promise<SavedFile> {
  const real = await fs.realpath(file);
  const limits = { maxBytes: MAX_BYTES, footing: footingOf(process.platform) };
  return { real, ...(await readWhole(real, file, limits, new AbortController().signal)) };
}
