import { Emitter } from '../../src/base/event.ts';
import type { ChatWindow } from '../../src/client/ports.ts';

/** A chat view that shows what it is told to show. */
export class FakeChatWindow implements ChatWindow {
  private readonly changed = new Emitter<void>();
  private shown: string | undefined;
  readonly revealed: string[] = [];

  readonly onDidChange = this.changed.event;

  chatInView(): string | undefined {
    return this.shown;
  }

  /** @param chatId `undefined` hides the view. */
  show(chatId: string | undefined): void {
    this.shown = chatId;
    this.changed.fire();
  }

  reveal(chatId: string): Promise<void> {
    this.revealed.push(chatId);
    this.show(chatId);
    return Promise.resolve();
  }
}
