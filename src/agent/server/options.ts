import type { Readable, Writable } from 'node:stream';
import type { AuthMethod } from '../../protocol/acp.ts';
import type { Log } from './faults.ts';
import { scrubbed } from './faults.ts';

/** The longest line that is taken from a client, in bytes: a prompt with a few files in it, not a flood. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 1024;

/** Signing in. Sessions can be opened and prompted only after one `authenticate` has succeeded on the connection. */
export interface Authentication {
  /** What is advertised; those of type `terminal` only to clients that offer it. */
  readonly methods: readonly AuthMethod[];
  /**
   * Signs in by one of these methods, and takes as long as that takes. Whatever it throws is a failed attempt.
   *
   * @param signal Aborts when the client takes the request back or the connection ends.
   */
  authenticate(methodId: string, signal: AbortSignal): void | Promise<void>;
}

export interface ServeOptions {
  /** Takes what goes wrong inside, one line at a time, without secrets. Left out: stderr. */
  readonly log?: Log;
  /** The longest line that is taken from the client, in bytes, without its newline; 4 MiB if left out. */
  readonly maxLineBytes?: number;
  /** How many sessions the connection may hold; 1024 if left out, negative for as many as come. */
  readonly maxSessions?: number;
  /**
   * What becomes of one more: `refuse` (if left out) answers -32602 before the agent is asked; `evict-oldest` gives up
   * the session that was opened first and cancels its turn.
   */
  readonly overflow?: 'refuse' | 'evict-oldest';
  readonly auth?: Authentication;
}

/** Where an agent is served. */
export interface Connection {
  /** Where the client's frames come from; its end is the end of the connection. */
  readonly input: Readable;
  /** Where the agent's frames go; nothing else may write to it. */
  readonly output: Writable;
  /** Ends the connection when it aborts. */
  readonly signal: AbortSignal;
  readonly options?: ServeOptions;
}

/** The options with nothing left open. */
export interface Settings {
  readonly log: Log;
  readonly maxLineBytes: number;
  /** Infinity for no limit. */
  readonly maxSessions: number;
  readonly evictsOldest: boolean;
  readonly auth: Authentication | undefined;
}

/** @throws RangeError for numbers that are none. */
export function settingsOf(options: ServeOptions = {}): Settings {
  const { maxLineBytes = MAX_LINE_BYTES, maxSessions = MAX_SESSIONS } = options;
  if (!Number.isSafeInteger(maxLineBytes) || maxLineBytes <= 0) {
    throw new RangeError('maxLineBytes must be a positive integer');
  }
  if (!Number.isSafeInteger(maxSessions)) throw new RangeError('maxSessions must be an integer');
  return {
    log: scrubbed(options.log),
    maxLineBytes,
    maxSessions: maxSessions < 0 ? Infinity : maxSessions,
    evictsOldest: options.overflow === 'evict-oldest',
    auth: options.auth,
  };
}
