import type { RequestPermissionResponse, SessionUpdate } from '../../protocol/acp.ts';
import type { AgentRequestHandlers, PermissionRequest } from '../../protocol/connection.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import { UserError } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AgentFailure } from '../../thread/status.ts';

/** What a session's chat does for its agent: files and terminals. Each rejects with what the agent is answered. */
export type SessionRequests = Omit<AgentRequestHandlers, 'sessionUpdate' | 'requestPermission'>;

/** Who wants to know what happens in a session: its chat. None of these may throw. */
export interface SessionListener {
  updated(update: SessionUpdate): void;
  permissionRequested(
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  readonly requests: SessionRequests;
  /** Something about the agent that the person should read in the chat. */
  told(text: string, severity: 'info' | 'warning'): void;
  /** The agent is gone and the session with it. */
  closed(failure: AgentFailure): void;
}

/** For all sessions that no answer has named yet, per connection. */
const EARLY_LIMIT = { updates: 1_000, characters: 4 * 1024 * 1024 };

/** Requests that may wait for all sessions that no answer has named yet. */
const EARLY_REQUESTS = 20;

/** The outcome of a request that nobody will answer. */
export const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

interface EarlyRequest {
  readonly sessionId: string;
  /** Its session's chat takes it; without one it is refused. */
  readonly settle: (listener: SessionListener | null) => void;
}

interface EarlyUpdate {
  readonly sessionId: string;
  readonly update: SessionUpdate;
  readonly size: number;
}

/**
 * Brings what an agent sends to the chat whose session it names, and nowhere else. Some agents speak in a session before
 * they have told its id: such updates are kept until an answer names the session, the oldest ones dropped if there are
 * too many. Their requests wait, too, as long as an answer that may name the session is on its way.
 */
export class SessionRouter {
  private readonly sessions = new Map<string, SessionListener>();
  private early: EarlyUpdate[] = [];
  private earlySize = 0;
  private readonly earlyRequests = new Set<EarlyRequest>();
  private readonly openings = new Set<object>();

  constructor(private readonly report: (message: string) => void) {}

  /**
   * From now on the session is this chat's; what came for it before is delivered at once, in order. Throws a
   * `UserError` if another chat has it: sharing would show one chat's answers in the other.
   */
  open(sessionId: string, listener: SessionListener): void {
    if (this.sessions.has(sessionId)) {
      throw new UserError(
        'The agent gave this chat the session of another chat. Restart the agent.',
        ['restartAgent'],
      );
    }
    this.sessions.set(sessionId, listener);
    this.deliverUpdates(sessionId, listener);
    for (const request of [...this.earlyRequests]) {
      if (request.sessionId === sessionId) request.settle(listener);
    }
  }

  /** An answer that names a session is on its way, until the result is disposed. */
  expect(): Disposable {
    const opening = {};
    this.openings.add(opening);
    return {
      dispose: () => {
        this.openings.delete(opening);
        if (this.openings.size === 0) this.cancelEarlyRequests();
      },
    };
  }

  /** @param signal Aborts when the agent takes its request back or goes away. */
  async ask(request: PermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const listener = await this.listenerOf(request.sessionId, signal);
    return listener === null ? CANCELLED : listener.permissionRequested(request, signal);
  }

  /**
   * Lets the chat of a session serve a request of its agent. Rejects as the chat does, or with a
   * `RequestError` if there is no such session.
   */
  async serve<T>(
    sessionId: string,
    signal: AbortSignal,
    work: (requests: SessionRequests) => Promise<T>,
  ): Promise<T> {
    const listener = await this.listenerOf(sessionId, signal);
    if (listener !== null) return work(listener.requests);
    throw new RequestError(ErrorCode.invalidParams, 'There is no such session.');
  }

  private async listenerOf(
    sessionId: string,
    signal: AbortSignal,
  ): Promise<SessionListener | null> {
    return this.sessions.get(sessionId) ?? (await this.opened(sessionId, signal));
  }

  private deliverUpdates(sessionId: string, listener: SessionListener): void {
    const mine = this.early.filter((item) => item.sessionId === sessionId);
    if (mine.length === 0) return;
    this.early = this.early.filter((item) => item.sessionId !== sessionId);
    this.earlySize = this.early.reduce((sum, item) => sum + item.size, 0);
    for (const { update } of mine) listener.updated(update);
  }

  update(sessionId: string, update: SessionUpdate): void {
    const listener = this.sessions.get(sessionId);
    if (listener === undefined) this.keep(sessionId, update);
    else listener.updated(update);
  }

  tellAll(text: string): void {
    for (const listener of new Set(this.sessions.values())) listener.told(text, 'info');
  }

  closeAll(failure: AgentFailure): void {
    const listeners = new Set(this.sessions.values());
    this.sessions.clear();
    this.early = [];
    this.earlySize = 0;
    this.cancelEarlyRequests();
    for (const listener of listeners) listener.closed(failure);
  }

  /** Waits for a session to be opened. @returns `null` if it is not, or too many wait already. */
  private opened(sessionId: string, signal: AbortSignal): Promise<SessionListener | null> {
    if (this.openings.size === 0 || signal.aborted) return Promise.resolve(null);
    if (this.earlyRequests.size >= EARLY_REQUESTS) {
      this.report('too many requests for sessions that no answer has named');
      return Promise.resolve(null);
    }
    return new Promise((resolve) => {
      const request: EarlyRequest = {
        sessionId,
        settle: (listener) => {
          this.earlyRequests.delete(request);
          signal.removeEventListener('abort', withdraw);
          resolve(listener);
        },
      };
      const withdraw = (): void => {
        request.settle(null);
      };
      signal.addEventListener('abort', withdraw);
      this.earlyRequests.add(request);
    });
  }

  private cancelEarlyRequests(): void {
    for (const request of [...this.earlyRequests]) request.settle(null);
  }

  private keep(sessionId: string, update: SessionUpdate): void {
    const size = JSON.stringify(update).length;
    this.early.push({ sessionId, update, size });
    this.earlySize += size;
    let excess = 0;
    let excessSize = 0;
    while (
      this.early.length - excess > EARLY_LIMIT.updates ||
      this.earlySize - excessSize > EARLY_LIMIT.characters
    ) {
      excessSize += this.early[excess]?.size ?? 0;
      excess += 1;
    }
    if (excess === 0) return;
    this.early.splice(0, excess);
    this.earlySize -= excessSize;
    this.report('updates for sessions that no answer has named: the oldest ones are dropped');
  }
}
