import { setTimeout as delay } from 'node:timers/promises';
import type { ClientCapabilities, InitializeResponse } from '../../protocol/acp.ts';
import { AgentConnection, type AgentRequestHandlers } from '../../protocol/connection.ts';
import { ConnectionClosed } from '../../protocol/errors.ts';
import type { AgentFailure } from '../../thread/status.ts';
import type { Log } from '../ports.ts';
import { AgentProcess } from './agentProcess.ts';
import type { AgentTrace } from './agentTrace.ts';
import type { Launch } from './catalog.ts';
import { agentFailure, AgentGone, exitInWords, type SignIn } from './failures.ts';
import { SessionRouter, type SessionListener } from './sessionRouter.ts';

/** How long an agent may take to open a session before its chat says so: milliseconds. */
const SESSION_PATIENCE = 30_000;

/** How long a process may live on when its output has ended, and stderr may lag behind an exit: milliseconds. */
const EXIT_GRACE = 2_000;
const STDERR_GRACE = 50;

interface AgentLinkParts {
  readonly launch: Launch;
  /** For messages to people, until the agent tells its own title. */
  readonly name: string;
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  /** `null` while tracing is off; asked for every line. */
  readonly trace: () => AgentTrace | null;
  readonly maxLineBytes: number;
  /** How long an agent may take to open a session before its chat says so: milliseconds, 30,000 if left out. */
  readonly sessionPatience?: number | undefined;
  readonly log: Log;
}

/** A session that an agent has opened for a chat. Rejections are `AgentGone` or the agent's own `RequestError`. */
export interface AgentSession {
  readonly id: string;
  /** Resolves with the stop reason when the turn has ended, however long that takes. */
  prompt(text: string): Promise<{ readonly stopReason: string }>;
  /** Asks the agent to end the turn. Never throws. */
  cancel(): void;
}

/** One life of an agent: its process, its connection and the sessions on it. A restart makes a new one. */
export class AgentLink {
  private readonly process: AgentProcess;
  private readonly connection: AgentConnection;
  private readonly router: SessionRouter;
  private lastSign = performance.now();
  private greeting: InitializeResponse | null = null;
  private ending: AgentFailure | null = null;
  private readonly stopping = new AbortController();
  /** What to tell the requests that wait when the agent goes away. */
  private readonly waiting = new Set<(failure: AgentFailure) => void>();

  /** Resolves when the agent is gone, with the reason; its sessions know by then. Never rejects. */
  readonly gone: Promise<AgentFailure>;

  /** Starts the process; whether that worked is told by `handshake`. */
  constructor(private readonly parts: AgentLinkParts) {
    const report = (message: string): void => {
      parts.log.warn(`${parts.launch.agentId}: ${message}`);
    };
    this.router = new SessionRouter(report);
    this.process = new AgentProcess(parts.launch, (line) => {
      this.lastSign = performance.now();
      parts.trace()?.errorLine(line);
      parts.log.trace(`${parts.launch.agentId} stderr: ${line}`);
    });
    this.connection = new AgentConnection(this.process, this.handlers(), {
      maxLineBytes: parts.maxLineBytes,
      onLine: (direction, raw) => {
        if (direction === 'recv') this.lastSign = performance.now();
        parts.trace()?.line(direction, raw);
      },
      report,
    });
    this.gone = this.watch();
  }

  /** The title that the agent gave itself, else the name that it goes by here. */
  get name(): string {
    const title = (this.greeting?.agentInfo?.title ?? '')
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
      .trim();
    return title === '' ? this.parts.name : title.slice(0, 100);
  }

  /** What helps to sign in to this agent. */
  get signIn(): SignIn {
    const { command, args } = this.parts.launch;
    return { command, args, methods: this.greeting?.authMethods ?? [] };
  }

  /**
   * `initialize`. Rejects if the process could not be started, went away, said nothing for `silence` milliseconds (a
   * line on stderr is a sign of life) or speaks another version.
   */
  async handshake(silence: number): Promise<void> {
    await this.process.spawned;
    const timer = new AbortController();
    try {
      const answer = this.connection.initialize({
        protocolVersion: 1,
        clientCapabilities: this.parts.capabilities,
        clientInfo: { name: 'parley', title: 'Parley', version: this.parts.version },
      });
      this.greeting = await Promise.race([
        this.guarded(answer),
        this.silentFor(silence, timer.signal),
      ]);
    } finally {
      timer.abort();
    }
  }

  /**
   * `session/new`. The listener hears of everything in the session from before its id was told, and is told if that
   * takes long.
   */
  async newSession(cwd: string, listener: SessionListener): Promise<AgentSession> {
    const expected = this.router.expect();
    const timer = this.impatience(listener);
    try {
      const { sessionId } = await this.guarded(this.connection.newSession({ cwd, mcpServers: [] }));
      this.router.open(sessionId, listener);
      return this.session(sessionId);
    } finally {
      clearTimeout(timer);
      expected.dispose();
    }
  }

  private session(sessionId: string): AgentSession {
    return {
      id: sessionId,
      prompt: (text) =>
        this.guarded(this.connection.prompt({ sessionId, prompt: [{ type: 'text', text }] })),
      cancel: () => {
        // Rejects only if the agent is gone, which the turn hears of by itself.
        this.connection.cancel(sessionId).catch(() => undefined);
      },
    };
  }

  private impatience(listener: SessionListener): NodeJS.Timeout {
    const patience = this.parts.sessionPatience ?? SESSION_PATIENCE;
    const timer = setTimeout(() => {
      const seconds = Math.round(patience / 1_000);
      listener.told(
        `${this.name} has not opened a session for ${seconds} s. If it stays like this, restart the agent: the chats are kept.`,
        'warning',
      );
    }, patience);
    return timer.unref();
  }

  /** Says something in every chat that has a session here. */
  tellAll(text: string): void {
    this.router.tellAll(text);
  }

  /** Ends the agent; its sessions end with this failure. Resolves when nothing of it is left, in bounded time. */
  async stop(failure: AgentFailure): Promise<void> {
    this.ending ??= failure;
    this.stopping.abort();
    await this.gone;
    await this.process.stop();
  }

  private async watch(): Promise<AgentFailure> {
    await Promise.race([this.outputEnded(), aborted(this.stopping.signal)]);
    let failure = this.ending;
    if (failure === null) {
      const exit = await Promise.race([
        this.process.exited,
        delay(EXIT_GRACE, null, { ref: false }),
      ]);
      await delay(STDERR_GRACE, undefined, { ref: false });
      failure = this.endedByItself(exitInWords(exit));
    }
    this.connection.dispose();
    this.process.dispose();
    this.router.closeAll(failure);
    for (const tell of [...this.waiting]) tell(failure);
    return failure;
  }

  private outputEnded(): Promise<void> {
    return new Promise((resolve) => {
      this.connection.onClose(resolve);
      // After an exit the output ends by itself, once what the agent still said was heard.
      void this.process.exited
        .then(() => delay(EXIT_GRACE, undefined, { ref: false }))
        .then(resolve);
    });
  }

  private endedByItself(exit: string | null): AgentFailure {
    const when = this.greeting === null ? ' before it was ready' : '';
    const message =
      exit === null
        ? `${this.name} closed its output${when}.`
        : `${this.name} ended${when}: ${exit}.`;
    return agentFailure(message, '', exit, this.process.stderrTail);
  }

  /** A request's answer, or `AgentGone` if the agent goes away before it comes. */
  private async guarded<T>(request: Promise<T>): Promise<T> {
    let forget = (): void => undefined;
    const gone = new Promise<never>((_resolve, reject) => {
      const tell = (failure: AgentFailure): void => {
        reject(new AgentGone(failure));
      };
      this.waiting.add(tell);
      forget = () => {
        this.waiting.delete(tell);
      };
    });
    try {
      return await Promise.race([request, gone]);
    } catch (error) {
      if (error instanceof ConnectionClosed) throw new AgentGone(await this.gone);
      throw error;
    } finally {
      forget();
    }
  }

  private async silentFor(limit: number, signal: AbortSignal): Promise<never> {
    for (;;) {
      const left = this.lastSign + limit - performance.now();
      if (left <= 0) break;
      await delay(left, undefined, { signal });
    }
    const seconds = Math.round(limit / 1_000);
    throw new AgentGone(
      agentFailure(
        `${this.name} did not answer: it was silent for ${seconds} seconds. The setting parley.initializeTimeout allows more.`,
        '',
        null,
        this.process.stderrTail,
      ),
    );
  }

  private handlers(): AgentRequestHandlers {
    const { router } = this;
    return {
      sessionUpdate: (sessionId, update) => {
        router.update(sessionId, update);
      },
      requestPermission: (params, signal) => router.ask(params, signal),
      readTextFile: (params, signal) =>
        router.serve(params.sessionId, signal, (chat) => chat.readTextFile(params, signal)),
      writeTextFile: (params, signal) =>
        router.serve(params.sessionId, signal, (chat) => chat.writeTextFile(params, signal)),
      createTerminal: (params, signal) =>
        router.serve(params.sessionId, signal, (chat) => chat.createTerminal(params, signal)),
      terminalOutput: (params, signal) =>
        router.serve(params.sessionId, signal, (chat) => chat.terminalOutput(params, signal)),
      waitForTerminalExit: (params, signal) =>
        router.serve(params.sessionId, signal, (chat) => chat.waitForTerminalExit(params, signal)),
      killTerminal: (params, signal) =>
        router.serve(params.sessionId, signal, (chat) => chat.killTerminal(params, signal)),
      releaseTerminal: (params, signal) =>
        router.serve(params.sessionId, signal, (chat) => chat.releaseTerminal(params, signal)),
    };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
