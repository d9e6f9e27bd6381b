import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** Output that is read while somebody waits for its silence. */
export interface Output {
  readonly stream: Readable;
  /** Calls with each piece, from now on. @returns What ends that. */
  listen(heard: (piece: Buffer) => void): () => void;
}

/** @param stream One whose pieces come as `data`. */
export function outputOf(stream: Readable): Output {
  return {
    stream,
    listen: (heard) => {
      stream.on('data', heard);
      return () => stream.off('data', heard);
    },
  };
}

/**
 * Resolves when a stream has ended, or when everything that came was read and nothing more has come for two periods. For
 * the output of a process that has exited: what it left running may hold the stream open.
 * @param period Milliseconds.
 * @param atMost Milliseconds, for a stream that never falls silent.
 */
export async function silence(
  output: Output,
  period: number,
  atMost = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { stream } = output;
  const deadline = performance.now() + atMost;
  const over = new AbortController();
  let quiet = 0;
  const heard = (): void => {
    quiet = 0;
  };
  const ended = (): void => {
    over.abort();
  };
  const deaf = output.listen(heard);
  stream.once('end', ended).once('close', ended);
  // Two in a row: the first may come late, before what waits in the pipe was looked at.
  while (quiet < 2 && !stream.readableEnded && !stream.destroyed && performance.now() < deadline) {
    // Text that waits for its reader is no silence.
    quiet = stream.readableLength > 0 ? 0 : quiet + 1;
    const pause = delay(period, undefined, { ref: false, signal: over.signal });
    await pause.catch(() => undefined);
  }
  deaf();
  stream.off('end', ended).off('close', ended);
}
