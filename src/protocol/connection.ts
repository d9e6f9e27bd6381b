import type { Readable, Writable } from 'node:stream';
import { Emitter, type Event } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type {
  InitializeRequest,
  InitializeResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
} from './acp.ts';
import { ConnectionClosed } from './errors.ts';
import type { AgentRequestHandlers } from './handlers.ts';
import { NdjsonReader, NdjsonWriter } from './ndjson.ts';
import { RequestIds } from './requestIds.ts';
import { Reporter, type LineListener } from './trace.ts';
import type { Wire } from './wire.ts';

export { ConnectionClosed, ErrorCode, RequestError, RequestTimeout } from './errors.ts';
export type { AgentRequestHandlers, TerminalRequest } from './handlers.ts';
export { PROTOCOL_VERSION } from './methods.ts';
export type { OfferedOption, PermissionRequest } from './permission.ts';

/** How long the output of an agent that takes no more input may still bring messages: milliseconds. */
const LAST_WORDS = 500;

/** The pipes of an agent's process, or what stands in for them. */
export interface AgentStreams {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

export interface ConnectionOptions {
  /** Bytes; a longer line is dropped and reported. */
  readonly maxLineBytes: number;
  /** Every complete line in both directions, raw text, before it is decoded. */
  readonly onLine?: LineListener;
  /** What does not fit, each kind once. */
  readonly report: (message: string) => void;
}

/**
 * The client's side of a connection to one agent (ACP v1): what we ask of it, typed and decoded tolerantly. Listens from
 * the start. What waits for the agent when the connection closes rejects with `ConnectionClosed`.
 *
 * The library under it is loaded with the first connection; calls keep their order.
 */
export class AgentConnection implements Disposable {
  private readonly closes = new Emitter<void>();
  /** The agent's output ended or broke, or its input did; told once, and not after `dispose`. */
  readonly onClose: Event<void> = this.closes.event;

  private readonly ids: RequestIds;
  private readonly reader: NdjsonReader;
  private readonly writer: NdjsonWriter;
  private readonly wire: Promise<Wire>;
  private loaded: Wire | undefined;
  private lastWords: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    streams: AgentStreams,
    handlers: AgentRequestHandlers,
    { maxLineBytes, onLine, report }: ConnectionOptions,
  ) {
    const { once } = new Reporter(report);
    this.ids = new RequestIds();
    this.reader = new NdjsonReader(streams.stdout, this.ids, {
      maxLineBytes,
      onLine,
      report: once,
    });
    this.writer = new NdjsonWriter(streams.stdin, this.ids, { onLine });
    this.reader.onClose(() => {
      this.close();
    });
    this.writer.onError(() => {
      // An agent that does not take what we say is gone, or as good as gone; but it may have said something before.
      this.lastWords ??= setTimeout(() => {
        this.close();
      }, LAST_WORDS);
    });
    this.wire = this.open(handlers, once);
    // Whoever calls us hears of it.
    this.wire.catch(() => undefined);
  }

  /**
   * The first request (ACP v1, "Initialization"). The version in the answer may be written as 1, "1" or "1.0.0".
   * @param signal Gives up waiting: `RequestTimeout` if its reason is a time-out (`AbortSignal.timeout`), else `Cancelled`.
   * @throws UserError if the agent speaks another version; RequestError, ConnectionClosed.
   */
  async initialize(request: InitializeRequest, signal?: AbortSignal): Promise<InitializeResponse> {
    return (await this.wire).initialize(request, signal);
  }

  /** `session/new`. @throws RequestError, ConnectionClosed; UserError if the answer has no session id. */
  async newSession(request: NewSessionRequest): Promise<NewSessionResponse> {
    return (await this.wire).newSession(request);
  }

  /**
   * `session/prompt`. Never times out: a turn takes as long as it takes.
   * @returns The stop reason, in the protocol's spelling where the agent has another; it may be one that we do not know.
   * @throws RequestError, ConnectionClosed.
   */
  async prompt(request: PromptRequest): Promise<{ readonly stopReason: string }> {
    return (await this.wire).prompt(request);
  }

  /** `session/cancel`, a notification: the prompt's answer tells the end. @throws ConnectionClosed. */
  async cancel(sessionId: string): Promise<void> {
    await (await this.wire).cancel(sessionId);
  }

  /** Lets go of the agent. Its process is the caller's business. */
  dispose(): void {
    this.closes.dispose();
    this.close();
  }

  private async open(
    handlers: AgentRequestHandlers,
    report: (kind: string, message: string) => void,
  ): Promise<Wire> {
    // In a bundle this takes no turn of the event loop, so no output is missed.
    const { Wire } = await import('./wire.ts');
    if (this.closed) throw new ConnectionClosed();
    const { reader, writer, ids } = this;
    this.loaded = new Wire({ reader, writer, ids }, handlers, report);
    return this.loaded;
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.lastWords);
    this.loaded?.dispose();
    this.reader.dispose();
    this.writer.dispose();
    this.closes.fire();
  }
}
