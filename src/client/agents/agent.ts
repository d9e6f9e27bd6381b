import type { AgentInfo } from '../../thread/status.ts';

/** One agent: one process for all its chats, started when a chat needs it. */
export class Agent {
  constructor(readonly id: string) {}

  get info(): AgentInfo {
    return { id: this.id, name: this.id, state: { kind: 'idle' } };
  }

  /** Starts the process and shakes hands, unless that is done. Never throws: the outcome is in `info.state`. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends the process and starts a new one. Chats stay; their next prompt opens a new session. Never throws. */
  restart(): Promise<void> {
    return Promise.resolve();
  }
}
