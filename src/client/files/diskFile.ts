import type { BigIntStats } from 'node:fs';
import { FileFault } from '../ports.ts';
import { readBytes } from './boundedRead.ts';
import { sizeInWords } from './faults.ts';
import { letGo, openFile, type Footing } from './realFolder.ts';

/** What was found in a file's place. */
export interface DiskContent {
  readonly bytes: Uint8Array;
  /** From before the first byte was read: a file that was changed meanwhile is no more this one. */
  readonly stat: BigIntStats;
}

/**
 * All bytes of the file at its real path. Rejects as `openFile` does, and with a `TooLargeFault` for more than `maxBytes`.
 * @param shown The path as the agent knows it.
 */
export async function readWhole(
  real: string,
  shown: string,
  { maxBytes, footing }: { readonly maxBytes: number; readonly footing: Footing },
  signal: AbortSignal,
): Promise<DiskContent> {
  const { handle, stat } = await openFile(real, footing);
  try {
    const size = Number(stat.size);
    if (size > maxBytes) throw new TooLargeFault(shown, size, maxBytes);
    const range = { start: 0, end: maxBytes + 1, size };
    const bytes = await readBytes(handle, range, signal);
    if (bytes.length > maxBytes) throw new TooLargeFault(shown, bytes.length, maxBytes);
    return { bytes, stat };
  } finally {
    await letGo(handle);
  }
}

/** What an agent hears of a file that it cannot have as a whole. */
export class TooLargeFault extends FileFault {
  constructor(shown: string, size: number, maxBytes: number) {
    super(
      'failed',
      `The file is too large to be used as a whole: it has ${sizeInWords(size)} (${size} bytes), and at most ${sizeInWords(maxBytes)} are read at once. Read a part of it with "line" and "limit": ${shown}`,
    );
  }
}

/** Whether a file is still the one, with the content, that was looked at. */
export function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return (
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.ctimeNs === other.ctimeNs
  );
}
