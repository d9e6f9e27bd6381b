import fs from 'node:fs';
import path from 'node:path';
import { isSessionId } from './lines.ts';

/** A session's file as the folder shows it. */
export interface Found {
  readonly id: string;
  /** When it was last written, in milliseconds. */
  readonly time: number;
  /** Bytes. */
  readonly size: number;
}

const ENDING = '.ndjson';
/** Half-written files of a process that was killed are removed when they are older than this, in milliseconds. */
const STALE_MS = 3_600_000;

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = fs.constants;
/** Neither a link nor a pipe of somebody else is followed or waited for. Windows knows neither of the two. */
const SAFELY = flag('O_NOFOLLOW') | flag('O_NONBLOCK');

/**
 * The files of the sessions, one each, in a folder that only their owner can read. Lines are appended in a single write each,
 * so those of two processes do not mix. Ids are checked before they become names.
 */
export class SessionFiles {
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  /** @throws Error when there is a file of this id already, or none can be made. */
  create(id: string, text: string): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.write(id, O_WRONLY | O_CREAT | O_EXCL, text);
  }

  /** Adds to a file that is there: who has deleted it shall not get it back. @throws Error ENOENT, and others. */
  append(id: string, text: string): void {
    this.write(id, O_WRONLY | O_APPEND, text);
  }

  /** Puts another text in the place of the file's, at once and as a whole. @throws Error. */
  replace(id: string, text: string): void {
    const beside = `${this.pathOf(id)}.${process.pid}.tmp`;
    fs.writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    fs.renameSync(beside, this.pathOf(id));
  }

  /**
   * The file's text: all of it, or so many bytes at its beginning or its end.
   *
   * @throws Error when there is none, or what has its name is no file.
   */
  read(id: string, part: 'all' | 'head' | 'tail', most: number): string {
    const file = fs.openSync(this.pathOf(id), O_RDONLY | SAFELY);
    try {
      const stats = fs.fstatSync(file);
      if (!stats.isFile()) throw new Error('it is no file');
      if (part === 'all' && stats.size > most) throw new Error('it is too big');
      const length = Math.min(most, stats.size);
      const bytes = Buffer.alloc(length);
      const start = part === 'tail' ? stats.size - length : 0;
      return bytes.toString('utf8', 0, fs.readSync(file, bytes, 0, length, start));
    } finally {
      fs.closeSync(file);
    }
  }

  /** What is there, the last used first. Nothing where the folder is missing. */
  list(): readonly Found[] {
    const found = this.names().flatMap((name): Found[] => {
      const id = path.basename(name, ENDING);
      const stats = isSessionId(id) && name.endsWith(ENDING) ? this.stats(name) : undefined;
      return stats?.isFile() === true ? [{ id, time: stats.mtimeMs, size: stats.size }] : [];
    });
    return found.sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1));
  }

  /** @returns Whether there was one. @throws Error when it cannot be removed. */
  remove(id: string): boolean {
    if (!isSessionId(id) || this.stats(`${id}${ENDING}`)?.isFile() !== true) return false;
    fs.rmSync(this.pathOf(id), { force: true });
    return true;
  }

  /** Removes what processes that were killed have left behind. */
  tidy(): void {
    for (const name of this.names()) {
      if (!name.endsWith('.tmp') || !isSessionId(name.slice(0, name.indexOf('.')))) continue;
      const stats = this.stats(name);
      if (stats && this.now() - stats.mtimeMs > STALE_MS) {
        fs.rmSync(path.join(this.folder, name), { force: true });
      }
    }
  }

  private write(id: string, flags: number, text: string): void {
    const file = fs.openSync(this.pathOf(id), flags | SAFELY, 0o600);
    try {
      if (!fs.fstatSync(file).isFile()) throw new Error('it is no file');
      fs.writeSync(file, text);
    } finally {
      fs.closeSync(file);
    }
  }

  /** @throws Error for what cannot be the id of a session. */
  private pathOf(id: string): string {
    if (!isSessionId(id)) throw new Error('it has no id of ours');
    return path.join(this.folder, `${id}${ENDING}`);
  }

  private names(): readonly string[] {
    try {
      return fs.readdirSync(this.folder);
    } catch {
      return [];
    }
  }

  private stats(name: string): fs.Stats | undefined {
    try {
      return fs.lstatSync(path.join(this.folder, name));
    } catch {
      return undefined;
    }
  }
}

function flag(name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number {
  const constants: Readonly<Record<string, number | undefined>> = fs.constants;
  return constants[name] ?? 0;
}
