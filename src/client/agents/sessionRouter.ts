import type { RequestPermissionResponse, SessionUpdate } from '../../protocol/acp.ts';
import type { PermissionRequest } from '../../protocol/connection.ts';
import { UserError } from '../../base/errors.ts';
import type { AgentFailure } from '../../thread/status.ts';

/** Who wants to know what happens in a session: its chat. None of these may throw. */
export interface SessionListener {
  updated(update: SessionUpdate): void;
  permissionRequested(
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  /** Something about the agent that the person should read in the chat. */
  told(text: string): void;
  /** The agent is gone and the session with it. */
  closed(failure: AgentFailure): void;
}

/** For all sessions that no answer has named yet, per connection. */
const EARLY_LIMIT = { updates: 1_000, characters: 4 * 1024 * 1024 };

interface EarlyUpdate {
  readonly sessionId: string;
  readonly update: SessionUpdate;
  readonly size: number;
}

/**
 * Brings what an agent sends to the chat whose session it names, and nowhere else. Some agents speak in a session before
 * they have told its id: such updates are kept until an answer names the session, the oldest ones dropped if there are
 * too many.
 */
export class SessionRouter {
  private readonly sessions = new Map<string, SessionListener>();
  private early: EarlyUpdate[] = [];
  private earlySize = 0;

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
    const mine = this.early.filter((item) => item.sessionId === sessionId);
    if (mine.length === 0) return;
    this.early = this.early.filter((item) => item.sessionId !== sessionId);
    this.earlySize = this.early.reduce((sum, item) => sum + item.size, 0);
    for (const { update } of mine) listener.updated(update);
  }

  find(sessionId: string): SessionListener | undefined {
    return this.sessions.get(sessionId);
  }

  update(sessionId: string, update: SessionUpdate): void {
    const listener = this.sessions.get(sessionId);
    if (listener === undefined) this.keep(sessionId, update);
    else listener.updated(update);
  }

  tellAll(text: string): void {
    for (const listener of new Set(this.sessions.values())) listener.told(text);
  }

  closeAll(failure: AgentFailure): void {
    const listeners = new Set(this.sessions.values());
    this.sessions.clear();
    this.early = [];
    this.earlySize = 0;
    for (const listener of listeners) listener.closed(failure);
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
