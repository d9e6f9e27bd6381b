import path from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type {
  CloseSessionRequest,
  DeleteSessionRequest,
  ListSessionsRequest,
  ListSessionsResponse,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
} from '../../protocol/acp.ts';
import type { SessionClient } from './api.ts';
import { checkedValue, checkMode, settingsFor } from './choices.ts';
import type { Asked, Desk } from './desk.ts';

const { session: sessionMethods } = methods.agent;

/** The handlers of the requests about sessions that are there. */
export class Keeper {
  constructor(private readonly desk: Desk) {}

  async list({ params, signal }: Asked<ListSessionsRequest>): Promise<ListSessionsResponse> {
    const { cwd, cursor } = params;
    if (typeof cwd === 'string' && !path.isAbsolute(cwd)) {
      throw new RequestError(-32602, 'The "cwd" of a list needs an absolute path.');
    }
    const filter = {
      ...(typeof cwd === 'string' && { cwd }),
      ...(typeof cursor === 'string' && { cursor }),
    };
    const { agent } = this.desk;
    const page = await this.desk.ask(sessionMethods.list, signal, () =>
      agent.listSessions?.(filter, signal),
    );
    const sessions = page?.sessions ?? [];
    return {
      sessions: sessions.map(({ id: sessionId, ...rest }) => ({ sessionId, ...rest })),
      ...(page?.nextCursor !== undefined && { nextCursor: page.nextCursor }),
    };
  }

  /** The front has cancelled its turns already. */
  async close({ params, requestId, signal }: Asked<CloseSessionRequest>): Promise<object> {
    const { id } = this.desk.held(params.sessionId);
    this.desk.sessions.drop(id);
    const { agent, front } = this.desk;
    const closed = () => agent.closeSession?.(id);
    await this.desk.ask(sessionMethods.close, signal, closed, front.call(requestId));
    return {};
  }

  /** A session that is not there succeeds, too: the protocol wants it so. */
  async delete({ params, requestId, signal }: Asked<DeleteSessionRequest>): Promise<object> {
    const { sessionId } = params;
    const { agent, front, sessions } = this.desk;
    const remove = () => agent.deleteSession?.(sessionId);
    const call = front.call(requestId);
    await this.desk.ask(sessionMethods.delete, signal, remove, call);
    sessions.drop(sessionId);
    return {};
  }

  async setMode(asked: Asked<SetSessionModeRequest>): Promise<object> {
    const { sessionId, modeId } = asked.params;
    const { modes } = this.desk.held(sessionId);
    if (!modes) throw RequestError.methodNotFound(sessionMethods.setMode);
    await this.change(asked, sessionId, sessionMethods.setMode, async (client) => {
      checkMode(modeId, modes.state);
      await modes.set(modeId, client);
    });
    return {};
  }

  async setOption(
    asked: Asked<SetSessionConfigOptionRequest>,
  ): Promise<SetSessionConfigOptionResponse> {
    const { sessionId, configId } = asked.params;
    const session = this.desk.held(sessionId);
    const { settings } = session;
    if (!settings) throw RequestError.methodNotFound(sessionMethods.setConfigOption);
    const { capabilities } = this.desk;
    return this.change(asked, sessionId, sessionMethods.setConfigOption, async (client) => {
      const value = checkedValue(asked.params, settingsFor(session, capabilities));
      await settings.set(configId, value, client);
      return { configOptions: [...settingsFor(session, capabilities)] };
    });
  }

  private async change<T>(
    asked: Asked<unknown>,
    sessionId: string,
    method: string,
    work: (client: SessionClient) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.any([asked.signal, this.desk.front.signal]);
    const client = this.desk.connect(asked, sessionId, signal);
    return this.desk
      .ask(method, signal, () => work(client))
      .finally(() => {
        client.end();
      });
  }
}
