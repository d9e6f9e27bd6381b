import { messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ClientCapabilities } from '../../protocol/acp.ts';
import { RequestError } from '../../protocol/errors.ts';
import type { AgentFailure, AgentInfo, AgentState } from '../../thread/status.ts';
import type { Failure } from '../../thread/thread.ts';
import type { Log, Settings, Workspace } from '../ports.ts';
import { capabilitiesOf, hasMore } from '../requests/capabilities.ts';
import type { AgentLink, AgentSession } from './agentLink.ts';
import { AgentTrace } from './agentTrace.ts';
import { fingerprint, type AgentCatalog, type Launch } from './catalog.ts';
import { agentFailure, AgentGone, requestFailure, type SignIn } from './failures.ts';
import type { SessionListener } from './sessionRouter.ts';

export interface AgentParts {
  readonly catalog: AgentCatalog;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly log: Log;
  /** Folder for traces and stderr: the extension's log folder. */
  readonly logFolder: string;
  /** Of the extension; agents are told. */
  readonly version: string;
  /** How long an agent may take to open a session before its chat says so: milliseconds, 30,000 if left out. */
  readonly sessionPatience?: number;
}

/** One agent: one process for all its chats, started when a chat needs it. */
export class Agent implements Disposable {
  private readonly changed = new Emitter<Agent>((error) => {
    this.parts.log.error(`${this.id}: a listener failed: ${messageOf(error)}`);
  });
  private readonly traceFile: AgentTrace;
  private state: AgentState = { kind: 'idle' };
  private link: AgentLink | null = null;
  private starting: Promise<void> | null = null;
  /** Counts starts and stops: what an earlier life finds out is of no interest any more. */
  private life = 0;
  private name: string;
  /** What was last started or tried, to see whether the settings have changed since. */
  private started: string | null = null;
  private tracing: boolean;
  /** The folder, the trust and what follows from them that the last start went by. */
  private surroundings: string;
  /** What the agent was told at its start. Its requests are judged when they come, whatever it was told. */
  private capabilities: ClientCapabilities = {};

  /** The state or the name changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    readonly id: string,
    private readonly parts: AgentParts,
  ) {
    this.name = parts.catalog.nameOf(id);
    this.traceFile = new AgentTrace(parts.logFolder, id, parts.log);
    this.tracing = parts.settings.trace();
    this.surroundings = this.surroundingsNow();
  }

  get info(): AgentInfo {
    return { id: this.id, name: this.name, state: this.state };
  }

  /** Starts the process and shakes hands, unless that is done. Never throws: the outcome is in `info.state`. */
  start(): Promise<void> {
    if (this.state.kind === 'ready') return Promise.resolve();
    return (this.starting ??= this.begin());
  }

  /** Ends the process and starts a new one. Chats stay; their next prompt opens a new session. Never throws. */
  async restart(): Promise<void> {
    await this.end(agentFailure(`${this.name} was restarted.`));
    await this.start();
  }

  /**
   * Opens a session for a chat, starting the agent if need be. Rejects with `AgentGone`, or the agent's own
   * `RequestError`.
   * @param cwd Absolute folder that the session works in.
   */
  async newSession(cwd: string, listener: SessionListener): Promise<AgentSession> {
    const link = await this.ready();
    return link.newSession(cwd, listener);
  }

  /** Why a request of a chat failed, for people. */
  failureOf(error: unknown): Failure {
    if (!(
      error instanceof AgentGone ||
      error instanceof UserError ||
      error instanceof RequestError
    )) {
      this.parts.log.error(`${this.id}: ${messageOf(error)}`);
    }
    return requestFailure(error, this.name, this.signIn());
  }

  /** The settings may say something else now. It applies when the agent is started next. */
  settingsChanged(): void {
    this.tracing = this.parts.settings.trace();
    if (this.started === null || this.started === this.wanted()) return;
    if (this.state.kind === 'failed') {
      this.started = null;
      this.become({ kind: 'idle' });
    } else if (this.link !== null) {
      this.started = this.wanted();
      this.link.tellAll(
        `The settings of ${this.name} have changed. They apply when it is started next: restart it to use them now.`,
      );
    }
  }

  /** Folders or trust changed: what an agent may do, and where it works, is told to it only at its start. */
  workspaceChanged(): void {
    const now = this.surroundingsNow();
    if (this.surroundings === now) return;
    this.surroundings = now;
    if (this.state.kind === 'failed') {
      this.become({ kind: 'idle' });
    } else if (this.link !== null) {
      // The same change, should the settings be looked at: it is told once.
      this.started = this.wanted();
      const more = hasMore(capabilitiesOf(this.parts.workspace), this.capabilities);
      this.link.tellAll(
        more
          ? `The folders or the trust of this workspace have changed. Restart the agent to let it write files and run commands: ${this.name} hears of it when it is started next.`
          : `The folders or the trust of this workspace have changed. ${this.name} hears of it when it is started next: restart it to use them now.`,
      );
    }
  }

  /**
   * Ends the process for good. Never rejects; resolves when it has ended, with all that it started, and its trace is on
   * the disk.
   */
  async close(): Promise<void> {
    this.changed.dispose();
    await this.end(agentFailure(`${this.name} was stopped: the window closes.`));
    await this.traceFile.flushed();
  }

  dispose(): void {
    void this.close();
  }

  private async ready(): Promise<AgentLink> {
    await this.start();
    // A restart in between begins another life: wait for that one.
    while (this.starting !== null) await this.starting;
    if (this.link !== null && this.state.kind === 'ready') return this.link;
    throw new AgentGone(
      this.state.kind === 'failed'
        ? this.state.failure
        : agentFailure(`${this.name} is not running.`),
    );
  }

  private async begin(): Promise<void> {
    this.life += 1;
    const { life } = this;
    let link: AgentLink | null = null;
    try {
      this.become({ kind: 'starting', since: Date.now() });
      this.started = this.wanted();
      this.surroundings = this.surroundingsNow();
      this.capabilities = capabilitiesOf(this.parts.workspace);
      const launch = await this.parts.catalog.allowed(this.id);
      // What speaks the protocol is loaded when the first agent starts, not when the window opens.
      const { AgentLink: Link } = await import('./agentLink.ts');
      if (life !== this.life) return;
      link = this.connect(Link, launch);
      this.link = link;
      await link.handshake(this.parts.settings.initializeTimeout());
      if (life !== this.life) return;
      this.name = link.name;
      this.starting = null;
      this.become({ kind: 'ready' });
      this.parts.log.info(`${this.id}: ready (${link.name})`);
    } catch (error) {
      if (life === this.life) this.failed(link, error);
    }
  }

  private connect(Link: typeof AgentLink, launch: Launch): AgentLink {
    this.traceFile.begin(launch.env);
    const link = new Link({
      launch,
      name: this.parts.catalog.nameOf(this.id),
      version: this.parts.version,
      capabilities: this.capabilities,
      trace: () => (this.tracing ? this.traceFile : null),
      maxLineBytes: this.parts.settings.maxLineBytes(),
      sessionPatience: this.parts.sessionPatience,
      log: this.parts.log,
    });
    void link.gone.then((failure) => {
      if (this.link !== link || this.state.kind !== 'ready') return;
      this.link = null;
      this.parts.log.error(`${this.id}: ${failure.message}`);
      this.become({ kind: 'failed', failure });
    });
    return link;
  }

  private surroundingsNow(): string {
    const { workspace } = this.parts;
    const folder = workspace.folders()[0] ?? null;
    return JSON.stringify([folder, workspace.trusted(), capabilitiesOf(workspace)]);
  }

  private failed(link: AgentLink | null, error: unknown): void {
    const failure = this.startFailure(error);
    this.parts.log.error(`${this.id}: ${failure.message}`);
    this.link = null;
    this.starting = null;
    void link?.stop(failure);
    this.become({ kind: 'failed', failure });
  }

  private startFailure(error: unknown): AgentFailure {
    if (error instanceof AgentGone) return error.failure;
    const { message, details } = this.failureOf(error);
    return agentFailure(message, details);
  }

  private async end(failure: AgentFailure): Promise<void> {
    this.life += 1;
    const { link } = this;
    this.link = null;
    this.starting = null;
    if (this.state.kind !== 'idle') this.become({ kind: 'idle' });
    await link?.stop(failure);
  }

  private wanted(): string {
    try {
      return fingerprint(this.parts.catalog.resolve(this.id));
    } catch (error) {
      return messageOf(error);
    }
  }

  private signIn(): SignIn {
    if (this.link !== null) return this.link.signIn;
    return { command: this.id, args: [], methods: [] };
  }

  private become(state: AgentState): void {
    this.state = state;
    this.changed.fire(this);
  }
}
