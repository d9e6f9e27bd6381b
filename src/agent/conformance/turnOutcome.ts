import type { JsonObject } from './json.ts';
import type { Reply } from './peer.ts';

/** What happened in a turn. */
export interface Turn {
  readonly sessionId: string;
  readonly reply: Reply;
  /** Milliseconds from the cancellation to the answer; `undefined` for a turn that was not cancelled. */
  readonly cancelledFor?: number | undefined;
  /** Updates before the answer, and after it. */
  readonly updates: readonly JsonObject[];
  readonly late: readonly JsonObject[];
  /** It asked for permission. */
  readonly asked: boolean;
  /** A permission request was open when the turn was cancelled. */
  readonly held: boolean;
  /** Tool calls that had not ended when it was answered. */
  readonly open: readonly string[];
}
