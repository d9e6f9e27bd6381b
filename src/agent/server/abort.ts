import { setMaxListeners } from 'node:events';

/** The error of a request that its sender has taken back. */
export const REQUEST_CANCELLED = -32800;

/** Why a signal aborted when a turn, a session or the connection ended. */
export class TurnCancelled extends Error {
  override readonly name = 'AbortError';
}

/** A controller to whose signal many may listen: as many turns and messages as there are, and none of them a leak. */
export function abortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** The promise's value, unless the signal aborts first: then its reason is thrown. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new TurnCancelled('Aborted'));
    };
    if (signal.aborted) {
      // Nobody waits for it any more: what becomes of it is no news.
      promise.catch(() => undefined);
      giveUp();
      return;
    }
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', giveUp);
    });
  });
}

/** Aborts a controller when any of these signals does, with its reason. @returns Lets go of them. */
export function follow(controller: AbortController, signals: readonly AbortSignal[]): () => void {
  const stops = signals.map((signal) => {
    const abort = (): void => {
      controller.abort(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    return () => {
      signal.removeEventListener('abort', abort);
    };
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** Asks again, where a check before it would count for the compiler. */
export function hasAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
