import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from './lines.ts';
import type { Frame } from './envelope.ts';
import { parseFrame, tooLong } from './envelope.ts';

/** Who is told what comes out of a wire. */
export interface WireListener {
  /** @param bytes The length of the line. */
  received(frame: Frame, bytes: number): void;
  /** The client has said all that it will say; what it has said has been handed over. */
  ended(): void;
  /** Nothing can be read or written any more. */
  broken(): void;
  /** Everything that was handed to the output has left. */
  drained(): void;
}

/**
 * JSON-RPC over two byte streams, one message per line. A line is handed to the output in a single write, so no two can
 * mix. The streams belong to whoever made them: they are listened to, and never ended.
 */
export class Wire {
  private readonly lines: LineSplitter;
  private open = true;
  private isHeld = false;
  private unwritten = 0;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly maxLineBytes: number,
    private readonly listener: WireListener,
  ) {
    this.lines = new LineSplitter(maxLineBytes);
    input.on('end', this.onEnd);
    input.on('close', this.onEnd);
    input.on('error', this.onEnd);
    output.on('close', this.onBreak);
    output.on('error', this.onBreak);
    input.on('data', this.onData);
    // Streams that ended before anybody listened say nothing any more.
    if (input.readableEnded || input.destroyed) queueMicrotask(this.onEnd);
    if (output.writableEnded || output.destroyed) queueMicrotask(this.onBreak);
  }

  /** Frames that the output has not taken yet. */
  get parked(): number {
    return this.unwritten;
  }

  /** Writes one frame. Resolves when it has left. @throws Error when it cannot. */
  write(text: string): Promise<void> {
    if (!this.open) return Promise.reject(new Error('The connection is closed'));
    this.unwritten += 1;
    return new Promise((resolve, reject) => {
      this.output.write(`${text}\n`, (error) => {
        this.unwritten -= 1;
        if (error) {
          reject(error);
          this.onBreak();
          return;
        }
        resolve();
        if (this.open && this.unwritten === 0) this.listener.drained();
      });
    });
  }

  /** Reads no further, or goes on. The client feels it as a pipe that is full. */
  hold(isHeld: boolean): void {
    if (!this.open || this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    if (isHeld) this.input.pause();
    else this.input.resume();
  }

  /** Stops listening. */
  close(): void {
    if (!this.open) return;
    this.open = false;
    this.input.off('data', this.onData);
    this.input.off('end', this.onEnd);
    this.input.off('close', this.onEnd);
    this.output.off('close', this.onBreak);
    // The listeners for errors stay: a broken pipe that is reported late must not bring the process down.
    this.input.pause();
  }

  private readonly onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.handOver(this.lines.push(bytes));
  };

  private readonly onEnd = (): void => {
    if (!this.open) return;
    this.handOver(this.lines.flush());
    this.listener.ended();
  };

  private readonly onBreak = (): void => {
    if (this.open) this.listener.broken();
  };

  private handOver(lines: ReturnType<LineSplitter['push']>): void {
    for (const line of lines) {
      if (!this.open) return;
      const frame =
        line.kind === 'line' ? parseFrame(line.bytes) : tooLong(this.maxLineBytes, line.bytes);
      this.listener.received(frame, line.bytes.length);
    }
  }
}
