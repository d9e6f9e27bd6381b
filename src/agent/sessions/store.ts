import path from 'node:path';
import type { Found } from './files.ts';
import { SessionFiles } from './files.ts';
import type { History } from './history.ts';
import { newerPart, readHistory } from './history.ts';
import type { Mark } from './lines.ts';
import { headerLine, isSessionId, readHeader, readLine } from './lines.ts';
import { SessionRecord } from './record.ts';

/** What is kept at most. */
export interface StoreLimits {
  /** Of more, those that were not used for longest are removed. */
  readonly maxSessions: number;
  /** Bytes of one session: of a longer one the older half goes. */
  readonly maxBytes: number;
  /** Sessions in one page of a list. */
  readonly pageSize: number;
}

export interface Summary {
  readonly id: string;
  readonly cwd: string;
  readonly title?: string;
  /** When it was last used: ISO 8601. */
  readonly updatedAt: string;
}

export interface Page {
  readonly sessions: readonly Summary[];
  /** Where the next page begins; left out on the last one. */
  readonly nextCursor?: string;
}

/** A session as it was left, and where to go on writing. */
export interface Opened extends History {
  readonly record: SessionRecord;
}

const LIMITS: StoreLimits = { maxSessions: 200, maxBytes: 8 << 20, pageSize: 50 };
/** Bytes at the beginning of a file that hold its first line, and at its end that hold its last mark. */
const EDGE = 64 * 1024;
/** Sessions in which nothing was said, of processes that were killed: how long, and how many of all, they may lie about. */
const EMPTY_MS = 24 * 60 * 60 * 1000;
const MAX_EMPTY = 2_000;

/**
 * The agent's sessions, kept so that they survive its process. What cannot be read or written is told to the log, and stops no
 * conversation. Other processes may work in the same folder.
 */
export class SessionStore {
  private readonly files: SessionFiles;
  private readonly limits: StoreLimits;

  constructor(
    folder: string,
    private readonly log: (line: string) => void,
    limits: Partial<StoreLimits> = {},
    private readonly now: () => number = Date.now,
  ) {
    this.files = new SessionFiles(folder, now);
    this.limits = { ...LIMITS, ...limits };
  }

  /** Keeps a session that has just begun. @param text The lines that it begins with, and its title, if it is a copy. */
  begin(id: string, cwd: string, text = '', title?: string): SessionRecord {
    const created = new Date(this.now()).toISOString();
    const start = `${headerLine({ id, cwd, created })}${text}`;
    try {
      this.files.create(id, start);
    } catch (error) {
      this.log(`session ${id} will not be kept: ${reasonOf(error)}`);
      return new SessionRecord(() => undefined);
    }
    this.prune(id);
    return this.recordOf(id, Buffer.byteLength(start), title);
  }

  /** @returns Undefined where there is no such session, or none that can be read. */
  open(id: string): Opened | undefined {
    const text = this.textOf(id);
    const history = text === undefined ? undefined : this.historyOf(id, text);
    if (text === undefined || !history) return undefined;
    const record = this.recordOf(id, Buffer.byteLength(text), history.mark.title);
    return { ...history, record };
  }

  /** A copy of a session that goes on by itself. @returns Undefined as `open` does. */
  fork(id: string, copy: string, cwd: string): Opened | undefined {
    const text = this.textOf(id);
    const history = text === undefined ? undefined : this.historyOf(id, text);
    if (text === undefined || !history) return undefined;
    const lines = text.split('\n').slice(1, -1).filter(readLine);
    const copied = lines.map((line) => `${line}\n`).join('');
    const record = this.begin(copy, cwd, copied, history.mark.title);
    return { ...history, record };
  }

  /** @returns Whether there was one. @throws Error when it cannot be removed. */
  remove(id: string): boolean {
    return this.files.remove(id);
  }

  /** Removes a session in which nothing has happened. */
  forgetEmpty(id: string): void {
    try {
      const { maxBytes } = this.limits;
      const lines = this.files.read(id, 'all', maxBytes).split('\n').slice(1);
      const isEmpty = lines.every((line) => line === '' || 'mark' in (readLine(line) ?? {}));
      if (isEmpty) this.files.remove(id);
    } catch {
      // It is gone already, or full.
    }
  }

  /**
   * The sessions, the last used first.
   *
   * @param cwd Only those of this folder, if given.
   * @param cursor Where a page before has ended.
   * @throws RangeError for a cursor that is none.
   */
  list(cwd?: string, cursor?: string): Page {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const sessions: Summary[] = [];
    let last: Found | undefined;
    for (const found of this.files.list()) {
      if (after && !isBehind(found, after)) continue;
      if (last && sessions.length === this.limits.pageSize) {
        return { sessions, nextCursor: cursorOf(last) };
      }
      const summary = this.summaryOf(found);
      if (!summary || (cwd !== undefined && path.relative(summary.cwd, cwd) !== '')) continue;
      sessions.push(summary);
      last = found;
    }
    return { sessions };
  }

  private summaryOf({ id, time, size }: Found): Summary | undefined {
    const header = this.attempt(id, () => readHeader(this.firstLine(id)));
    if (header?.id !== id) {
      this.log(`the file of session ${id} is passed over: it does not begin as one`);
      return undefined;
    }
    const title = this.attempt(id, () => this.titleOf(id, size));
    return {
      id,
      cwd: header.cwd,
      ...(title !== undefined && { title }),
      updatedAt: new Date(time).toISOString(),
    };
  }

  private firstLine(id: string): string {
    return this.files.read(id, 'head', EDGE).split('\n')[0] ?? '';
  }

  /** Every turn ends with a mark: the last one is near the end, but for what a killed process has left. */
  private titleOf(id: string, size: number): string | undefined {
    const near = lastMark(this.files.read(id, 'tail', EDGE));
    if (near || size <= EDGE) return near?.title;
    return lastMark(this.files.read(id, 'all', this.limits.maxBytes * 2))?.title;
  }

  private textOf(id: string): string | undefined {
    const isThere = isSessionId(id) && this.files.list().some((found) => found.id === id);
    if (!isThere) return undefined;
    return this.attempt(id, () => this.files.read(id, 'all', this.limits.maxBytes * 2));
  }

  private historyOf(id: string, text: string): History | undefined {
    const history = readHistory(text);
    if (history?.header.id !== id) {
      this.log(`session ${id} cannot be read: its file does not begin as one`);
      return undefined;
    }
    if (history.unread > 0) {
      this.log(`session ${id}: ${history.unread} lines of its file are passed over`);
    }
    return history;
  }

  /** Writes lines to the end of a file, and makes it shorter when it has become too long. */
  private recordOf(id: string, length: number, title?: string): SessionRecord {
    let size = length;
    let isLost = false;
    // Behind what a killed process has left half written, a line of its own begins.
    let gap = '\n';
    return new SessionRecord((lines) => {
      if (isLost) return;
      try {
        this.files.append(id, gap + lines);
        gap = '';
        size += Buffer.byteLength(lines);
        if (size > this.limits.maxBytes) size = this.shorten(id);
      } catch (error) {
        isLost = true;
        this.log(`session ${id} is not kept any further: ${reasonOf(error)}`);
      }
    }, title);
  }

  private shorten(id: string): number {
    const { maxBytes } = this.limits;
    const text = this.files.read(id, 'all', maxBytes * 2);
    const newer = newerPart(text, maxBytes / 2);
    if (newer === undefined) throw new Error('its file does not begin as one');
    this.files.replace(id, newer);
    return Buffer.byteLength(newer);
  }

  /** @param begun A session that has just begun: it has a place among the kept ones already. */
  private prune(begun: string): void {
    this.files.tidy();
    const all = this.files.list();
    const { maxSessions } = this.limits;
    if (all.length <= maxSessions) return;
    // Whoever only opens sessions must not cost a person their conversations.
    const isEmpty = ({ id, size }: Found): boolean =>
      id !== begun && size <= EDGE && this.isEmpty(id);
    const empty = new Set(all.filter(isEmpty));
    const old = this.now() - EMPTY_MS;
    const victims = [
      ...[...empty].filter(({ time }, at) => time < old || at >= MAX_EMPTY),
      ...all.filter((found) => found.id !== begun && !empty.has(found)).slice(maxSessions - 1),
    ];
    for (const { id } of victims) this.attempt(id, () => this.files.remove(id));
  }

  /** Whether nothing has happened in a session. */
  private isEmpty(id: string): boolean {
    try {
      const lines = this.files.read(id, 'head', EDGE).split('\n').slice(1);
      return lines.every((line) => line === '' || 'mark' in (readLine(line) ?? {}));
    } catch {
      return false;
    }
  }

  private attempt<T>(id: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.log(`session ${id}: ${reasonOf(error)}`);
      return undefined;
    }
  }
}

function lastMark(text: string): Mark | undefined {
  for (const raw of text.split('\n').reverse()) {
    const line = raw.startsWith('{"mark"') ? readLine(raw) : undefined;
    if (line && 'mark' in line) return line.mark;
  }
  return undefined;
}

/** Only what is known: a message of the system names paths of this machine. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be used';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

function cursorOf({ time, id }: Found): string {
  return Buffer.from(`${time} ${id}`).toString('base64url');
}

function readCursor(cursor: string): Pick<Found, 'time' | 'id'> {
  const [time = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!/^\d{1,15}(?:\.\d{1,9})?$/.test(time) || !isSessionId(id) || rest.length > 0) {
    throw new RangeError('This is no cursor that was given out here.');
  }
  return { time: Number(time), id };
}

function isBehind(one: Pick<Found, 'time' | 'id'>, other: Pick<Found, 'time' | 'id'>): boolean {
  return one.time < other.time || (one.time === other.time && one.id > other.id);
}
