import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, JsonRpcId, Stream } from '@agentclientprotocol/sdk';
import type { Frame } from './envelope.ts';
import { parseFrame, tooLong } from './envelope.ts';
import { LineSplitter } from './lines.ts';

/** A frame in the SDK's sense, or an answer to a frame that had no usable id. */
type Outgoing = AnyMessage | { jsonrpc: '2.0'; id: null; error: object };

/**
 * JSON-RPC over two byte streams, one message per line. Each line is handed to the output in a single write, so no
 * two can mix; the SDK waits for each write, so a client that reads slowly slows the agent down.
 */
export class Transport {
  /** What the SDK's connection reads and writes. */
  readonly stream: Stream;
  private readonly lines: LineSplitter;
  private readonly awaited = new Map<JsonRpcId, (() => void)[]>();
  private controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  private open = true;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly maxLineBytes: number,
  ) {
    this.lines = new LineSplitter(maxLineBytes);
    this.stream = {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          this.controller = controller;
        },
        // The connection has closed: nothing can be handed to it any more.
        cancel: () => {
          this.controller = undefined;
        },
      }),
      writable: new WritableStream<AnyMessage>({ write: (message) => this.send(message) }),
    };
    input.on('data', this.onData);
    input.on('end', this.onEnd);
    input.on('close', this.onEnd);
    input.on('error', this.onEnd);
    output.on('close', this.onEnd);
    output.on('error', this.onEnd);
  }

  /** Resolves once the answer to this request has left, or never will. */
  answered(id: JsonRpcId): Promise<void> {
    if (!this.open) return Promise.resolve();
    return new Promise((resolve) => {
      this.awaited.set(id, [...(this.awaited.get(id) ?? []), resolve]);
    });
  }

  /** Stops listening. The streams stay as they are: they belong to whoever made them. */
  close(): void {
    if (!this.open) return;
    this.open = false;
    this.input.off('data', this.onData);
    this.input.off('end', this.onEnd);
    this.input.off('close', this.onEnd);
    // The listeners for errors stay: a broken pipe that is reported late must not bring the process down.
    this.controller?.close();
    for (const resolvers of this.awaited.values()) for (const resolve of resolvers) resolve();
    this.awaited.clear();
  }

  private readonly onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (const line of this.lines.push(bytes)) {
      this.receive(line.kind === 'line' ? parseFrame(line.bytes) : tooLong(this.maxLineBytes));
    }
  };

  private readonly onEnd = (): void => {
    if (!this.open) return;
    for (const line of this.lines.flush()) {
      if (line.kind === 'line') this.receive(parseFrame(line.bytes));
    }
    this.close();
  };

  private receive(frame: Frame): void {
    if (frame.kind === 'message') this.controller?.enqueue(frame.message);
    if (frame.kind !== 'fault') return;
    const error = frame.error.toErrorResponse();
    this.send({ jsonrpc: '2.0', id: null, error }).catch(this.onEnd);
  }

  private send(message: Outgoing): Promise<void> {
    return new Promise((resolve, reject) => {
      this.output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) {
          reject(error);
          this.onEnd();
          return;
        }
        resolve();
        if (!('method' in message)) this.settle(message.id);
      });
    });
  }

  private settle(id: JsonRpcId): void {
    for (const resolve of this.awaited.get(id) ?? []) resolve();
    this.awaited.delete(id);
  }
}
