import type { Session, SessionSetup } from './api.ts';

/*
 * What an agent may offer beyond `Agent`. Each is declared to the client where its method is there, and nowhere else.
 */

/** A session as a list tells of it. */
export interface SessionSummary {
  readonly id: string;
  /** An absolute path. */
  readonly cwd: string;
  readonly title?: string;
  /** When it was last used: ISO 8601. */
  readonly updatedAt?: string;
}

export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  /** Where the next page begins; left out on the last one. */
  readonly nextCursor?: string;
}

export interface SessionLister {
  /**
   * Lists the sessions that the agent keeps, live or not.
   *
   * @param filter `cwd`: only those of this folder. `cursor`: as an earlier page named it; throw a `Refusal` with -32602 for
   *   any other.
   */
  listSessions(
    filter: { readonly cwd?: string; readonly cursor?: string },
    signal: AbortSignal,
  ): SessionPage | Promise<SessionPage>;
}

/** As `SessionLoader`, but nothing is replayed. */
export interface SessionResumer {
  resumeSession(
    id: string,
    cwd: string,
    signal: AbortSignal,
    setup: SessionSetup,
  ): Session | undefined | Promise<Session | undefined>;
}

/** A session that begins where another one is. Not in the stable protocol yet. */
export interface SessionForker {
  /** @param id The one that is there and stays as it is; undefined says that there is none. */
  forkSession(
    id: string,
    cwd: string,
    signal: AbortSignal,
    setup: SessionSetup,
  ): Session | undefined | Promise<Session | undefined>;
}

export interface SessionCloser {
  /** Hears of a session that the client has closed. Its turn was cancelled and its signal has aborted. */
  closeSession(id: string): void | Promise<void>;
}

export interface SessionDeleter {
  /** Deletes what is kept of a session; that there is none of this id is no error. */
  deleteSession(id: string): void | Promise<void>;
}

export type AgentExtras = SessionLister &
  SessionResumer &
  SessionForker &
  SessionCloser &
  SessionDeleter;
