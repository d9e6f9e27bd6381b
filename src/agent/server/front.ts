import type { AnyMessage, AnyRequest, JsonRpcId, Stream } from '@agentclientprotocol/sdk';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { Readable, Writable } from 'node:stream';
import { abortController, REQUEST_CANCELLED, TurnCancelled } from './abort.ts';
import { Call, sessionIdIn } from './call.ts';
import type { Frame } from './envelope.ts';
import { isId, noResponse } from './envelope.ts';
import type { Log } from './faults.ts';
import { canHold, Lane } from './lane.ts';
import { Wire } from './wire.ts';

/** So many answers may be parked for a client that does not read them, before nothing more is read from it. */
const MAX_PARKED = 1024;
const ENDED = 'The connection has ended';

/** What the front asks of whoever knows what the frames mean. */
export interface FrontRules {
  /** Why a request is not even dispatched now. */
  refuse(method: string): RequestError | undefined;
  /** `initialize` has been answered well. */
  initialized(): void;
  /** Whether this connection holds a session with this id. */
  holds(sessionId: string): boolean;
}

/**
 * The strict front between the bytes and the SDK's connection. It lets through what is well formed and allowed, in the
 * order of the sessions, gives the requests numbers of its own, and sees every answer leave.
 */
export class Front {
  /** What the SDK's connection reads and writes. */
  readonly stream: Stream;
  /** Resolves when nothing can be read or written any more. */
  readonly closed: Promise<void>;
  private readonly wire: Wire;
  private readonly calls = new Map<JsonRpcId, Call>();
  private readonly lanes = new Map<string, Lane>();
  /** Ids of the agent's own requests that have no answer yet. */
  private readonly asked = new Set<unknown>();
  /** Requests behind an `initialize` that is being answered. */
  private handshake: Call[] | undefined;
  private controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  private isClosed = false;
  private lastNumber = 0;
  private readonly ending = abortController();
  private resolveClosed: () => void = () => undefined;

  constructor(
    streams: { readonly input: Readable; readonly output: Writable },
    maxLineBytes: number,
    private readonly rules: FrontRules,
    private readonly log: Log,
  ) {
    this.closed = new Promise((resolve) => {
      this.resolveClosed = resolve;
    });
    this.stream = {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          this.controller = controller;
        },
        // The connection has closed by itself: nothing can be handed to it any more.
        cancel: () => {
          this.controller = undefined;
          this.close();
        },
      }),
      writable: new WritableStream<AnyMessage>({ write: (message) => this.send(message) }),
    };
    this.wire = new Wire(streams.input, streams.output, maxLineBytes, {
      received: (frame, bytes) => {
        this.received(frame, bytes);
      },
      ended: () => {
        this.end();
      },
      broken: () => {
        this.close();
      },
      drained: () => {
        this.settleCrowd();
      },
    });
  }

  /** Aborts when the connection ends, before it is closed: what still runs has to come to its end. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** The request that the SDK knows by this id. */
  call(id: JsonRpcId): Call {
    const call = this.calls.get(id);
    if (!call) throw new Error('There is no such request');
    return call;
  }

  /** Keeps the session busy until what the embedder does for this request has returned. */
  work(call: Call, promise: Promise<unknown>): void {
    if (call.sessionId === undefined) return;
    const { sessionId } = call;
    this.lane(sessionId).work(call, promise);
    const tidy = (): void => {
      this.tidy(sessionId);
    };
    promise.then(tidy, tidy);
  }

  /** Whether the embedder is still busy with a session of this id, held or not. */
  isWorking(sessionId: string): boolean {
    return this.lanes.get(sessionId)?.isWorking === true;
  }

  cancelTurns(sessionId: string): void {
    this.lanes.get(sessionId)?.cancelTurns();
  }

  /**
   * The end of the input: what runs is cancelled, what waits is dropped, and answers that are there at once still leave.
   */
  private end(): void {
    if (this.ending.signal.aborted) return;
    this.dropHeld();
    this.ending.abort(new TurnCancelled(ENDED));
    setImmediate(() => {
      this.close();
    });
  }

  /** Ends everything at once. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.dropHeld();
    if (!this.ending.signal.aborted) this.ending.abort(new TurnCancelled(ENDED));
    this.wire.close();
    this.controller?.close();
    this.controller = undefined;
    for (const call of this.calls.values()) call.settle();
    this.calls.clear();
    this.resolveClosed();
  }

  private dropHeld(): void {
    for (const lane of this.lanes.values()) lane.drop();
    this.handshake &&= [];
  }

  private received(frame: Frame, bytes: number): void {
    if (frame.kind === 'fault') this.fault(frame.error, frame.answerTo);
    if (frame.kind === 'request') this.requested(this.newCall(frame.message, bytes));
    if (frame.kind === 'notification') this.notified(frame.message.method, frame.message.params);
    if (frame.kind === 'answer') this.answered(frame.id, frame.message);
    this.settleCrowd();
  }

  private newCall(message: AnyRequest, bytes: number): Call {
    this.lastNumber += 1;
    return new Call(this.lastNumber, message, bytes);
  }

  /** An answer to a request of the agent, which knows what to make of a malformed one. */
  private answered(id: unknown, message: AnyMessage): void {
    if (this.asked.delete(id)) this.controller?.enqueue(message);
    else if ('result' in message || 'error' in message)
      this.log('an answer to nothing was ignored');
    else this.fault(noResponse());
  }

  private notified(method: string, params: unknown): void {
    if (method === methods.protocol.cancelRequest) this.takeBack(params);
    else if (method === methods.agent.session.cancel) {
      const sessionId = sessionIdIn(params);
      if (sessionId !== undefined) this.cancelTurns(sessionId);
    }
    // There is no other notification that an agent knows.
  }

  private requested(call: Call): void {
    if (this.handshake) {
      if (canHold(this.handshake, call)) this.handshake.push(call);
      else this.refuse(call, tooMany());
      return;
    }
    const refusal = this.rules.refuse(call.method);
    if (refusal) {
      this.refuse(call, refusal);
      return;
    }
    if (call.method === methods.agent.initialize) this.handshake = [];
    this.arrange(call);
  }

  private arrange(call: Call): void {
    const { sessionId } = call;
    const isKnown =
      sessionId !== undefined && (this.rules.holds(sessionId) || this.lanes.has(sessionId));
    const { isOfKept } = call;
    if (sessionId === undefined || !call.isInLine || !(isKnown || isOfKept)) {
      this.dispatch(call);
      return;
    }
    const lane = this.lane(sessionId);
    if (call.isEnd) {
      lane.cancelTurns();
      // It waits for the answers before it, and not for what does not stop.
      call.cancel();
    }
    if (isOfKept && lane.hasTurn) this.refuse(call, stillRuns());
    else if (!lane.take(call)) this.refuse(call, tooMany());
  }

  private lane(sessionId: string): Lane {
    const lane =
      this.lanes.get(sessionId) ??
      new Lane((call) => {
        this.dispatch(call);
      });
    this.lanes.set(sessionId, lane);
    return lane;
  }

  private tidy(sessionId: string): void {
    if (this.lanes.get(sessionId)?.isIdle === true) this.lanes.delete(sessionId);
  }

  private dispatch(call: Call): void {
    this.calls.set(call.number, call);
    this.controller?.enqueue({ ...call.message, id: call.number });
  }

  /** `$/cancel_request`: a request that waits is answered here, one that runs by who runs it. */
  private takeBack(params: unknown): void {
    if (typeof params !== 'object' || params === null || !('requestId' in params)) return;
    const { requestId } = params;
    if (!isId(requestId)) return;
    for (const { number, clientId } of this.calls.values()) {
      if (clientId !== requestId) continue;
      const method = methods.protocol.cancelRequest;
      this.controller?.enqueue({ jsonrpc: '2.0', method, params: { requestId: number } });
    }
    for (const call of this.waiting().filter(({ clientId }) => clientId === requestId)) {
      this.unhold(call);
      this.refuse(call, new RequestError(REQUEST_CANCELLED, 'Request cancelled'));
    }
  }

  private waiting(): readonly Call[] {
    return [...(this.handshake ?? []), ...[...this.lanes.values()].flatMap((lane) => lane.waiting)];
  }

  private unhold(call: Call): void {
    this.handshake &&= this.handshake.filter((each) => each !== call);
    if (call.sessionId !== undefined) this.lanes.get(call.sessionId)?.remove(call);
  }

  private refuse(call: Call, error: RequestError): void {
    this.write({ jsonrpc: '2.0', id: call.clientId, error: error.toErrorResponse() });
  }

  private fault(error: RequestError, answerTo?: number): void {
    this.write({ jsonrpc: '2.0', id: null, error: error.toErrorResponse() });
    if (answerTo === undefined || !this.asked.delete(answerTo)) return;
    this.controller?.enqueue({ jsonrpc: '2.0', id: answerTo, error: error.toErrorResponse() });
  }

  /** Writes what is known to be JSON. Whoever cannot write hears of it from the wire. */
  private write(frame: object): void {
    this.wire.write(JSON.stringify(frame)).catch(() => undefined);
  }

  /** Writes what the SDK sends, which waits for it before it sends the next. */
  private async send(message: AnyMessage): Promise<void> {
    if ('method' in message) {
      if ('id' in message) this.asked.add(message.id);
      await this.wire.write(JSON.stringify(message));
      return;
    }
    const call = this.calls.get(message.id);
    if (!call) return;
    call.isAnswered = true;
    if (call.method === methods.agent.initialize) this.endHandshake('result' in message);
    await this.wire.write(JSON.stringify({ ...message, id: call.clientId }));
    this.calls.delete(message.id);
    call.settle();
    if (call.sessionId !== undefined) {
      this.lanes.get(call.sessionId)?.written(call);
      this.tidy(call.sessionId);
    }
    this.settleCrowd();
  }

  private endHandshake(isDone: boolean): void {
    if (isDone) this.rules.initialized();
    const behind = this.handshake ?? [];
    this.handshake = undefined;
    // Not before this answer has been handed to the output: it comes first.
    queueMicrotask(() => {
      for (const call of behind) this.requested(call);
    });
  }

  /**
   * Stops reading from a client that sends requests and does not read the answers. Turns of sessions do not count: there
   * is one at a time, and only what is read can cancel it.
   */
  private settleCrowd(): void {
    const { parked } = this.wire;
    if (parked === 0) {
      this.wire.hold(false);
      return;
    }
    const others = [...this.calls.values()].filter((call) => !this.isTurnOfSession(call));
    this.wire.hold(parked + others.length > MAX_PARKED);
  }

  private isTurnOfSession({ isTurn, sessionId }: Call): boolean {
    return isTurn && sessionId !== undefined && this.lanes.has(sessionId);
  }
}

function tooMany(): RequestError {
  return new RequestError(-32603, 'Too many requests wait already: wait for their answers first.');
}

function stillRuns(): RequestError {
  return RequestError.invalidRequest(undefined, 'a turn of this session still runs');
}
