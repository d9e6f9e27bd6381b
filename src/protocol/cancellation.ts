import type {
  AbstractCancellationTokenSource,
  CancellationStrategy,
  CancellationToken,
  MessageConnection,
  RequestMessage,
} from 'vscode-jsonrpc';
import { Cancelled } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { isObject } from './frames.ts';
import { RequestTimeout } from './errors.ts';
import { CANCEL_REQUEST } from './methods.ts';
import type { ForeignId, RequestIds } from './requestIds.ts';

/** An `AbortSignal` as the library's kind of token. */
export class SignalToken implements CancellationToken {
  constructor(readonly signal: AbortSignal) {}

  get isCancellationRequested(): boolean {
    return this.signal.aborted;
  }

  readonly onCancellationRequested = (listener: (event: undefined) => void): Disposable => {
    const listen = (): void => {
      listener(undefined);
    };
    this.signal.addEventListener('abort', listen, { once: true });
    return {
      dispose: () => {
        this.signal.removeEventListener('abort', listen);
      },
    };
  };
}

/** Why a wait was given up: a time-out where the signal is one, else a wish of the caller. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof RequestTimeout || reason instanceof Cancelled) return reason;
  const timedOut = reason instanceof Error && reason.name === 'TimeoutError';
  return timedOut ? new RequestTimeout() : new Cancelled();
}

/** Settles as `work` does, or rejects with `reason` as soon as the signal aborts. */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(reason());
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/** The token of a request of the agent, which knows its id. */
class RequestToken extends SignalToken {
  constructor(
    readonly id: ForeignId | null,
    readonly controller: AbortController,
  ) {
    super(controller.signal);
  }
}

/**
 * Cancellation as ACP v1 has it, in both directions: `$/cancel_request { requestId }`. Holds the requests of the agent
 * that are being worked on, by our ids.
 */
export class RequestCancellation implements CancellationStrategy {
  private readonly open = new Map<ForeignId, RequestToken>();

  constructor(private readonly ids: RequestIds) {}

  readonly receiver = {
    kind: 'request',
    createCancellationTokenSource: (request: RequestMessage): AbstractCancellationTokenSource => {
      const token = new RequestToken(request.id, new AbortController());
      if (token.id !== null) this.open.set(token.id, token);
      return {
        token,
        cancel: () => {
          abort(token);
        },
        dispose: nothing,
      };
    },
  } as const;

  readonly sender = {
    sendCancellation: (connection: MessageConnection, id: string | number): Promise<void> =>
      connection.sendNotification(CANCEL_REQUEST, { requestId: id }),
    cleanup: nothing,
  };

  /** The signal behind a token that `receiver` made. */
  signalOf(token: CancellationToken): AbortSignal {
    return token instanceof SignalToken ? token.signal : AbortSignal.abort();
  }

  /** The request of this token has been answered. */
  done(token: CancellationToken): void {
    if (!(token instanceof RequestToken) || token.id === null) return;
    this.open.delete(token.id);
  }

  /** Takes `$/cancel_request` of the agent; one for a request that is not open is no fault (the answers crossed). */
  cancelled(params: unknown): void {
    if (!isObject(params)) return;
    const { requestId } = params;
    if (typeof requestId !== 'number' && typeof requestId !== 'string') return;
    for (const id of this.ids.ownIds(requestId)) {
      const token = this.open.get(id);
      if (token !== undefined) abort(token);
    }
  }

  /** Nobody waits for the answers any more. */
  cancelAll(): void {
    const tokens = [...this.open.values()];
    this.open.clear();
    tokens.forEach(abort);
  }
}

function abort(token: RequestToken): void {
  token.controller.abort(new Cancelled());
}

function nothing(): void {
  // Tokens hold nothing that would have to be released.
}
