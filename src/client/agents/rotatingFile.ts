import fs from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../ports.ts';

/** Characters that may wait for the disk; beyond, lines are dropped and counted. */
const BACKLOG_LIMIT = 32 * 1024 * 1024;

/**
 * A text file that lines are appended to and that never grows without end: when it is full it becomes `NAME.1` (the
 * one before that goes) and a new one begins. Writes wait for each other; a disk that fails costs lines, nothing else.
 */
export class RotatingFile {
  private waiting: string[] = [];
  private backlog = 0;
  private dropped = 0;
  private size: number | null = null;
  private writing: Promise<void> | null = null;
  private broken = false;

  /** @param limit Bytes after which a new file begins. */
  constructor(
    private readonly file: string,
    private readonly limit: number,
    private readonly log: Log,
  ) {}

  /** @param line Without its line end. */
  append(line: string): void {
    if (this.broken) return;
    if (this.backlog + line.length > BACKLOG_LIMIT) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(line);
    this.backlog += line.length;
    this.writing ??= this.drain();
  }

  /** When all that was appended is on the disk. Never rejects. */
  async flushed(): Promise<void> {
    while (this.writing !== null) await this.writing;
  }

  private async drain(): Promise<void> {
    try {
      while (this.waiting.length > 0) await this.write(this.take());
    } catch (error) {
      this.broken = true;
      this.waiting = [];
      this.log.warn(`${this.file} cannot be written, and is given up: ${messageOf(error)}`);
    } finally {
      this.writing = null;
    }
  }

  private take(): string {
    const lines = this.waiting;
    this.waiting = [];
    this.backlog = 0;
    if (this.dropped > 0) {
      this.log.warn(`${this.file}: ${this.dropped} lines came faster than the disk and are lost`);
      this.dropped = 0;
    }
    return `${lines.join('\n')}\n`;
  }

  private async write(text: string): Promise<void> {
    this.size ??= await this.open();
    if (this.size >= this.limit) {
      await fs.rename(this.file, `${this.file}.1`);
      this.size = 0;
    }
    await fs.appendFile(this.file, text, { mode: 0o600 });
    this.size += Buffer.byteLength(text);
  }

  private async open(): Promise<number> {
    await fs.mkdir(path.dirname(this.file), { recursive: true });
    const stat = await fs.stat(this.file).catch(() => null);
    return stat?.size ?? 0;
  }
}
