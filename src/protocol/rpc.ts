import {
  createMessageConnection,
  ErrorCodes,
  ParameterStructures,
  RAL,
  ResponseError,
  type CancellationToken,
  type MessageConnection,
} from 'vscode-jsonrpc';
import { messageOf } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { reasonOf, RequestCancellation, SignalToken, untilAborted } from './cancellation.ts';
import { ConnectionClosed, ErrorCode, RequestError } from './errors.ts';
import { CANCEL_REQUEST } from './methods.ts';
import type { NdjsonReader, NdjsonWriter } from './ndjson.ts';
import { OpenRequests } from './openRequests.ts';
import type { RequestIds } from './requestIds.ts';
import { quoted } from './trace.ts';

/** Both directions of a connection, and what they share. */
export interface Pipes {
  readonly reader: NdjsonReader;
  readonly writer: NdjsonWriter;
  readonly ids: RequestIds;
}

/** What the other side of an `Rpc` does with messages of the agent. */
export interface RpcHandlers {
  /** Rejects with `RequestError` to answer exactly that; with `undefined` as a method that is not known. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> | undefined;
  notification(method: string, params: unknown): void;
  report(kind: string, message: string): void;
}

/**
 * JSON-RPC over a reader and a writer: ids, answers, cancellation. Knows no method of the protocol but
 * `$/cancel_request`. Loaded on first use (through `connection.ts`), because the library under it costs some
 * milliseconds to load.
 */
export class Rpc implements Disposable {
  private readonly rpc: MessageConnection;
  private readonly cancellation: RequestCancellation;
  private readonly open = new OpenRequests();
  private disposed = false;

  constructor(
    private readonly pipes: Pipes,
    private readonly handlers: RpcHandlers,
  ) {
    RAL.install(runtime);
    const { reader, writer, ids } = pipes;
    this.cancellation = new RequestCancellation(ids);
    const log = (message: string): void => {
      if (!this.disposed) handlers.report('json-rpc', message);
    };
    this.rpc = createMessageConnection(
      reader,
      writer,
      { error: log, warn: log, info: ignore, log: ignore },
      {
        cancellationStrategy: this.cancellation,
        messageStrategy: {
          handleMessage: (message, next) => {
            const result = next(message);
            reader.handled();
            return result;
          },
        },
      },
    );
    this.rpc.onRequest((method, params, token) => this.answer(method, params, token));
    this.rpc.onNotification((method, params) => {
      if (method === CANCEL_REQUEST) this.cancellation.cancelled(params);
      else handlers.notification(method, params);
    });
    this.rpc.listen();
  }

  /**
   * Never times out by itself. When the signal aborts, the agent is told and the promise rejects at once.
   * @throws RequestError, ConnectionClosed, RequestTimeout or Cancelled (as rejections).
   */
  async request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    if (this.disposed) throw new ConnectionClosed();
    if (signal?.aborted === true) throw reasonOf(signal);
    const byName = ParameterStructures.byName;
    try {
      if (signal === undefined) return await this.rpc.sendRequest(method, byName, params);
      const answer = this.rpc.sendRequest(method, byName, params, new SignalToken(signal));
      return await untilAborted(answer, signal, () => reasonOf(signal));
    } catch (error) {
      throw this.asOurs(error);
    }
  }

  /** Resolves when the agent has room for more. @throws ConnectionClosed (as a rejection) */
  async notify(method: string, params: object): Promise<void> {
    if (this.disposed) throw new ConnectionClosed();
    try {
      await this.rpc.sendNotification(method, ParameterStructures.byName, params);
    } catch (error) {
      throw this.asOurs(error);
    }
  }

  /** Rejects what waits for the agent with `ConnectionClosed` and aborts what the agent waits for. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.cancellation.cancelAll();
    this.rpc.dispose();
  }

  private async answer(
    method: string,
    params: unknown,
    token: CancellationToken,
  ): Promise<unknown> {
    const signal = this.cancellation.signalOf(token);
    const leave = this.open.enter(params);
    try {
      if (leave === null) {
        throw new RequestError(ErrorCode.internal, 'Too many requests are open at once.');
      }
      const work = this.handlers.request(method, params, signal);
      if (work === undefined) {
        throw new RequestError(ErrorCode.methodNotFound, `Method not found: ${quoted(method)}`);
      }
      return await untilAborted(work, signal, cancelledByAgent);
    } catch (error) {
      throw this.asAnswer(method, error);
    } finally {
      leave?.();
      this.cancellation.done(token);
    }
  }

  private asAnswer(method: string, error: unknown): ResponseError<unknown> {
    if (error instanceof RequestError) {
      return new ResponseError(error.code, error.message, error.data);
    }
    this.handlers.report(`failed ${method}`, `Answering ${method} failed: ${messageOf(error)}`);
    return new ResponseError(ErrorCode.internal, 'The client could not do this.');
  }

  private asOurs(error: unknown): Error {
    if (this.disposed) return new ConnectionClosed();
    if (error instanceof ResponseError) {
      // The code of the library for a request that it could not write; agents may use the same one.
      const unsent = error.code === ErrorCodes.MessageWriteError && !this.pipes.writer.open;
      return unsent
        ? new ConnectionClosed()
        : new RequestError(error.code, error.message, error.data);
    }
    return error instanceof Error ? error : new Error(String(error));
  }
}

function cancelledByAgent(): RequestError {
  return new RequestError(ErrorCode.cancelled, 'The request was cancelled.');
}

function ignore(): void {
  // The library's chatter about normal things.
}

function unused(): never {
  throw new Error('not used with a reader and a writer of our own');
}

/** Messages that are handled before the event loop may look after anything else. */
const MESSAGES_A_TURN = 64;

/**
 * The library handles one message per `setImmediate`, that is per turn of the event loop, whose system calls cost
 * several times the work. This handles some in one turn, and lets every promise settle between two of them, as turns do:
 * what waits for an answer runs before the next message.
 */
function inTurns(): (callback: (...args: unknown[]) => void, ...args: unknown[]) => Disposable {
  let left = 0;
  return (callback, ...args) => {
    let wanted = true;
    const run = (): void => {
      if (wanted) callback(...args);
    };
    if (left > 0) {
      left -= 1;
      // Ticks run when all microtasks are done, also those that come of them.
      queueMicrotask(() => {
        process.nextTick(run);
      });
    } else {
      setImmediate(() => {
        left = MESSAGES_A_TURN;
        run();
      });
    }
    return {
      dispose: () => {
        wanted = false;
      },
    };
  };
}

/**
 * What the library needs from its surroundings. Its own set for Node (`vscode-jsonrpc/node`) loads sockets and child
 * processes and takes twice the time.
 */
const runtime: Parameters<typeof RAL.install>[0] = {
  crypto: { randomUUID: () => globalThis.crypto.randomUUID() },
  applicationJson: {
    encoder: { name: 'application/json', encode: unused },
    decoder: { name: 'application/json', decode: unused },
  },
  messageBuffer: { create: unused },
  console: { info: ignore, log: ignore, warn: ignore, error: ignore },
  timer: {
    setTimeout: (callback, ms, ...args: unknown[]) => {
      const timer = setTimeout(callback, ms, ...args);
      return {
        dispose: () => {
          clearTimeout(timer);
        },
      };
    },
    setImmediate: inTurns(),
    setInterval: (callback, ms, ...args: unknown[]) => {
      const timer = setInterval(callback, ms, ...args);
      return {
        dispose: () => {
          clearInterval(timer);
        },
      };
    },
  },
};
