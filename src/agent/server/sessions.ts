import { RequestError } from '@agentclientprotocol/sdk';
import { TurnCancelled } from './abort.ts';
import type { Session } from './api.ts';

interface HeldSession {
  readonly session: Session;
  /** Abort when the session is held no more. */
  readonly lifetimes: readonly AbortController[];
}

/** How many sessions there may be, and what becomes of one more. */
interface Limit {
  /** Infinity for none. */
  readonly maxSessions: number;
  readonly evictsOldest: boolean;
}

/** The sessions of one connection, from the first opened to the last. */
export class Sessions {
  private readonly held = new Map<string, HeldSession>();
  /** Sessions that are being made. */
  private coming = 0;

  /** @param evicted Hears of each session that had to make room. */
  constructor(
    private readonly limit: Limit,
    private readonly evicted: (id: string) => void,
  ) {}

  has(id: string): boolean {
    return this.held.has(id);
  }

  get(id: string): Session | undefined {
    return this.held.get(id)?.session;
  }

  /**
   * Keeps a place for a session that is about to be made.
   *
   * @returns Gives the place up, whether the session came or not.
   * @throws RequestError -32602 when there is none.
   */
  reserve(): () => void {
    const { maxSessions, evictsOldest } = this.limit;
    const isFull = this.held.size + this.coming >= maxSessions;
    if (isFull && !(evictsOldest && maxSessions > 0)) {
      throw new RequestError(-32602, `This connection may hold ${maxSessions} sessions, no more.`);
    }
    this.coming += 1;
    return () => {
      this.coming -= 1;
    };
  }

  /** Holds a session, in the place of one with the same id if there is one. */
  add(session: Session, lifetime: AbortController): void {
    const before = this.held.get(session.id);
    const isSame = before?.session === session;
    this.held.delete(session.id);
    this.held.set(session.id, {
      session,
      lifetimes: isSame ? [...before.lifetimes, lifetime] : [lifetime],
    });
    if (before && !isSame) end(before);
    for (const id of [...this.held.keys()].slice(0, -1)) {
      if (this.held.size <= this.limit.maxSessions) return;
      this.evict(id);
    }
  }

  /** Holds a session no more. */
  drop(id: string): void {
    const held = this.held.get(id);
    this.held.delete(id);
    if (held) end(held);
  }

  /** The connection has ended. */
  end(): void {
    for (const held of this.held.values()) end(held);
    this.held.clear();
  }

  private evict(id: string): void {
    this.evicted(id);
    this.drop(id);
  }
}

function end({ lifetimes }: HeldSession): void {
  for (const lifetime of lifetimes) lifetime.abort(new TurnCancelled('The session has ended'));
}
