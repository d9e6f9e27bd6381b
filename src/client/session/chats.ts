import { randomUUID } from 'node:crypto';
import { messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { ChatSummary } from '../../thread/status.ts';
import type { Agents } from '../agents/agents.ts';
import type { Log, Settings, Workspace } from '../ports.ts';
import type { PermissionDesk } from '../requests/permissionDesk.ts';
import type { RequestServices } from '../requests/requestServices.ts';
import type { Chat } from './chat.ts';
import { ChatFile } from './chatFile.ts';
import { ChatIndex, type ChatRecord } from './chatIndex.ts';

/** How often a chat that is live in another window is looked at: milliseconds. */
const FOLLOW_EVERY = 1_000;

interface ChatsParts {
  readonly agents: Agents;
  readonly desk: PermissionDesk;
  readonly services: RequestServices;
  readonly settings: Settings;
  readonly workspace: Workspace;
  /** Where this workspace's chats are kept; created when there is something to keep. */
  readonly folder: string;
  readonly log: Log;
  /** How long an agent may take no notice of Stop before the chat says so: milliseconds, 10,000 if left out. */
  readonly stopPatience?: number;
}

/** The chats of this workspace, one of which is active. */
export class Chats implements Disposable {
  private readonly activeChanged = new Emitter<Chat>((error) => {
    this.listenerFailed(error);
  });
  private readonly listChanged = new Emitter<void>((error) => {
    this.listenerFailed(error);
  });
  private readonly owned = new Disposables();
  private readonly index: ChatIndex;
  private readonly opened = new Map<string, ChatFile>();
  private readonly opening = new Map<string, Promise<ChatFile>>();
  /** Chats on the disk that this window has not opened. */
  private readonly closed = new Map<string, ChatRecord>();
  private current: ChatFile;
  /** Counts choices of the person: a chat that took long to read must not push away one chosen later. */
  private choice = 0;
  private following = false;
  /** Runs while the active chat can only be read. */
  private followTimer: NodeJS.Timeout | null = null;
  private disposed = false;

  /** Another chat is active, or the active one can be written now, or no more: show it afresh. */
  readonly onDidChangeActive = this.activeChanged.event;
  /** A chat came, was renamed, or changed its state. */
  readonly onDidChangeList = this.listChanged.event;

  constructor(private readonly parts: ChatsParts) {
    this.index = new ChatIndex(parts.folder, parts.log);
    this.current = this.create(parts.settings.defaultAgent());
    const changed = (): void => {
      this.listChanged.fire();
    };
    this.owned.add(parts.desk.onDidChange(changed));
    this.owned.add(parts.agents.onDidChange(changed));
  }

  /** There is always one. */
  get active(): Chat {
    return this.current.chat;
  }

  /** Most recently used first; the active one is among them, also while nothing was said in it. */
  list(): readonly ChatSummary[] {
    const records = [...this.closed.values()];
    for (const file of this.opened.values()) {
      if (file === this.current || !file.isUnused) records.push(file.record);
    }
    return records
      .sort((a, b) => b.updatedAt - a.updatedAt)
      .map((record) => this.summaryOf(record));
  }

  /** A chat that has been opened since the window was. */
  get(id: string): Chat | undefined {
    return this.opened.get(id)?.chat;
  }

  /** Makes a new chat active. An unused one of that agent is used again. @param agentId Defaults to the chosen one. */
  newChat(agentId = this.parts.settings.defaultAgent()): Chat {
    const unused = [...this.opened.values()].find(
      (file) => file.isUnused && file.chat.agent.id === agentId,
    );
    this.choice += 1;
    return this.activate(unused ?? this.create(agentId));
  }

  /** Makes a chat active, reading its log if that was not done. Rejects with a `UserError` if that cannot be. */
  async open(id: string): Promise<Chat> {
    this.choice += 1;
    const { choice } = this;
    const file = this.opened.get(id) ?? (await this.read(id));
    if (choice === this.choice && !this.disposed) this.activate(file);
    return file.chat;
  }

  /** Finds the chats on disk; the last active one becomes active, unless something was said already. Never rejects. */
  async load(): Promise<void> {
    const { choice } = this;
    const [records, last] = await Promise.all([this.index.read(), this.index.readActive()]);
    if (this.disposed) return;
    for (const record of records) {
      if (!this.opened.has(record.id)) this.closed.set(record.id, record);
    }
    this.listChanged.fire();
    if (choice !== this.choice || !this.current.isUnused) return;
    const wanted = last?.chatId ?? newest(records)?.id;
    if (wanted === undefined) return;
    if (this.closed.has(wanted)) {
      await this.open(wanted).catch((error: unknown) => {
        this.parts.log.error(messageOf(error));
      });
    } else if (last !== null) {
      this.newChat(last.agentId);
    }
  }

  /** Writes what is not yet written, answers what is open and lets the chats go. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.watchActive();
    this.owned.dispose();
    this.activeChanged.dispose();
    this.listChanged.dispose();
    for (const file of this.opened.values()) file.dispose();
    this.rememberActive();
  }

  private create(agentId: string): ChatFile {
    const now = Date.now();
    const file = this.fileOf(randomUUID(), agentId, now, now);
    this.opened.set(file.chat.id, file);
    return file;
  }

  private fileOf(id: string, agentId: string, createdAt: number, updatedAt: number): ChatFile {
    const { folder, desk, services, workspace, log, stopPatience } = this.parts;
    const file: ChatFile = new ChatFile({
      id,
      agent: this.parts.agents.get(agentId),
      createdAt,
      updatedAt,
      folder,
      index: this.index,
      desk,
      services,
      workspace,
      log,
      newId: randomUUID,
      stopPatience,
      summaryChanged: () => {
        this.listChanged.fire();
      },
      readOnlyChanged: () => {
        this.watchActive();
        if (this.current === file) this.activeChanged.fire(file.chat);
        this.listChanged.fire();
      },
    });
    return file;
  }

  private read(id: string): Promise<ChatFile> {
    const known = this.opening.get(id);
    if (known !== undefined) return known;
    const record = this.closed.get(id);
    if (record === undefined)
      return Promise.reject(new UserError('This chat is not there any more.'));
    const reading = this.loaded(record).finally(() => {
      this.opening.delete(id);
    });
    this.opening.set(id, reading);
    return reading;
  }

  private async loaded({ id, agentId, createdAt, updatedAt }: ChatRecord): Promise<ChatFile> {
    const file = this.fileOf(id, agentId, createdAt, updatedAt);
    try {
      await file.load();
    } catch (error) {
      throw new UserError(`The chat could not be read: ${messageOf(error)}`, ['showLog'], {
        cause: error,
      });
    }
    if (this.disposed) file.dispose();
    else this.opened.set(id, file);
    this.closed.delete(id);
    return file;
  }

  private activate(file: ChatFile): Chat {
    if (file !== this.current) {
      this.current = file;
      this.watchActive();
      this.rememberActive();
      this.activeChanged.fire(file.chat);
      this.listChanged.fire();
    }
    return file.chat;
  }

  private rememberActive(): void {
    const { chat } = this.current;
    this.index.writeActive({ chatId: chat.id, agentId: chat.agent.id });
  }

  private summaryOf({ id, title, agentId, updatedAt, failed }: ChatRecord): ChatSummary {
    const agentName = this.parts.agents.get(agentId).info.name;
    return { id, title, agentId, agentName, updatedAt, state: this.stateOf(id, failed) };
  }

  private stateOf(id: string, failed: boolean): ChatSummary['state'] {
    if (this.parts.desk.countOf(id) > 0) return 'waiting';
    if (this.get(id)?.isRunning === true) return 'running';
    return failed ? 'failed' : 'idle';
  }

  private listenerFailed(error: unknown): void {
    this.parts.log.error(`a listener to the chats failed: ${messageOf(error)}`);
  }

  /** Only a chat that is live in another window has to be looked at. */
  private watchActive(): void {
    const wanted = !this.disposed && this.current.chat.readOnly;
    if (!wanted && this.followTimer !== null) {
      clearInterval(this.followTimer);
      this.followTimer = null;
    } else if (wanted) {
      this.followTimer ??= setInterval(() => {
        this.follow();
      }, FOLLOW_EVERY).unref();
    }
  }

  private follow(): void {
    const { current } = this;
    if (this.following || !current.chat.readOnly) return;
    this.following = true;
    current
      .follow()
      .catch((error: unknown) => {
        this.parts.log.warn(`the chat could not be read on: ${messageOf(error)}`);
      })
      .finally(() => {
        this.following = false;
      })
      .catch(() => undefined);
  }
}

function newest(records: readonly ChatRecord[]): ChatRecord | undefined {
  return [...records].sort((a, b) => b.updatedAt - a.updatedAt)[0];
}
