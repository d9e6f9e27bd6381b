import fs from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../ports.ts';
import { ChatLock } from './chatLock.ts';
import { isLogHeader, readLine, type LogHeader } from './logFormat.ts';
import { LogReader } from './logReader.ts';
import { lockFile, logFile } from './sessionLog.ts';
import { ThreadStore } from './threadStore.ts';
import { titleOf } from './threadTitle.ts';

/** What the list of chats shows of one, kept beside its log so that listing reads no whole logs. */
export interface ChatRecord {
  readonly id: string;
  readonly title: string;
  readonly agentId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly failed: boolean;
  /** Bytes of the log that this was made from: another size means that it is out of date. */
  readonly size: number;
}

/** Which chat was active last, and its agent: a chat in which nothing was said is not on the disk. */
interface LastActive {
  readonly chatId: string;
  readonly agentId: string;
}

/** Names that this floor gives to chats; anything else in the folder is not ours. */
const CHAT_ID = /^[\w-]{1,64}$/;
const LOG_END = '.ndjson';

/**
 * The chats in a folder. The logs are the truth: a record that is missing, damaged or out of date is made anew from its
 * log. Each chat has a file of its own, so that two windows never write the same one.
 */
export class ChatIndex {
  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  /** All chats on the disk, in no order. What cannot be read is left out and logged; never rejects. */
  async read(): Promise<readonly ChatRecord[]> {
    const names = await readdir(this.folder).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(LOG_END))
      .map((name) => name.slice(0, -LOG_END.length))
      .filter((id) => CHAT_ID.test(id));
    const kept = await Promise.all(ids.map((id) => this.recordOf(id)));
    const records: ChatRecord[] = [];
    for (const [index, id] of ids.entries()) {
      const record = kept[index] ?? (await this.rebuilt(id));
      if (record !== null) records.push(record);
    }
    return records;
  }

  write(record: ChatRecord): void {
    this.put(this.recordFile(record.id), record);
  }

  remove(chatId: string): void {
    fs.rmSync(this.recordFile(chatId), { force: true });
  }

  /** Remembers the active chat, if there is anything on the disk at all. */
  writeActive(active: LastActive): void {
    if (fs.existsSync(this.folder)) this.put(path.join(this.folder, 'active.json'), active);
  }

  async readActive(): Promise<LastActive | null> {
    const value = await readJson(path.join(this.folder, 'active.json'));
    if (value === null || !('chatId' in value) || !('agentId' in value)) return null;
    const { chatId, agentId } = value;
    return typeof chatId === 'string' && typeof agentId === 'string' ? { chatId, agentId } : null;
  }

  private recordFile(chatId: string): string {
    return path.join(this.folder, `${chatId}.json`);
  }

  /** The old content or the new one is there after a crash, never half of one. */
  private put(file: string, value: object): void {
    const next = `${file}.${process.pid}.tmp`;
    try {
      fs.writeFileSync(next, JSON.stringify(value), { mode: 0o600 });
      fs.renameSync(next, file);
    } catch (error) {
      this.log.warn(`${file} cannot be written: ${messageOf(error)}`);
    }
  }

  private async recordOf(id: string): Promise<ChatRecord | null> {
    const value = await readJson(this.recordFile(id));
    if (value === null || !isRecord(value) || value.id !== id) return null;
    const log = await stat(logFile(this.folder, id)).catch(() => null);
    // The log of a chat that is live elsewhere grows while we look: its record is as good as any.
    if (log?.size === value.size || ChatLock.isHeld(lockFile(this.folder, id))) return value;
    return null;
  }

  private async rebuilt(id: string): Promise<ChatRecord | null> {
    try {
      const record = await this.fromLog(id);
      if (record !== null && !ChatLock.isHeld(lockFile(this.folder, id))) this.write(record);
      return record;
    } catch (error) {
      this.log.warn(`the chat ${id} cannot be read: ${messageOf(error)}`);
      return null;
    }
  }

  private async fromLog(id: string): Promise<ChatRecord | null> {
    const reader = new LogReader(logFile(this.folder, id));
    const store = new ThreadStore({ append: () => undefined }, () => undefined);
    const headers: LogHeader[] = [];
    let updatedAt = 0;
    await reader.read((line) => {
      const item = readLine(line);
      if (item === null) return;
      if (isLogHeader(item)) {
        headers.push(item);
        return;
      }
      store.replay(item);
      updatedAt = Math.max(updatedAt, item.at);
    });
    const [header] = headers;
    return header === undefined ? null : summary(id, header, store, updatedAt, reader.end);
  }
}

function summary(
  id: string,
  { agentId, createdAt }: LogHeader,
  { thread }: ThreadStore,
  updatedAt: number,
  size: number,
): ChatRecord {
  return {
    id,
    title: titleOf(thread),
    agentId,
    createdAt,
    updatedAt: Math.max(updatedAt, createdAt),
    failed: thread.latest?.state.kind === 'failed',
    size,
  };
}

async function readJson(file: string): Promise<object | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: object): value is ChatRecord {
  return (
    'id' in value &&
    typeof value.id === 'string' &&
    'title' in value &&
    typeof value.title === 'string' &&
    'agentId' in value &&
    typeof value.agentId === 'string' &&
    'createdAt' in value &&
    typeof value.createdAt === 'number' &&
    'updatedAt' in value &&
    typeof value.updatedAt === 'number' &&
    'failed' in value &&
    typeof value.failed === 'boolean' &&
    'size' in value &&
    typeof value.size === 'number'
  );
}
