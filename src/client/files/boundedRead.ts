import type { FileHandle } from 'node:fs/promises';
import { stopIfAborted } from './fileQueue.ts';

/** What is read at once, in bytes: cancelling is noticed in between. */
const PIECE = 4 * 1024 * 1024;

/**
 * The bytes from `start` to `end`, or to the end of the file if that comes first.
 * @param size What the file is thought to be long; it is read to its end all the same.
 */
export async function readBytes(
  handle: FileHandle,
  { start, end, size }: { readonly start: number; readonly end: number; readonly size: number },
  signal: AbortSignal,
): Promise<Buffer> {
  // One byte more than expected tells the end without another call.
  let buffer = Buffer.allocUnsafe(Math.min(end, size + 1) - start);
  let filled = 0;
  for (;;) {
    stopIfAborted(signal);
    if (filled === buffer.length) {
      if (start + filled >= end) return buffer;
      const larger = Math.min(end - start, Math.max(64 * 1024, 2 * filled));
      buffer = Buffer.concat([buffer], larger);
    }
    const length = Math.min(PIECE, buffer.length - filled);
    const { bytesRead } = await handle.read(buffer, filled, length, start + filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
    // A regular file gives less than asked only at its end.
    if (bytesRead < length && filled + start >= size) return buffer.subarray(0, filled);
  }
}
