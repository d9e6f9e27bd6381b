import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type {
  ChatViewState,
  FromWebview,
  Terminal,
  Thread,
  ToWebview,
} from '../src/bridge/messages.ts';
import { apply } from '../src/bridge/patch.ts';

/** Runs something soon, at most once per frame. */
export type Scheduler = (run: () => void) => void;

/**
 * The view as the host last told it. Never a second model: a snapshot replaces it, a patch changes it if it starts from
 * the revision that is here; else the page asks for a snapshot.
 */
export class Store {
  readonly view: ReadonlySignal<ChatViewState | null>;
  /** Apart, so that a chunk in the latest turn wakes nobody who shows the past. */
  readonly past: ReadonlySignal<Thread['past']>;
  readonly latest: ReadonlySignal<Thread['latest']>;

  /** One for each terminal that was looked at, so that what one prints draws no other and nothing around it. */
  private readonly terminals = new Map<string, ReadonlySignal<Terminal | undefined>>();
  private readonly shown = signal<ChatViewState | null>(null);
  private known: ChatViewState | null = null;
  private revision = 0;
  private asked = false;
  private scheduled = false;

  constructor(
    private readonly post: (intent: FromWebview) => void,
    private readonly schedule: Scheduler,
  ) {
    this.view = this.shown;
    this.past = computed(() => this.shown.value?.thread.past ?? []);
    this.latest = computed(() => this.shown.value?.thread.latest ?? null);
  }

  /** A terminal of the chat in view; `undefined` for an id that is not Parley's. */
  terminal(terminalId: string): ReadonlySignal<Terminal | undefined> {
    const known = this.terminals.get(terminalId);
    if (known !== undefined) return known;
    const made = computed(() => {
      const terminals = this.shown.value?.thread.terminals ?? {};
      return Object.hasOwn(terminals, terminalId) ? terminals[terminalId] : undefined;
    });
    this.terminals.set(terminalId, made);
    return made;
  }

  /** Asks for a snapshot. Once is enough until it comes. */
  start(): void {
    if (this.asked) return;
    this.asked = true;
    this.post({ type: 'ready' });
  }

  receive(message: Extract<ToWebview, { type: 'snapshot' | 'patch' }>): void {
    if (message.type === 'snapshot') {
      this.asked = false;
      if (message.view.chat.id !== this.known?.chat.id) this.terminals.clear();
      this.known = message.view;
      this.revision = message.revision;
    } else if (!this.patch(message)) {
      this.start();
      return;
    }
    this.show();
  }

  private patch(message: Extract<ToWebview, { type: 'patch' }>): boolean {
    if (this.known === null || message.base !== this.revision) return false;
    try {
      const thread = apply(this.known.thread, message.changes);
      this.known = { ...this.known, ...message.view, thread };
      this.revision = message.revision;
      return true;
    } catch {
      // A change without its place: this copy is not what the host thinks it is.
      this.known = null;
      return false;
    }
  }

  /** Several patches of one frame are drawn once. */
  private show(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => {
      this.scheduled = false;
      if (this.known !== null) this.shown.value = this.known;
    });
  }
}

/** The next frame, or soon where no frames come because the page is out of sight. */
export const nextFrame: Scheduler = (run) => {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 100);
};
