import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { PermissionQuestion } from '../ports.ts';

/** A request of an agent that no one has answered yet. */
export interface OpenPermission {
  /** Ours, unique over all chats: agents' own request ids may repeat. */
  readonly permissionId: string;
  readonly chatId: string;
  readonly question: PermissionQuestion;
}

interface Waiting extends OpenPermission {
  readonly settle: (optionId: string | null) => void;
}

/**
 * The one place where permission requests of all chats wait for the person. Each gets exactly one answer: the option
 * that was chosen first, wherever that was, or `cancelled` when its turn was stopped or the agent took it back.
 */
export class PermissionDesk implements Disposable {
  private readonly waiting = new Map<string, Waiting>();
  private readonly changed: Emitter<void>;

  /** A request was added or is no longer open. */
  readonly onDidChange: Event<void>;

  /** @param failed Hears what listeners throw; no answer suffers from it. */
  constructor(failed?: (error: unknown) => void) {
    this.changed = new Emitter(failed);
    this.onDidChange = this.changed.event;
  }

  /** Oldest first. */
  get open(): readonly OpenPermission[] {
    return [...this.waiting.values()];
  }

  /** How many requests of a chat wait. */
  countOf(chatId: string): number {
    let count = 0;
    for (const request of this.waiting.values()) if (request.chatId === chatId) count += 1;
    return count;
  }

  /**
   * Puts a request on the desk.
   * @param signal Cancels it: the agent took it back or went away.
   * @returns The chosen option's id; `null` for the outcome `cancelled`. Never rejects.
   */
  ask(chatId: string, question: PermissionQuestion, signal: AbortSignal): Promise<string | null> {
    const { permissionId } = question;
    if (signal.aborted || this.waiting.has(permissionId)) return Promise.resolve(null);
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.settle(permissionId, null);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.waiting.set(permissionId, {
        permissionId,
        chatId,
        question,
        settle: (optionId) => {
          signal.removeEventListener('abort', withdraw);
          resolve(optionId);
        },
      });
      this.changed.fire();
    });
  }

  /**
   * The person's answer: the first one counts.
   * @returns False if the request is not open any more, or the agent offered no such option.
   */
  answer(permissionId: string, optionId: string): boolean {
    const request = this.waiting.get(permissionId);
    if (request?.question.options.some((option) => option.optionId === optionId) !== true) {
      return false;
    }
    this.settle(permissionId, optionId);
    return true;
  }

  /** Answers every open request of a chat with `cancelled`: its turn was stopped. */
  cancelChat(chatId: string): void {
    for (const request of this.open) {
      if (request.chatId === chatId) this.settle(request.permissionId, null);
    }
  }

  dispose(): void {
    for (const request of this.open) this.settle(request.permissionId, null);
    this.changed.dispose();
  }

  private settle(permissionId: string, optionId: string | null): void {
    const request = this.waiting.get(permissionId);
    if (request === undefined) return;
    this.waiting.delete(permissionId);
    request.settle(optionId);
    this.changed.fire();
  }
}
