import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ThreadEvent } from '../../thread/thread.ts';
import type { Log } from '../ports.ts';
import { ChatLock } from './chatLock.ts';
import { DraftFile } from './draftFile.ts';
import { headerLine, isLogHeader, LOG_VERSION, readLine, type LogHeader } from './logFormat.ts';
import { LogReader } from './logReader.ts';
import { LogWriter } from './logWriter.ts';

/** Why a chat can only be read. */
export type ReadOnlyReason = 'elsewhere' | 'newer';

/** What the owner of a log hears of. */
interface LogEvents {
  /** Told if the chat cannot be kept, each reason once; the chat goes on all the same. */
  trouble(text: string): void;
  /** Another window took the log over, which can happen only after this one slept for long. */
  lost(): void;
}

/** The file of a chat's log. */
export function logFile(folder: string, chatId: string): string {
  return path.join(folder, `${chatId}.ndjson`);
}

/** The file that says who writes a chat. */
export function lockFile(folder: string, chatId: string): string {
  return path.join(folder, `${chatId}.lock`);
}

/**
 * The log of one chat: one JSON line per thread event, appended and never changed. It is created with the first event,
 * so a chat in which nothing was said leaves nothing behind. One window writes it; others read along.
 */
export class SessionLog implements Disposable {
  private readonly file: string;
  private readonly reader: LogReader;
  private readonly draft: DraftFile;
  private lock: ChatLock | null = null;
  private writer: LogWriter | null = null;
  private early: ThreadEvent[] = [];
  private opening: NodeJS.Timeout | null = null;
  private reason: ReadOnlyReason | null = null;
  private header: LogHeader | null = null;
  private bad = 0;
  private readonly told = new Set<string>();
  private broken = false;
  private disposed = false;

  constructor(
    private readonly folder: string,
    private readonly fresh: LogHeader,
    private readonly log: Log,
    private readonly events: LogEvents,
  ) {
    this.file = logFile(folder, fresh.id);
    this.reader = new LogReader(this.file);
    this.draft = new DraftFile(path.join(folder, `${fresh.id}.draft`), log);
  }

  /** `null` if this window may write. */
  get readOnly(): ReadOnlyReason | null {
    return this.reason;
  }

  /** Bytes on the disk, as far as this window knows. */
  get size(): number {
    return this.writer?.size ?? this.reader.end;
  }

  /**
   * Reads the log of a chat that is there already and tries to become its writer.
   * @param take Called with every event, in order.
   */
  async load(take: (event: ThreadEvent) => void): Promise<void> {
    if (!this.takeLock() && !this.broken) this.reason = 'elsewhere';
    await this.follow(take);
    const text = await this.draft.read();
    if (text !== '') take({ at: this.fresh.createdAt, type: 'drafted', text });
    if (this.header !== null && this.header.version > LOG_VERSION) {
      this.reason = 'newer';
      this.letGo();
    } else if (this.reason === null) {
      this.beginWriting();
    }
  }

  /** Reads what another window has written since. */
  async follow(take: (event: ThreadEvent) => void): Promise<void> {
    const before = this.bad;
    await this.reader.read((line) => {
      const item = readLine(line);
      if (item === null) this.bad += 1;
      else if (isLogHeader(item)) this.header ??= item;
      else take(item);
    });
    if (this.bad > before) {
      this.log.warn(`${this.file}: ${this.bad - before} lines cannot be read and are left out`);
    }
  }

  /**
   * Becomes the writer of a chat that was live in another window, if that one is gone.
   * @returns True if this window writes it from now on; `take` then got what was written last.
   */
  async takeOver(take: (event: ThreadEvent) => void): Promise<boolean> {
    if (this.reason !== 'elsewhere' || !this.takeLock()) return false;
    await this.follow(take);
    this.reason = null;
    this.beginWriting();
    return true;
  }

  append(event: ThreadEvent): void {
    if (this.reason !== null || this.broken || this.disposed) return;
    if (event.type === 'drafted') this.draft.set(event.text);
    else if (this.writer === null) this.early.push(event);
    else this.writer.append(event);
    if (this.writer !== null) return;
    this.opening ??= setTimeout(() => {
      this.create();
    }, 0);
  }

  /** Everything is on the disk when this returns. */
  dispose(): void {
    this.disposed = true;
    this.create();
    this.draft.flush();
    this.letGo();
  }

  /** Takes the log off the disk: nothing was said in this chat. */
  remove(): void {
    this.disposed = true;
    if (this.opening !== null) clearTimeout(this.opening);
    if (this.writer !== null && this.lock?.isOurs() === true) {
      fs.rmSync(this.file, { force: true });
      this.draft.remove();
    }
    this.letGo();
  }

  private create(): void {
    if (this.opening === null) return;
    clearTimeout(this.opening);
    this.opening = null;
    if (this.takeLock()) this.beginWriting();
    else if (!this.broken) this.reason = 'elsewhere';
  }

  private beginWriting(): void {
    if (this.broken) return;
    try {
      fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const fd = fs.openSync(this.file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
      this.writer = this.writerOn(fd);
    } catch (error) {
      this.letGo();
      this.giveUp(error);
      return;
    }
    for (const event of this.early) this.writer.append(event);
    this.early = [];
  }

  private writerOn(fd: number): LogWriter {
    // A line that a crash tore goes: the next one must not be glued to it.
    let { end } = this.reader;
    fs.ftruncateSync(fd, end);
    if (end === 0) end = fs.writeSync(fd, headerLine(this.fresh), 0);
    const mayWrite = (): boolean => this.lock?.isOurs() === true || this.lost();
    return new LogWriter(fd, end, mayWrite, (text) => {
      this.trouble(text);
    });
  }

  /** Another window has the log now; it goes on after the last line that was written here. @returns False. */
  private lost(): false {
    if (this.reason !== null || this.disposed) return false;
    this.reason = 'elsewhere';
    this.log.warn(`${this.file} was taken over by another window`);
    // Not in the stack of the writer, which is to be closed.
    queueMicrotask(() => {
      this.letGo();
      this.events.lost();
    });
    return false;
  }

  private takeLock(): boolean {
    try {
      fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      this.lock ??= ChatLock.take(lockFile(this.folder, this.fresh.id));
      return this.lock !== null;
    } catch (error) {
      this.giveUp(error);
      return false;
    }
  }

  private giveUp(error: unknown): void {
    if (this.broken) return;
    this.broken = true;
    this.early = [];
    this.trouble(`This chat cannot be saved: ${messageOf(error)}`);
  }

  private trouble(text: string): void {
    this.log.error(`${this.file}: ${text}`);
    // A disk that comes and goes must not fill the chat.
    if (this.told.has(text)) return;
    this.told.add(text);
    this.events.trouble(text);
  }

  private letGo(): void {
    this.writer?.close();
    this.reader.skipTo(this.size);
    this.writer = null;
    this.lock?.release();
    this.lock = null;
  }
}
