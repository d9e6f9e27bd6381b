import { isObject } from './frames.ts';

/** How many requests of an agent may wait for their answer at once. */
export interface OpenLimits {
  /** Of one session, so that a chat that floods us is refused, and no other chat of the same agent. */
  readonly session: number;
  /** Of all sessions together, whether there are such sessions or not. */
  readonly connection: number;
}

export const OPEN_LIMITS: OpenLimits = { session: 500, connection: 5_000 };

/** Counts the requests of an agent that are being worked on, by the session that they name. */
export class OpenRequests {
  private readonly sessions = new Map<string, number>();
  private all = 0;

  constructor(private readonly limits: OpenLimits = OPEN_LIMITS) {}

  /**
   * @param params As the agent sent them. Requests that name no session count as one session's.
   * @returns What is called when the request has been answered; `null` if too many are open.
   */
  enter(params: unknown): (() => void) | null {
    const session = sessionOf(params);
    const open = this.sessions.get(session) ?? 0;
    if (open >= this.limits.session || this.all >= this.limits.connection) return null;
    this.sessions.set(session, open + 1);
    this.all += 1;
    return () => {
      this.leave(session);
    };
  }

  private leave(session: string): void {
    const left = (this.sessions.get(session) ?? 0) - 1;
    if (left > 0) this.sessions.set(session, left);
    else this.sessions.delete(session);
    this.all -= 1;
  }
}

function sessionOf(params: unknown): string {
  const session = isObject(params) ? params['sessionId'] : undefined;
  return typeof session === 'string' ? session : '';
}
