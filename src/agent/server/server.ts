import type { Readable, Writable } from 'node:stream';
import { agent as agentApp, methods, RequestError } from '@agentclientprotocol/sdk';
import type {
  AuthenticateRequest,
  AuthMethod,
  InitializeRequest,
  InitializeResponse,
  PromptRequest,
  PromptResponse,
} from '../../protocol/acp.ts';
import { SESSION_FORK } from './call.ts';
import { advertisedMethods, describeAgent, has } from './describe.ts';
import type { AnyAgent, Asked } from './desk.ts';
import { begin, Desk } from './desk.ts';
import { toRequestError } from './faults.ts';
import { forkParams } from './fork.ts';
import type { FrontRules } from './front.ts';
import { Front } from './front.ts';
import { Keeper } from './keeper.ts';
import { Opener } from './opener.ts';
import type { Settings } from './options.ts';
import { refuseUndeclaredContent } from './refusals.ts';
import { Sessions } from './sessions.ts';
import { checkedReason, runTurn } from './turn.ts';

const { initialize, authenticate, session: sessionMethods } = methods.agent;
/** What is there only where the agent has a method for it. */
const OPTIONAL: ReadonlyMap<string, keyof Omit<AnyAgent, 'info'>> = new Map([
  [sessionMethods.load, 'loadSession'],
  [sessionMethods.list, 'listSessions'],
  [sessionMethods.resume, 'resumeSession'],
  [sessionMethods.close, 'closeSession'],
  [sessionMethods.delete, 'deleteSession'],
  [SESSION_FORK, 'forkSession'],
] as const);
/** What shows or makes something that is somebody's. What needs a session that is held needs one of these first. */
const NEED_SIGNING_IN: ReadonlySet<string> = new Set([
  sessionMethods.new,
  sessionMethods.load,
  sessionMethods.prompt,
  sessionMethods.list,
  sessionMethods.resume,
  sessionMethods.delete,
  SESSION_FORK,
]);

/** One connection: its sessions, and the handlers of what the client asks. */
export class Server implements FrontRules {
  private readonly front: Front;
  private readonly sessions: Sessions;
  private readonly desk: Desk;
  private authMethods: readonly AuthMethod[] = [];
  private isInitialized = false;
  private isSignedIn = false;

  constructor(
    private readonly agent: AnyAgent,
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
    this.desk = new Desk(agent, this.front, this.sessions, settings);
    const opener = new Opener(this.desk);
    const keeper = new Keeper(this.desk);
    agentApp({ name: agent.info.name })
      .onRequest(initialize, (asked) => this.initialize(asked))
      .onRequest(authenticate, (asked) => this.authenticate(asked))
      .onRequest(sessionMethods.new, (asked) => opener.newSession(asked))
      .onRequest(sessionMethods.prompt, (asked) => this.prompt(asked))
      .onRequest(sessionMethods.load, (asked) => opener.loadSession(asked))
      .onRequest(sessionMethods.resume, (asked) => opener.resumeSession(asked))
      .onRequest(SESSION_FORK, forkParams, (asked) => opener.forkSession(asked))
      .onRequest(sessionMethods.list, (asked) => keeper.list(asked))
      .onRequest(sessionMethods.close, (asked) => keeper.close(asked))
      .onRequest(sessionMethods.delete, (asked) => keeper.delete(asked))
      .onRequest(sessionMethods.setMode, (asked) => keeper.setMode(asked))
      .onRequest(sessionMethods.setConfigOption, (asked) => keeper.setOption(asked))
      .connect(this.front.stream);
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
    const needed = OPTIONAL.get(method);
    if (!this.isInitialized || (needed !== undefined && !has(this.agent, needed))) {
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

  private initialize({ params }: Asked<InitializeRequest>): InitializeResponse {
    this.desk.capabilities = params.clientCapabilities ?? {};
    this.authMethods = advertisedMethods(this.settings.auth, this.desk.capabilities);
    return describeAgent(this.agent, this.authMethods);
  }

  private async authenticate({ params, signal }: Asked<AuthenticateRequest>): Promise<object> {
    const { auth } = this.settings;
    const method = this.authMethods.find(({ id }) => id === params.methodId);
    if (!auth || !method) {
      throw new RequestError(-32602, 'There is no way to sign in with this id.');
    }
    const attempt = AbortSignal.any([signal, this.front.signal]);
    await this.desk.ask(authenticate, attempt, () => auth.authenticate(method.id, attempt));
    this.isSignedIn = true;
    return {};
  }

  private async prompt(asked: Asked<PromptRequest>): Promise<PromptResponse> {
    const { params, signal, requestId } = asked;
    const call = this.front.call(requestId);
    const signals = [signal, call.cancelled, this.front.signal];
    const stopReason = await runTurn(signals, (turn) => {
      const session = this.desk.held(params.sessionId);
      refuseUndeclaredContent(params.prompt, this.agent.info);
      const client = this.desk.connect(asked, session.id, turn);
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
}
