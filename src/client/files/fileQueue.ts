import { Cancelled } from '../../base/errors.ts';

/** Runs work on the same file one after the other, in the order in which it came; files do not wait for each other. */
export class FileQueue {
  /** The last work of each file that has any. */
  private readonly last = new Map<string, Promise<void>>();

  /** Rejects with `Cancelled` if `signal` aborts before the turn has come. */
  async run<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.last.get(key);
    let done: () => void = () => undefined;
    const mine = new Promise<void>((resolve) => {
      done = resolve;
    });
    // Who leaves early leaves those behind to the one in front.
    const settled = before === undefined ? mine : before.then(() => mine);
    this.last.set(key, settled);
    try {
      if (before !== undefined) await orCancelled(before, signal);
      stopIfAborted(signal);
      return await work();
    } finally {
      done();
      void settled.then(() => {
        if (this.last.get(key) === settled) this.last.delete(key);
      });
    }
  }

  /** Resolves when what is queued for a file now has ended; `null` if nothing is. */
  idle(key: string): Promise<void> | null {
    return this.last.get(key) ?? null;
  }
}

/** What a promise brings, or a rejection with `Cancelled` as soon as `signal` aborts. */
export async function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // What comes too late is nobody's, errors included.
  promise.catch(() => undefined);
  stopIfAborted(signal);
  let leave: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => {
      reject(new Cancelled());
    };
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Throws `Cancelled` if the work is not wanted any more. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Cancelled();
}
