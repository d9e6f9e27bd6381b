import { RequestError } from '@agentclientprotocol/sdk';
import type { StopReason } from '../../protocol/acp.ts';

const REQUEST_CANCELLED = -32800;

/** Why a turn's signal aborted when the client sent `session/cancel`. */
class TurnCancelled extends Error {
  override readonly name = 'AbortError';
}

/**
 * The prompts of one session, one at a time: the next starts when the answer of the one before has left, so a client
 * that stops reading holds at most one parked answer.
 */
export class Turns {
  private readonly waitingOrRunning = new Set<AbortController>();
  private last: Promise<void> = Promise.resolve();

  /**
   * Runs one prompt when its turn has come.
   *
   * @param request Aborts when the client takes the request back (`$/cancel_request`) or the connection ends.
   * @param answered Resolves when this prompt's answer has been written.
   * @param work Not called at all when the prompt is cancelled while it waits.
   */
  async run(
    request: AbortSignal,
    answered: Promise<void>,
    work: (signal: AbortSignal) => Promise<StopReason>,
  ): Promise<StopReason> {
    const turn = new AbortController();
    const follow = (): void => {
      turn.abort(request.reason);
    };
    request.addEventListener('abort', follow, { once: true });
    this.waitingOrRunning.add(turn);
    const before = this.last;
    this.last = Promise.all([before, answered]).then(() => undefined);
    try {
      await untilAborted(before, turn.signal);
      const reason = await work(turn.signal);
      return turn.signal.aborted ? cancelled(turn.signal) : reason;
    } catch (error) {
      if (turn.signal.aborted) return cancelled(turn.signal);
      throw error;
    } finally {
      this.waitingOrRunning.delete(turn);
      request.removeEventListener('abort', follow);
    }
  }

  /** `session/cancel`: ends the prompt that runs and those that wait. */
  cancel(): void {
    for (const turn of this.waitingOrRunning)
      turn.abort(new TurnCancelled('The turn was cancelled'));
  }
}

/** The promise's value, unless the signal aborts first: then its reason is thrown. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new TurnCancelled('Aborted'));
    };
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', giveUp);
    });
  });
}

/** A turn ends as `cancelled`, unless the client took the request itself back: that has an error of its own. */
function cancelled(signal: AbortSignal): StopReason {
  const reason: unknown = signal.reason;
  if (reason instanceof RequestError && reason.code === REQUEST_CANCELLED) throw reason;
  return 'cancelled';
}
