import type { AgentContext, JsonRpcId } from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import type { ClientCapabilities } from '../../protocol/acp.ts';
import { untilAborted } from './abort.ts';
import type { Agent, Session, SessionLoader } from './api.ts';
import type { Call } from './call.ts';
import { ConnectedClient } from './connectedClient.ts';
import type { AgentExtras } from './extras.ts';
import { toRequestError } from './faults.ts';
import type { Front } from './front.ts';
import type { Settings } from './options.ts';
import type { Sessions } from './sessions.ts';

/** An agent with whatever it has beyond what every agent must have. */
export type AnyAgent = Agent & Partial<SessionLoader> & Partial<AgentExtras>;

/** A request as a handler gets it from the SDK. */
export interface Asked<T> {
  readonly params: T;
  readonly client: AgentContext;
  readonly requestId: JsonRpcId;
  /** Aborts when the client takes the request back, and when the connection closes. */
  readonly signal: AbortSignal;
}

/** What all handlers of one connection work with. */
export class Desk {
  /** What the client has said in `initialize`. */
  capabilities: ClientCapabilities = {};

  constructor(
    readonly agent: AnyAgent,
    readonly front: Front,
    readonly sessions: Sessions,
    readonly settings: Settings,
  ) {}

  /** @throws RequestError -32002 for a session that this connection does not hold. */
  held(sessionId: string): Session {
    const session = this.sessions.get(sessionId);
    if (!session) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  connect({ client }: Asked<unknown>, sessionId: string, lifetime: AbortSignal): ConnectedClient {
    return new ConnectedClient(client, sessionId, this.capabilities, lifetime);
  }

  /**
   * Has the embedder do something, until the signal aborts.
   *
   * @param call The request whose session is busy until it is done.
   * @throws RequestError for whatever it throws.
   */
  async ask<T>(
    method: string,
    signal: AbortSignal,
    work: () => T | Promise<T>,
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
}

/** Starts something; what it throws at once is a rejection, too. */
export async function begin<T>(work: () => T | Promise<T>): Promise<T> {
  return await work();
}
