import { Emitter } from '../../base/event.ts';
import { EMPTY_THREAD, type Change, type Thread } from '../../thread/thread.ts';
import type { Agent } from '../agents/agent.ts';

/** One conversation with one agent. Nothing here throws: what goes wrong becomes part of the thread. */
export class Chat {
  private readonly changed = new Emitter<readonly Change[]>();

  /** What just changed in the thread, in order. */
  readonly onDidChange = this.changed.event;

  constructor(
    readonly id: string,
    readonly agent: Agent,
  ) {}

  /** Live in another window, or written by a newer Parley: shown, not written. */
  get readOnly(): boolean {
    return false;
  }

  get thread(): Thread {
    return EMPTY_THREAD;
  }

  /** The thread's title, else the first words of the first prompt, else `New chat`. */
  title(): string {
    return 'New chat';
  }

  /** Sends a prompt, or queues it while a turn runs. */
  prompt(_text: string): void {
    throw new Error('not yet');
  }

  /** Stops the running turn: the agent is told, and open permission requests are answered `cancelled`. */
  stop(): void {
    throw new Error('not yet');
  }

  /** What the person has typed and not sent. */
  draft(_text: string): void {
    throw new Error('not yet');
  }

  /** Sends a queued prompt now; while a turn runs, it stays in the queue and the queue is let go. */
  sendQueued(_promptId: string): void {
    throw new Error('not yet');
  }

  removeQueued(_promptId: string): void {
    throw new Error('not yet');
  }
}
