import type { Failure } from './thread.ts';

/** How far an agent process is. */
export type AgentState =
  /** Not started: it starts when a chat needs it. */
  | { readonly kind: 'idle' }
  /** `since`: milliseconds since the epoch. */
  | { readonly kind: 'starting'; readonly since: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly failure: AgentFailure };

/** Why there is no agent, for one card that also says what to do next. */
export interface AgentFailure extends Failure {
  /** Exit code or signal in words, where the process ended; else `null`. */
  readonly exit: string | null;
  /** The last lines of stderr, at most 4,000 characters; `''` if none. */
  readonly stderr: string;
}

export interface AgentInfo {
  /** The key in `parley.agents`, or `reference`. */
  readonly id: string;
  /** For people: the title that the agent gave itself, else its id. */
  readonly name: string;
  readonly state: AgentState;
}

export interface ChatSummary {
  readonly id: string;
  readonly title: string;
  readonly agentId: string;
  readonly agentName: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly state: 'idle' | 'running' | 'waiting' | 'failed';
}
