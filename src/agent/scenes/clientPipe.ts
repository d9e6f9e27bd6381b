import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LineSplitter } from '../server/lines.ts';
import type { JsonObject } from './json.ts';
import { parseObject } from './json.ts';

/** Who is told what the client does. */
export interface ClientListener {
  /** @param bytes The length of its line. */
  received(frame: JsonObject, bytes: number): void;
  /** A line that is no object of JSON, or longer than allowed. */
  malformed(line: string): void;
  /** The client says nothing any more, or cannot be written to. */
  gone(): void;
}

/** Bytes of the longest line of a client that is taken: prompts carry pictures. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** A client on two byte streams, which is written to with whatever bytes one likes. */
export class ClientPipe {
  private readonly lines = new LineSplitter(LONGEST_LINE);
  private readonly leaving = new AbortController();
  private listener: ClientListener | undefined;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  /** Whether the client has said all that it will say. */
  get isGone(): boolean {
    return this.leaving.signal.aborted;
  }

  /** Reads from now on. */
  listen(listener: ClientListener): void {
    this.listener = listener;
    const leave = (): void => {
      if (this.isGone) return;
      this.hear(this.lines.flush());
      this.leaving.abort();
      listener.gone();
    };
    for (const event of ['end', 'close', 'error']) this.input.on(event, leave);
    for (const event of ['close', 'error']) this.output.on(event, leave);
    this.input.on('data', (chunk: Buffer) => {
      this.hear(this.lines.push(chunk));
    });
  }

  /** Reads no further, or goes on; the client feels it as a pipe that is full. */
  hold(isHeld: boolean): void {
    if (isHeld) this.input.pause();
    else if (this.input.isPaused()) this.input.resume();
  }

  /** Resolves when all has left, so that nobody who waits piles anything up, or when there is nobody to take it. */
  write(data: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.output.write(data, () => {
        resolve();
      });
    });
  }

  /** Waits so many milliseconds; no longer once the client has gone. */
  async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.leaving.signal }).catch(() => undefined);
  }

  private hear(lines: ReturnType<LineSplitter['push']>): void {
    for (const { kind, bytes } of lines) {
      const text = bytes.toString('utf8');
      const frame = kind === 'line' ? parseObject(text) : undefined;
      if (frame !== undefined) this.listener?.received(frame, bytes.length);
      else if (text.trim() !== '') this.listener?.malformed(text);
    }
  }
}
