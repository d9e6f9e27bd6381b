import { methods, RequestError } from '@agentclientprotocol/sdk';
import type {
  LoadSessionRequest,
  NewSessionRequest,
  NewSessionResponse,
  ResumeSessionRequest,
} from '../../protocol/acp.ts';
import { abortController, follow, hasAborted } from './abort.ts';
import type { Session, SessionSetup } from './api.ts';
import type { Call } from './call.ts';
import { SESSION_FORK } from './call.ts';
import type { Offer } from './choices.ts';
import { offerOf } from './choices.ts';
import type { Asked, Desk } from './desk.ts';
import { toRequestError } from './faults.ts';
import { refuseUndeclaredSetup } from './refusals.ts';

const { session: sessionMethods } = methods.agent;

type Opening = NewSessionRequest | LoadSessionRequest | ResumeSessionRequest;
type Found = Session | undefined | Promise<Session | undefined>;

/** The handlers of the requests that open a session. */
export class Opener {
  constructor(private readonly desk: Desk) {}

  async newSession(asked: Asked<NewSessionRequest>): Promise<NewSessionResponse> {
    const { cwd } = asked.params;
    const { id, offer } = await this.make(asked, true, async (lifetime) => {
      const setup = setupOf(asked.params);
      const session = await this.desk.ask(sessionMethods.new, lifetime, async () =>
        checkedSession(await this.desk.agent.newSession(cwd, lifetime, setup)),
      );
      return this.unheld(session, sessionMethods.new);
    });
    return { sessionId: id, ...offer };
  }

  async loadSession(asked: Asked<LoadSessionRequest>): Promise<Offer> {
    const { sessionId, cwd } = asked.params;
    return this.openAgain(asked, sessionMethods.load, (lifetime, setup) => {
      const client = this.desk.connect(asked, sessionId, lifetime);
      const load = async (): Promise<Session | undefined> =>
        this.desk.agent.loadSession?.(sessionId, cwd, client, lifetime, setup);
      return load().finally(() => {
        client.end();
      });
    });
  }

  async resumeSession(asked: Asked<ResumeSessionRequest>): Promise<Offer> {
    const { sessionId, cwd } = asked.params;
    return this.openAgain(asked, sessionMethods.resume, (lifetime, setup) =>
      this.desk.agent.resumeSession?.(sessionId, cwd, lifetime, setup),
    );
  }

  async forkSession(asked: Asked<LoadSessionRequest>): Promise<NewSessionResponse> {
    const { sessionId, cwd } = asked.params;
    const { id, offer } = await this.make(asked, true, async (lifetime) => {
      const session = await this.find(asked, SESSION_FORK, lifetime, (setup) =>
        this.desk.agent.forkSession?.(sessionId, cwd, lifetime, setup),
      );
      return this.unheld(session, SESSION_FORK);
    });
    return { sessionId: id, ...offer };
  }

  private async openAgain(
    asked: Asked<LoadSessionRequest | ResumeSessionRequest>,
    method: string,
    open: (lifetime: AbortSignal, setup: SessionSetup) => Found,
  ): Promise<Offer> {
    const { sessionId } = asked.params;
    const isNew = !this.desk.sessions.has(sessionId);
    const { offer } = await this.make(asked, isNew, async (lifetime) => {
      const session = await this.find(asked, method, lifetime, (setup) => open(lifetime, setup));
      if (session.id === sessionId) return session;
      throw this.fault(`${method}: another session was opened`);
    });
    return offer;
  }

  /** What the embedder has of the session that is named. @throws RequestError -32002 for nothing. */
  private async find(
    asked: Asked<LoadSessionRequest | ResumeSessionRequest>,
    method: string,
    lifetime: AbortSignal,
    open: (setup: SessionSetup) => Found,
  ): Promise<Session> {
    const { params, requestId } = asked;
    const look = async (): Promise<Session | undefined> => {
      const session = await open(setupOf(params));
      return session && checkedSession(session);
    };
    const session = await this.desk.ask(method, lifetime, look, this.desk.front.call(requestId));
    if (!session) throw RequestError.sessionNotFound(params.sessionId);
    return session;
  }

  /** @throws RequestError -32603 for a session with an id that this connection holds, or is still busy with. */
  private unheld(session: Session, method: string): Session {
    const { sessions, front } = this.desk;
    if (!sessions.has(session.id) && !front.isWorking(session.id)) return session;
    throw this.fault(`${method}: the new session has an id that is in use`);
  }

  private fault(message: string): RequestError {
    this.desk.settings.log(message);
    return new RequestError(-32603, message);
  }

  /** Has a session made, for as long as its request is not taken back, and holds it. */
  private async make(
    asked: Asked<Opening>,
    isNew: boolean,
    work: (lifetime: AbortSignal) => Promise<Session>,
  ): Promise<{ readonly id: string; readonly offer: Offer }> {
    const { params, requestId, signal } = asked;
    const { agent, front, sessions, capabilities } = this.desk;
    refuseUndeclaredSetup(params, agent.info);
    const release = isNew ? sessions.reserve() : undefined;
    const lifetime = abortController();
    const letGo = follow(lifetime, [signal, front.signal]);
    try {
      const session = await work(lifetime.signal);
      const call = front.call(requestId);
      const offer = await this.desk.ask(call.method, lifetime.signal, () =>
        offerOf(session, capabilities),
      );
      lifetime.signal.throwIfAborted();
      sessions.add(session, lifetime);
      void this.tellOpened(session, call, asked, lifetime.signal);
      return { id: session.id, offer };
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
      await session.opened?.(this.desk.connect(asked, session.id, lifetime));
    } catch (error) {
      if (!hasAborted(lifetime)) toRequestError(error, `${method}, opened`, this.desk.settings.log);
    }
  }
}

function setupOf({ mcpServers = [], additionalDirectories = [] }: Opening): SessionSetup {
  return { mcpServers, additionalDirectories };
}

/** A session is what it says it is, also where no compiler has looked. @throws TypeError otherwise. */
function checkedSession(session: Session): Session {
  const claimed: { readonly id?: unknown; readonly prompt?: unknown } = session;
  const hasId = typeof claimed.id === 'string' && claimed.id !== '';
  if (hasId && typeof claimed.prompt === 'function') return session;
  throw new TypeError('a session needs an id and a prompt');
}
