import type { Readable, Writable } from 'node:stream';
import type { DataCallback, Message, MessageReader, MessageWriter } from 'vscode-jsonrpc';
import { messageOf } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { ConnectionClosed } from './errors.ts';
import { asMessage, isObject } from './frames.ts';
import { LineSplitter } from './lines.ts';
import type { RequestIds } from './requestIds.ts';
import { quoted, type LineListener } from './trace.ts';

/** Messages that may wait for their turn before reading stops for a while. */
const MAX_WAITING = 128;
/** The same, in bytes of text. */
const MAX_WAITING_BYTES = 1 << 20;

export interface NdjsonOptions {
  /** A longer line is dropped and reported; it is never held in memory. */
  readonly maxLineBytes: number;
  readonly onLine?: LineListener | undefined;
  /** `kind` tells reports of the same sort apart from others. */
  readonly report: (kind: string, message: string) => void;
}

/**
 * Reads JSON-RPC messages, one JSON object per line (ACP v1, "Transports": stdio). What is no message is reported and
 * skipped; nothing an agent writes ends the stream. Reading pauses while messages wait to be handled, so that an agent
 * that floods us fills its own pipe and not our memory: call `handled` after each message.
 */
export class NdjsonReader implements MessageReader {
  private readonly errors = new Emitter<Error>();
  private readonly closes = new Emitter<undefined>();
  private readonly partials = new Emitter<{ messageToken: number; waitingTime: number }>();
  readonly onError = this.errors.event;
  /** The output has ended or broke, and every message of it has been handled. */
  readonly onClose = this.closes.event;
  readonly onPartialMessage = this.partials.event;

  private readonly lines: LineSplitter;
  private callback: DataCallback | undefined;
  private waiting = 0;
  private waitingBytes = 0;
  private paused = false;
  private ended = false;
  private disposed = false;

  constructor(
    private readonly stream: Readable,
    private readonly ids: RequestIds,
    private readonly options: NdjsonOptions,
  ) {
    this.lines = new LineSplitter(options.maxLineBytes, {
      line: (raw) => {
        this.take(raw);
      },
      dropped: (bytes) => {
        options.report(
          'long line',
          `The agent sent a line of more than ${options.maxLineBytes} bytes (at least ${bytes}); it was dropped. The setting parley.wire.maxLineBytes raises the limit.`,
        );
      },
    });
  }

  listen(callback: DataCallback): Disposable {
    this.callback = callback;
    this.stream.on('data', this.onData);
    this.stream.on('end', this.onEnd);
    this.stream.on('close', this.onEnd);
    this.stream.on('error', this.onStreamError);
    // What was destroyed before we came tells nobody any more.
    if (this.stream.destroyed || this.stream.readableEnded) setImmediate(this.onEnd);
    return this;
  }

  /** One message has been handled. */
  handled(): void {
    if (this.waiting > 0) this.waiting -= 1;
    if (this.waiting > 0) return;
    this.waitingBytes = 0;
    if (this.paused) {
      this.paused = false;
      this.stream.resume();
    }
    this.closeIfDone();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.callback = undefined;
    this.stream.off('data', this.onData);
    this.stream.off('end', this.onEnd);
    this.stream.off('close', this.onEnd);
    // The error listener stays: an error without a listener would end our own process.
    // What still comes is read and thrown away: a full pipe would keep the agent from ending.
    this.stream.resume();
    this.errors.dispose();
    this.closes.dispose();
    this.partials.dispose();
  }

  private readonly onData = (piece: Buffer): void => {
    this.lines.push(piece);
    if (this.waiting < MAX_WAITING && this.waitingBytes < MAX_WAITING_BYTES) return;
    if (this.waiting === 0 || this.paused) return;
    this.paused = true;
    this.stream.pause();
  };

  private readonly onEnd = (): void => {
    if (this.ended || this.disposed) return;
    this.lines.end();
    this.ended = true;
    this.closeIfDone();
  };

  private readonly onStreamError = (error: Error): void => {
    if (this.disposed) return;
    this.options.report('read', `Reading from the agent failed: ${error.message}`);
    this.errors.fire(error);
    this.onEnd();
  };

  private closeIfDone(): void {
    if (!this.ended || this.waiting > 0) return;
    // Later, so that whoever waits for the last answer has seen it before the end is told.
    setImmediate(() => {
      if (!this.disposed) this.closes.fire(undefined);
    });
  }

  private take(raw: string): void {
    if (this.callback === undefined) return;
    this.options.onLine?.('recv', raw);
    const message = this.parse(raw);
    if (message === undefined) return;
    this.ids.adopt(message);
    this.waiting += 1;
    this.waitingBytes += raw.length;
    try {
      this.callback(message);
    } catch (error) {
      this.waiting -= 1;
      this.options.report('callback', `A message could not be handled: ${messageOf(error)}`);
    }
  }

  private parse(raw: string): Message | undefined {
    let value: unknown;
    try {
      value = JSON.parse(raw);
    } catch {
      this.options.report('no JSON', `The agent wrote a line that is no message: ${quoted(raw)}`);
      return undefined;
    }
    if (isObject(value)) return asMessage(value, this.options.report);
    // The protocol has no batches: a list is no message either.
    this.options.report('no object', `The agent wrote JSON that is no message: ${quoted(raw)}`);
    return undefined;
  }
}

/**
 * Writes JSON-RPC messages, one per line, in the order of the calls. `write` resolves when the agent has room for more,
 * so a caller that awaits it holds at most one message: an agent that does not read cannot fill our memory.
 */
export class NdjsonWriter implements MessageWriter {
  private readonly errors = new Emitter<[Error, Message | undefined, number | undefined]>();
  private readonly closes = new Emitter<undefined>();
  readonly onError = this.errors.event;
  readonly onClose = this.closes.event;

  private broken: Error | undefined;
  private room: Promise<void> | undefined;

  constructor(
    private readonly stream: Writable,
    private readonly ids: RequestIds,
    private readonly options: Pick<NdjsonOptions, 'onLine'>,
  ) {
    // Never removed: an agent that dies makes the stream fail (EPIPE), and that must not end our own process.
    stream.on('error', (error) => {
      this.broken ??= error;
      this.errors.fire([error, undefined, undefined]);
    });
  }

  /** False once the agent takes no more messages. */
  get open(): boolean {
    return this.broken === undefined && this.stream.writable;
  }

  /** @throws ConnectionClosed (as a rejection) when the agent's input is closed. */
  async write(message: Message): Promise<void> {
    if (!this.open) {
      throw new ConnectionClosed('The agent no longer takes messages.');
    }
    const raw = JSON.stringify(this.ids.restore(message));
    this.ids.release(message);
    this.options.onLine?.('send', raw);
    if (this.stream.write(`${raw}\n`)) return;
    await (this.room ??= this.waitForRoom());
  }

  end(): void {
    this.stream.end();
  }

  dispose(): void {
    this.broken ??= new ConnectionClosed();
    this.errors.dispose();
    this.closes.dispose();
  }

  private waitForRoom(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.room = undefined;
        this.stream.off('drain', settle);
        this.stream.off('error', settle);
        this.stream.off('close', settle);
        if (this.stream.writable) resolve();
        else reject(new ConnectionClosed('The agent no longer takes messages.'));
      };
      this.stream.on('drain', settle);
      this.stream.on('error', settle);
      this.stream.on('close', settle);
    });
  }
}
