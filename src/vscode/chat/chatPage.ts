import type { Change } from '../../thread/thread.ts';
import type { ChatViewState, ToWebview } from '../../bridge/messages.ts';
import { coalesce } from '../../bridge/patch.ts';

/** Milliseconds between two patches: about one frame of a screen. */
const FRAME = 16;

/** The parts of the view beside the thread: small, so they are sent whole, and only when they differ. */
const PARTS = ['chat', 'agent', 'chats', 'agents', 'workspace'] as const;
type Part = (typeof PARTS)[number];
type ViewParts = Omit<ChatViewState, 'thread'>;

/** What the page shows now; asked for each time, never kept. */
export interface ViewSource {
  view(): ChatViewState;
  /** Everything but the thread. */
  parts(): ViewParts;
}

/**
 * What one chat page is told: a snapshot when it asks, then numbered patches, at most one per frame. Nothing is told
 * to a page that is asleep (hidden, or not loaded yet): it asks again when it wakes, so what it missed needs no memory.
 */
export class ChatPage {
  private awake = false;
  private revision = 0;
  private pending: Change[] = [];
  /** Whether the parts beside the thread may differ from what was told: a chunk alone never looks at them. */
  private stale = false;
  private told: Partial<Record<Part, string>> = {};
  private frame: NodeJS.Timeout | undefined;
  private lastPost = 0;
  private focus: Extract<ToWebview, { type: 'focus' }>['target'] | undefined;

  constructor(
    private readonly source: ViewSource,
    private readonly post: (message: ToWebview) => void,
  ) {}

  /** The page has loaded, or is out of step. */
  ready(): void {
    this.awake = true;
    this.snapshot();
  }

  /** The page is hidden or gone. */
  sleep(): void {
    this.awake = false;
    this.drop();
  }

  /** The shown thread changed. */
  changed(changes: readonly Change[]): void {
    if (!this.awake) return;
    for (const change of changes) this.pending.push(change);
    this.schedule();
  }

  /** Parts beside the thread may have changed. */
  touched(): void {
    this.stale = true;
    if (this.awake) this.schedule();
  }

  /** Another chat is shown. */
  switched(): void {
    if (this.awake) this.snapshot();
  }

  /** Puts the focus there, now or as soon as the page is there. */
  focusOn(target: 'composer' | 'permission'): void {
    this.focus = target;
    if (this.awake) this.postFocus();
  }

  private snapshot(): void {
    this.drop();
    const view = this.source.view();
    this.stale = false;
    this.told = {};
    for (const part of PARTS) this.told[part] = JSON.stringify(view[part]);
    this.revision += 1;
    this.send({ type: 'snapshot', revision: this.revision, view });
    this.postFocus();
  }

  private schedule(): void {
    const wait = Math.max(0, this.lastPost + FRAME - Date.now());
    this.frame ??= setTimeout(() => {
      this.frame = undefined;
      this.patch();
    }, wait);
  }

  private patch(): void {
    const changes = coalesce(this.pending);
    const view = this.stale ? this.news() : {};
    this.stale = false;
    this.pending = [];
    if (changes.length === 0 && Object.keys(view).length === 0) return;
    const base = this.revision;
    this.revision += 1;
    this.send({ type: 'patch', base, revision: this.revision, changes, view });
  }

  /** The parts that differ from what the page was last told. */
  private news(): Partial<ViewParts> {
    const parts = this.source.parts();
    const news: [Part, unknown][] = [];
    for (const part of PARTS) {
      const text = JSON.stringify(parts[part]);
      if (this.told[part] === text) continue;
      this.told[part] = text;
      news.push([part, parts[part]]);
    }
    return Object.fromEntries(news);
  }

  private postFocus(): void {
    if (this.focus === undefined) return;
    this.send({ type: 'focus', target: this.focus });
    this.focus = undefined;
  }

  private send(message: ToWebview): void {
    this.lastPost = Date.now();
    this.post(message);
  }

  private drop(): void {
    clearTimeout(this.frame);
    this.frame = undefined;
    this.pending = [];
  }
}
