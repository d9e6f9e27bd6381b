import { untilAborted } from './abort.ts';

/** How the SDK is told to take a request back (`$/cancel_request`) and to forget its answer. */
export interface Cancellation {
  readonly cancellationSignal: AbortSignal;
  readonly stopWaitingOnCancel: true;
}

/**
 * Sends a request and gives it up, telling the client, when the signal aborts. Nothing is sent after that.
 *
 * @throws RequestError as the client answered; the signal's reason.
 */
export function asked<T>(
  signal: AbortSignal,
  send: (cancellation: Cancellation) => Promise<T>,
): Promise<T> {
  if (signal.aborted) return untilAborted(new Promise<T>(() => undefined), signal);
  return untilAborted(send({ cancellationSignal: signal, stopWaitingOnCancel: true }), signal);
}
