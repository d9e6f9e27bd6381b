import type { FromWebview } from '../../src/bridge/messages.ts';

/** Milliseconds after the last key until the host is told. */
const SAVE_AFTER = 120;

/** Keeps the host's copy of the draft close behind what is typed. */
export class DraftKeeper {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unsaved: { readonly chatId: string; readonly text: string } | null = null;

  constructor(private readonly post: (intent: FromWebview) => void) {}

  typed(chatId: string, text: string): void {
    this.unsaved = { chatId, text };
    // Not put off by further keys, so that the copy is never older than that.
    this.timer ??= setTimeout(this.flush, SAVE_AFTER);
  }

  /** Sends what is not sent yet, at once. */
  readonly flush = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.unsaved === null) return;
    this.post({ type: 'draft', ...this.unsaved });
    this.unsaved = null;
  };
}
