import fs from 'node:fs/promises';
import { Cancelled } from '../../base/errors.ts';
import type { Agent } from '../agents/agent.ts';
import type { AgentSession } from '../agents/agentLink.ts';
import { CANCELLED, type SessionListener } from '../agents/sessionRouter.ts';
import type { Workspace } from '../ports.ts';
import type { ServedSession } from './chatRequests.ts';

/** What a chat does for its session; its requests are served anew for each. */
export interface ChatListener extends Omit<SessionListener, 'requests'> {
  /** @param cwd The folder that the session works in. */
  serve(cwd: string): ServedSession;
}

/** The agent's session of one chat: opened when the chat needs it, opened anew after the agent went away. */
export class ChatSession {
  private session: Promise<AgentSession> | null = null;
  /** Tells sessions apart: one that is over must not take a newer one with it, and is not heard. */
  private key: object | null = null;
  private isNamed = false;
  private served: ServedSession | null = null;

  constructor(
    private readonly agent: Agent,
    private readonly workspace: Workspace,
    /** Folder to work in where no folder is open. */
    private readonly ownFolder: string,
    private readonly listener: ChatListener,
  ) {}

  /** True while there is a session, or one is on its way. */
  get isOpen(): boolean {
    return this.session !== null;
  }

  /** The session, opened if need be; calls meanwhile wait for the same one. Rejects as `Agent.newSession` does. */
  open(): Promise<AgentSession> {
    if (this.session !== null) return this.session;
    const key = {};
    this.key = key;
    this.isNamed = false;
    this.session = this.begin(key);
    this.session.catch(() => {
      if (this.key === key) this.forget();
    });
    return this.session;
  }

  /**
   * Waits no longer for a session that a running agent was asked for and has not opened: it may never do so. What comes
   * for it late is not heard, and the next `open` asks anew.
   */
  abandon(): void {
    if (!this.isNamed && this.agent.info.state.kind === 'ready') this.forget();
  }

  /** Lets go of the session: what it runs ends now. */
  dispose(): void {
    this.forget();
  }

  private forget(): void {
    this.key = null;
    this.session = null;
    this.served?.dispose();
    this.served = null;
  }

  private async begin(key: object): Promise<AgentSession> {
    const cwd = await this.folder();
    if (this.key !== key) throw new Cancelled();
    const served = this.listener.serve(cwd);
    this.served = served;
    const session = await this.agent.newSession(cwd, this.listenerFor(key, served));
    if (this.key === key) this.isNamed = true;
    return session;
  }

  private listenerFor(key: object, { requests }: ServedSession): SessionListener {
    const { listener } = this;
    return {
      updated: (update) => {
        if (this.key === key) listener.updated(update);
      },
      permissionRequested: (request, signal) =>
        this.key === key
          ? listener.permissionRequested(request, signal)
          : Promise.resolve(CANCELLED),
      requests,
      told: (text, severity) => {
        if (this.key === key) listener.told(text, severity);
      },
      closed: (failure) => {
        if (this.key !== key) return;
        this.forget();
        listener.closed(failure);
      },
    };
  }

  private async folder(): Promise<string> {
    const [first] = this.workspace.folders();
    if (first !== undefined) return first;
    await fs.mkdir(this.ownFolder, { recursive: true, mode: 0o700 });
    return this.ownFolder;
  }
}
