import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Resolves when a stream has ended, or when everything that came was read and nothing more has come for two periods. For
 * the output of a process that has exited: what it left running may hold the stream open.
 * @param period Milliseconds.
 * @param atMost Milliseconds, for a stream that never falls silent.
 */
export async function silence(
  stream: Readable,
  period: number,
  atMost = Number.POSITIVE_INFINITY,
): Promise<void> {
  const deadline = performance.now() + atMost;
  const over = new AbortController();
  let quiet = 0;
  const heard = (): void => {
    quiet = 0;
  };
  const ended = (): void => {
    over.abort();
  };
  stream.on('data', heard).once('end', ended).once('close', ended);
  // Two in a row: the first may come late, before what waits in the pipe was looked at.
  while (quiet < 2 && !stream.readableEnded && !stream.destroyed && performance.now() < deadline) {
    // Text that waits for its reader is no silence.
    quiet = stream.readableLength > 0 ? 0 : quiet + 1;
    const pause = delay(period, undefined, { ref: false, signal: over.signal });
    await pause.catch(() => undefined);
  }
  stream.off('data', heard).off('end', ended).off('close', ended);
}
