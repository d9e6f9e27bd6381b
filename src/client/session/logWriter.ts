import fs from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { joinEvents } from '../../thread/joinEvents.ts';
import type { ThreadEvent } from '../../thread/thread.ts';
import { eventLine } from './logFormat.ts';

/** Milliseconds from an event to its write. */
const BATCH = 100;
/** Milliseconds until a write that failed is tried again. */
const RETRY = 5_000;
/** Events that may wait for a disk that fails; beyond, the chat is kept no further. */
const BACKLOG_LIMIT = 100_000;

/**
 * Appends events to a log that nobody else writes: in batches, one write at a time. Each batch is written at a known
 * place, so that one which failed half-way, or is still on its way when everything must be saved at once, can be written
 * again and does no harm.
 */
export class LogWriter {
  private waiting: ThreadEvent[] = [];
  private batch: Buffer | null = null;
  private writing = false;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private failing = false;
  /** Too much waited: whatever comes later would leave a hole in the log. */
  private full = false;

  /** @param position Where the last whole line ends: bytes. The file has nothing after it. */
  constructor(
    private readonly fd: number,
    private position: number,
    /** False when the log is not ours any more: nothing is written then. */
    private readonly mayWrite: () => boolean,
    /** Told in a sentence when events cannot be written. */
    private readonly report: (message: string) => void,
  ) {}

  /** Bytes in the log. */
  get size(): number {
    return this.position;
  }

  append(event: ThreadEvent): void {
    if (this.closed || this.full) return;
    if (this.waiting.length >= BACKLOG_LIMIT) {
      this.full = true;
      this.report('Too much of this chat waits to be saved: from here on it is kept no further.');
      return;
    }
    const last = this.waiting.at(-1);
    const joined = last === undefined ? null : joinEvents(last, event);
    if (joined === null) this.waiting.push(event);
    else this.waiting[this.waiting.length - 1] = joined;
    this.schedule(BATCH);
  }

  /** Writes all that waits, before it returns, and closes the file. What cannot be written is reported. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    try {
      if (this.mayWrite()) this.writeNow();
    } catch (error) {
      this.report(`The end of this chat could not be saved: ${messageOf(error)}`);
    }
    // A write on its way still needs the file: it closes it when it is done.
    if (!this.writing) fs.closeSync(this.fd);
  }

  private writeNow(): void {
    const rest = this.take();
    const all = Buffer.concat([this.batch ?? Buffer.alloc(0), rest]);
    this.batch = null;
    let done = 0;
    while (done < all.length) {
      done += fs.writeSync(this.fd, all, done, all.length - done, this.position + done);
    }
    this.position += all.length;
  }

  private schedule(after: number): void {
    if (this.timer !== null || this.writing || this.closed) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.flush();
    }, after);
  }

  private take(): Buffer {
    const text = this.waiting.map(eventLine).join('');
    this.waiting = [];
    return Buffer.from(text);
  }

  private flush(): void {
    if (!this.mayWrite()) {
      this.waiting = [];
      this.batch = null;
      return;
    }
    this.batch ??= this.take();
    if (this.batch.length === 0) {
      this.batch = null;
      return;
    }
    this.writing = true;
    this.write(this.batch, 0);
  }

  private write(batch: Buffer, done: number): void {
    const at = this.position + done;
    fs.write(this.fd, batch, done, batch.length - done, at, (error, count) => {
      if (this.closed) {
        this.writing = false;
        fs.close(this.fd, () => undefined);
      } else if (error !== null) {
        this.wroteNot(error);
      } else if (done + count < batch.length) {
        this.write(batch, done + count);
      } else {
        this.wrote(batch);
      }
    });
  }

  private wrote(batch: Buffer): void {
    this.writing = false;
    this.failing = false;
    this.position += batch.length;
    this.batch = null;
    if (this.waiting.length > 0) this.schedule(BATCH);
  }

  private wroteNot(error: Error): void {
    this.writing = false;
    if (!this.failing) {
      this.report(`This chat is not being saved, which is tried again: ${error.message}`);
    }
    this.failing = true;
    this.schedule(RETRY);
  }
}
