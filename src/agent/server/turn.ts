import { RequestError } from '@agentclientprotocol/sdk';
import type { StopReason } from '../../protocol/acp.ts';
import { abortController, follow, hasAborted, REQUEST_CANCELLED } from './abort.ts';

/** How long a turn may take to end after it was cancelled, before the client gets its answer all the same. */
const LAST_WORDS_MS = 2_000;

const STOP_REASONS: ReadonlySet<unknown> = new Set<StopReason>([
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
]);

/**
 * Runs one turn to its stop reason. Once one of the signals has aborted it ends as `cancelled`, whatever it throws or
 * says.
 *
 * @param signals The first one is the request's own.
 * @param work Not called at all when a signal has aborted already.
 * @throws RequestError -32800 when the client has taken the request itself back; what `work` throws.
 */
export async function runTurn(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<StopReason>,
): Promise<StopReason> {
  const turn = abortController();
  const letGo = follow(turn, signals);
  const { signal } = turn;
  try {
    if (hasAborted(signal)) return cancelled(signal);
    const reason = await returned(work(signal), signal);
    return hasAborted(signal) ? cancelled(signal) : reason;
  } catch (error) {
    if (hasAborted(signal)) return cancelled(signal);
    throw error;
  } finally {
    letGo();
  }
}

/** What the work comes to; once it is cancelled nobody waits for it longer than a moment. */
function returned<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const aborted = (): void => {
      timer = setTimeout(() => {
        reject(new Error('The turn goes on though it was cancelled'));
      }, LAST_WORDS_MS).unref();
    };
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
    running.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    });
  });
}

/** A turn ends as `cancelled`, unless the client took the request itself back: that has an error of its own. */
function cancelled(signal: AbortSignal): StopReason {
  const reason: unknown = signal.reason;
  if (reason instanceof RequestError && reason.code === REQUEST_CANCELLED) throw reason;
  return 'cancelled';
}

/** A stop reason is one, also where no compiler has looked. @throws TypeError otherwise. */
export function checkedReason(reason: StopReason): StopReason {
  if (STOP_REASONS.has(reason)) return reason;
  throw new TypeError('prompt resolved to no stop reason');
}
