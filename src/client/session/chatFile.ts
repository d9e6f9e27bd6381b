import path from 'node:path';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Change } from '../../thread/thread.ts';
import type { Agent } from '../agents/agent.ts';
import type { Log, Workspace } from '../ports.ts';
import type { PermissionDesk } from '../requests/permissionDesk.ts';
import type { RequestServices } from '../requests/requestServices.ts';
import { Chat } from './chat.ts';
import type { ChatIndex, ChatRecord } from './chatIndex.ts';
import { LOG_VERSION } from './logFormat.ts';
import { SessionLog } from './sessionLog.ts';
import { ThreadStore } from './threadStore.ts';
import { isUnused, titleOf } from './threadTitle.ts';

interface ChatFileParts {
  readonly id: string;
  readonly agent: Agent;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly folder: string;
  readonly index: ChatIndex;
  readonly desk: PermissionDesk;
  readonly services: RequestServices;
  readonly workspace: Workspace;
  readonly log: Log;
  readonly newId: () => string;
  readonly stopPatience: number | undefined;
  /** What the list shows of the chat may have changed. */
  readonly summaryChanged: () => void;
  /** The chat can be written, or not any more. */
  readonly readOnlyChanged: () => void;
}

/** From a change of what the list shows of a chat to the disk: milliseconds. */
const SAVE_AFTER = 1_000;

/** A chat that is open in this window, with what keeps it: its log and its record in the list. */
export class ChatFile implements Disposable {
  readonly chat: Chat;
  private readonly store: ThreadStore;
  private readonly log: SessionLog;
  private updatedAt: number;
  private savedSize = -1;
  private stale = false;
  private saving: NodeJS.Timeout | null = null;
  private loading = false;

  constructor(private readonly parts: ChatFileParts) {
    const { id, agent, createdAt, folder, newId } = parts;
    this.updatedAt = parts.updatedAt;
    const header = { version: LOG_VERSION, id, agentId: agent.id, createdAt };
    this.log = new SessionLog(folder, header, parts.log, {
      trouble: (text) => {
        this.store.show({ type: 'noticed', severity: 'warning', text });
      },
      lost: parts.readOnlyChanged,
    });
    this.store = new ThreadStore(this.log, (message) => {
      parts.log.warn(`chat ${id}: ${message}`);
    });
    this.chat = new Chat({
      id,
      agent,
      store: this.store,
      desk: parts.desk,
      services: parts.services,
      workspace: parts.workspace,
      ownFolder: path.join(folder, 'work', id),
      log: parts.log,
      newId,
      readOnly: () => this.log.readOnly,
      ...(parts.stopPatience === undefined ? {} : { stopPatience: parts.stopPatience }),
    });
    this.store.onDidChange((changes) => {
      this.noted(changes);
    });
  }

  /** For the list. */
  get record(): ChatRecord {
    const { thread, id } = this.chat;
    return {
      id,
      title: titleOf(thread),
      agentId: this.chat.agent.id,
      createdAt: this.parts.createdAt,
      updatedAt: this.updatedAt,
      failed: thread.latest?.state.kind === 'failed',
      size: this.log.size,
    };
  }

  /** True if there is nothing in it that anybody would miss. */
  get isUnused(): boolean {
    return isUnused(this.chat.thread) && !this.chat.readOnly;
  }

  /** Reads the chat from the disk and becomes its writer, if no other window is. */
  async load(): Promise<void> {
    this.loading = true;
    try {
      await this.log.load((event) => {
        this.store.replay(event);
      });
    } finally {
      this.loading = false;
    }
    this.savedSize = this.log.size;
    if (this.log.readOnly === null) this.store.dispatch({ type: 'interrupted' });
    else if (this.log.readOnly === 'newer') this.chat.explainReadOnly();
  }

  /** What another window wrote meanwhile; becomes the writer if that window is gone. */
  async follow(): Promise<void> {
    if (this.log.readOnly !== 'elsewhere') return;
    const mine = await this.log.takeOver((event) => {
      this.store.replay(event);
    });
    if (mine) {
      this.store.dispatch({ type: 'interrupted' });
      this.parts.readOnlyChanged();
    } else {
      await this.log.follow((event) => {
        this.store.replay(event);
      });
    }
  }

  /** Saves everything, or leaves nothing behind if nothing was said. */
  dispose(): void {
    const unused = this.isUnused;
    if (this.saving !== null) clearTimeout(this.saving);
    this.chat.dispose();
    if (unused) {
      this.log.remove();
      this.parts.index.remove(this.chat.id);
      return;
    }
    this.log.dispose();
    if (this.stale || this.log.size !== this.savedSize) this.save();
  }

  /** So that what the list shows is there after a crash, too. */
  private saveSoon(): void {
    this.saving ??= setTimeout(() => {
      this.saving = null;
      this.save();
    }, SAVE_AFTER).unref();
  }

  private save(): void {
    if (this.chat.readOnly) return;
    this.stale = false;
    const { record } = this;
    // In a log of this size there is something to find.
    if (record.size > 0) this.parts.index.write(record);
    this.savedSize = record.size;
  }

  private noted(changes: readonly Change[]): void {
    if (this.loading) return;
    const turns = changes.some(({ type }) => type === 'turn' || type === 'turnState');
    const titled = changes.some((change) => change.type === 'fields' && 'title' in change.fields);
    if (!turns && !titled) return;
    if (turns) this.updatedAt = Math.max(this.updatedAt, lastTime(this.chat));
    this.stale = true;
    this.saveSoon();
    this.parts.summaryChanged();
  }
}

function lastTime({ thread }: Chat): number {
  return thread.latest?.endedAt ?? thread.latest?.startedAt ?? 0;
}
