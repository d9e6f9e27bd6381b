import type { Readable, Writable } from 'node:stream';
import type { AgentContext, JsonRpcId } from '@agentclientprotocol/sdk';
import { agent as agentApp, methods, RequestError } from '@agentclientprotocol/sdk';
import type {
  AuthenticateRequest,
  AuthMethod,
  ClientCapabilities,
  InitializeRequest,
  InitializeResponse,
  LoadSessionRequest,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
} from '../../protocol/acp.ts';
import { abortController, follow, hasAborted, untilAborted } from './abort.ts';
import type { Agent, Session, SessionLoader } from './api.ts';
import type { Call } from './call.ts';
import { ConnectedClient } from './connectedClient.ts';
import { advertisedMethods, describeAgent } from './describe.ts';
import { toRequestError } from './faults.ts';
import type { FrontRules } from './front.ts';
import { Front } from './front.ts';
import type { Settings } from './options.ts';
import { refuseUndeclaredContent, refuseUndeclaredSetup } from './refusals.ts';
import { Sessions } from './sessions.ts';
import { checkedReason, runTurn } from './turn.ts';

const { initialize, authenticate, session: sessionMethods } = methods.agent;
const NEED_SIGNING_IN: ReadonlySet<string> = new Set([
  sessionMethods.new,
  sessionMethods.load,
  sessionMethods.prompt,
]);

/** A request as a handler gets it from the SDK. */
interface Asked<T> {
  readonly params: T;
  readonly client: AgentContext;
  readonly requestId: JsonRpcId;
  /** Aborts when the client takes the request back, and when the connection closes. */
  readonly signal: AbortSignal;
}

/** One connection: its sessions, and the handlers of what the client asks. */
export class Server implements FrontRules {
  private readonly front: Front;
  private readonly sessions: Sessions;
  private capabilities: ClientCapabilities = {};
  private authMethods: readonly AuthMethod[] = [];
  private isInitialized = false;
  private isSignedIn = false;

  constructor(
    private readonly agent: Agent & Partial<SessionLoader>,
    streams: { readonly input: Readable; readonly output: Writable },
    private readonly settings: Settings,
  ) {
    this.sessions = new Sessions(settings, (id) => {
      this.front.cancelTurns(id);
    });
    this.front = new Front(streams, settings.maxLineBytes, this, settings.log);
    this.front.signal.addEventListener('abort', () => {
      this.sessions.end();
    });
    const app = agentApp({ name: agent.info.name })
      .onRequest(initialize, (asked) => this.initialize(asked))
      .onRequest(authenticate, (asked) => this.authenticate(asked))
      .onRequest(sessionMethods.new, (asked) => this.newSession(asked))
      .onRequest(sessionMethods.prompt, (asked) => this.prompt(asked));
    if (this.canLoad) app.onRequest(sessionMethods.load, (asked) => this.loadSession(asked));
    app.connect(this.front.stream);
  }

  /** Resolves when the connection has ended. */
  get closed(): Promise<void> {
    return this.front.closed;
  }

  /** Ends the connection at once. */
  close(): void {
    this.front.close();
  }

  refuse(method: string): RequestError | undefined {
    if (method === initialize) return undefined;
    const isOfSessions = method.startsWith('session/');
    if (!this.isInitialized && (isOfSessions || method === authenticate)) {
      return RequestError.invalidRequest(undefined, `"initialize" comes before "${method}"`);
    }
    // Before "initialize" the SDK would say that of every method; that it is unknown is the truth.
    if (!this.isInitialized || (method === sessionMethods.load && !this.canLoad)) {
      return RequestError.methodNotFound(method);
    }
    const isClosed = this.authMethods.length > 0 && !this.isSignedIn;
    return isClosed && NEED_SIGNING_IN.has(method) ? RequestError.authRequired() : undefined;
  }

  initialized(): void {
    this.isInitialized = true;
  }

  holds(sessionId: string): boolean {
    return this.sessions.has(sessionId);
  }

  private get canLoad(): boolean {
    return typeof this.agent.loadSession === 'function';
  }

  private initialize({ params }: Asked<InitializeRequest>): InitializeResponse {
    this.capabilities = params.clientCapabilities ?? {};
    this.authMethods = advertisedMethods(this.settings.auth, this.capabilities);
    return describeAgent(this.agent.info, this.canLoad, this.authMethods);
  }

  private async authenticate({ params, signal }: Asked<AuthenticateRequest>): Promise<object> {
    const { auth } = this.settings;
    const method = this.authMethods.find(({ id }) => id === params.methodId);
    if (!auth || !method) {
      throw new RequestError(-32602, 'There is no way to sign in with this id.');
    }
    const attempt = AbortSignal.any([signal, this.front.signal]);
    await this.ask(authenticate, attempt, async () => auth.authenticate(method.id, attempt));
    this.isSignedIn = true;
    return {};
  }

  private async newSession(asked: Asked<NewSessionRequest>): Promise<NewSessionResponse> {
    const { cwd, mcpServers, additionalDirectories = [] } = asked.params;
    const { id } = await this.make(asked, async (lifetime) => {
      const setup = { mcpServers, additionalDirectories };
      const session = await this.ask(sessionMethods.new, lifetime, async () =>
        checkedSession(await this.agent.newSession(cwd, lifetime, setup)),
      );
      if (this.sessions.has(session.id) || this.front.isWorking(session.id)) {
        this.settings.log('session/new: the new session has an id that is in use');
        throw new RequestError(-32603, 'session/new: the new session has an id that is in use');
      }
      return session;
    });
    return { sessionId: id };
  }

  private async loadSession(asked: Asked<LoadSessionRequest>): Promise<object> {
    const { params, requestId } = asked;
    const { sessionId, cwd, mcpServers, additionalDirectories = [] } = params;
    await this.make(asked, async (lifetime) => {
      const client = this.connect(asked, sessionId, lifetime);
      const setup = { mcpServers, additionalDirectories };
      const load = async (): Promise<Session | undefined> => {
        const loaded = await this.agent.loadSession?.(sessionId, cwd, client, lifetime, setup);
        return loaded && checkedSession(loaded);
      };
      const call = this.front.call(requestId);
      const session = await this.ask(sessionMethods.load, lifetime, load, call).finally(() => {
        client.end();
      });
      if (!session) throw RequestError.sessionNotFound(sessionId);
      if (session.id !== sessionId) {
        this.settings.log('session/load: another session was loaded');
        throw new RequestError(-32603, 'session/load: another session was loaded');
      }
      return session;
    });
    return {};
  }

  /** Has a session made, for as long as its request is not taken back, and holds it. */
  private async make(
    asked: Asked<NewSessionRequest | LoadSessionRequest>,
    work: (lifetime: AbortSignal) => Promise<Session>,
  ): Promise<Session> {
    const { params, requestId, signal } = asked;
    refuseUndeclaredSetup(params, this.agent.info);
    const isHeld = 'sessionId' in params && this.sessions.has(params.sessionId);
    const release = isHeld ? undefined : this.sessions.reserve();
    const lifetime = abortController();
    const letGo = follow(lifetime, [signal, this.front.signal]);
    try {
      const session = await work(lifetime.signal);
      lifetime.signal.throwIfAborted();
      this.sessions.add(session, lifetime);
      void this.tellOpened(session, this.front.call(requestId), asked, lifetime.signal);
      return session;
    } catch (error) {
      lifetime.abort(error);
      throw error;
    } finally {
      letGo();
      release?.();
    }
  }

  private async tellOpened(
    session: Session,
    { written, method }: Call,
    asked: Asked<unknown>,
    lifetime: AbortSignal,
  ): Promise<void> {
    await written;
    if (hasAborted(lifetime)) return;
    try {
      await session.opened?.(this.connect(asked, session.id, lifetime));
    } catch (error) {
      if (!hasAborted(lifetime)) toRequestError(error, `${method}, opened`, this.settings.log);
    }
  }

  private async prompt(asked: Asked<PromptRequest>): Promise<PromptResponse> {
    const { params, signal, requestId } = asked;
    const call = this.front.call(requestId);
    const signals = [signal, call.cancelled, this.front.signal];
    const stopReason = await runTurn(signals, (turn) => {
      const session = this.sessions.get(params.sessionId);
      if (!session) throw RequestError.sessionNotFound(params.sessionId);
      refuseUndeclaredContent(params.prompt, this.agent.info);
      const client = this.connect(asked, session.id, turn);
      const running = begin(async () =>
        checkedReason(await session.prompt(params.prompt, client, turn)),
      ).finally(() => {
        client.end();
      });
      this.front.work(call, running);
      return running.catch((error: unknown) => {
        throw turn.aborted ? error : toRequestError(error, call.method, this.settings.log);
      });
    });
    return { stopReason };
  }

  /**
   * Has the embedder do something, until the signal aborts.
   *
   * @param call The request whose session is busy until it is done.
   * @throws RequestError for whatever it throws.
   */
  private async ask<T>(
    method: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    call?: Call,
  ): Promise<T> {
    const running = begin(work);
    if (call) this.front.work(call, running);
    try {
      return await untilAborted(running, signal);
    } catch (error) {
      if (signal.aborted) throw RequestError.requestCancelled();
      throw toRequestError(error, method, this.settings.log);
    }
  }

  private connect(
    { client }: Asked<unknown>,
    sessionId: string,
    lifetime: AbortSignal,
  ): ConnectedClient {
    return new ConnectedClient(client, sessionId, this.capabilities, lifetime);
  }
}

/** Starts something; what it throws at once is a rejection, too. */
async function begin<T>(work: () => Promise<T>): Promise<T> {
  return await work();
}

/** A session is what it says it is, also where no compiler has looked. @throws TypeError otherwise. */
function checkedSession(session: Session): Session {
  const claimed: { readonly id?: unknown; readonly prompt?: unknown } = session;
  const hasId = typeof claimed.id === 'string' && claimed.id !== '';
  if (hasId && typeof claimed.prompt === 'function') return session;
  throw new TypeError('a session needs an id and a prompt');
}
