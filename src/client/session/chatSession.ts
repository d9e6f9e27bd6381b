import fs from 'node:fs/promises';
import type { Agent } from '../agents/agent.ts';
import type { AgentSession } from '../agents/agentLink.ts';
import type { SessionListener } from '../agents/sessionRouter.ts';
import type { Workspace } from '../ports.ts';

/** The agent's session of one chat: opened when the chat needs it, opened anew after the agent went away. */
export class ChatSession {
  private session: Promise<AgentSession> | null = null;
  /** Tells sessions apart: one that is over must not take a newer one with it. */
  private key: object | null = null;

  constructor(
    private readonly agent: Agent,
    private readonly workspace: Workspace,
    /** Folder to work in where no folder is open. */
    private readonly ownFolder: string,
    private readonly listener: SessionListener,
  ) {}

  /** True while there is a session, or one is on its way. */
  get isOpen(): boolean {
    return this.session !== null;
  }

  /** The session, opened if need be; calls meanwhile wait for the same one. Rejects as `Agent.newSession` does. */
  open(): Promise<AgentSession> {
    if (this.session !== null) return this.session;
    const key = {};
    const forget = (): void => {
      if (this.key !== key) return;
      this.key = null;
      this.session = null;
    };
    this.key = key;
    this.session = this.begin(forget);
    this.session.catch(forget);
    return this.session;
  }

  private async begin(forget: () => void): Promise<AgentSession> {
    const cwd = await this.folder();
    const { listener } = this;
    return this.agent.newSession(cwd, {
      updated: (update) => {
        listener.updated(update);
      },
      permissionRequested: (request, signal) => listener.permissionRequested(request, signal),
      told: (text) => {
        listener.told(text);
      },
      closed: (failure) => {
        forget();
        listener.closed(failure);
      },
    });
  }

  private async folder(): Promise<string> {
    const [first] = this.workspace.folders();
    if (first !== undefined) return first;
    await fs.mkdir(this.ownFolder, { recursive: true, mode: 0o700 });
    return this.ownFolder;
  }
}
