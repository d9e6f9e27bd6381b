import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePage } from './page.ts';

/** Pixels from the end within which the person is at the end: what rounding leaves, and no more. */
const AT_END = 2;
const UP = new Set(['ArrowUp', 'PageUp', 'Home']);

export interface Follow {
  /** True while the end stays in view as text comes in. */
  readonly following: ReadonlySignal<boolean>;
  /** Something came in below since the person left the end. */
  readonly news: ReadonlySignal<boolean>;
  readonly toEnd: () => void;
}

/** Keeps the end of the transcript in view as long as the person is there, and never moves a reader who is not. */
export function useFollow(
  scroller: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLElement | null>,
  chatId: string,
): Follow {
  const { memory } = usePage();
  const following = useSignal(true);
  const news = useSignal(false);

  useLayoutEffect(() => {
    const view = scroller.current;
    const inside = content.current;
    if (view === null || inside === null) return;
    const place = memory.place(chatId);
    following.value = place === undefined;
    news.value = false;
    const end = new EndKeeper(view, following, news, (top) => {
      memory.setPlace(chatId, top);
    });
    if (place !== undefined) view.scrollTop = place;
    const observer = new ResizeObserver(() => {
      end.grew();
    });
    observer.observe(inside);
    observer.observe(view);
    return () => {
      observer.disconnect();
      end.dispose();
    };
  }, [chatId]);

  return {
    following,
    news,
    toEnd: () => {
      const view = scroller.current;
      following.value = true;
      news.value = false;
      memory.setPlace(chatId, undefined);
      if (view === null) return;
      view.scrollTop = view.scrollHeight;
      // The button goes away: the focus must not go with it.
      view.focus({ preventScroll: true });
    },
  };
}

class EndKeeper {
  private readonly listening = new AbortController();
  private lastTop = 0;
  private lastHeight = 0;
  private pressed = false;

  constructor(
    private readonly view: HTMLElement,
    private readonly following: { value: boolean },
    private readonly news: { value: boolean },
    private readonly remember: (top: number | undefined) => void,
  ) {
    const { signal } = this.listening;
    const options = { signal, passive: true };
    view.addEventListener('scroll', this.scrolled, options);
    view.addEventListener('wheel', this.wheeled, options);
    view.addEventListener('keydown', this.keyed, options);
    // While a selection is made the text under the pointer stays where it is.
    view.addEventListener('pointerdown', this.press, options);
    window.addEventListener('pointerup', this.release, options);
    window.addEventListener('pointercancel', this.release, options);
  }

  dispose(): void {
    this.listening.abort();
  }

  /** The content or the view changed its size. */
  grew(): void {
    const height = this.view.scrollHeight;
    if (this.following.value && !this.pressed) this.view.scrollTop = height;
    else if (height > this.lastHeight && !this.atEnd()) this.news.value = true;
    this.lastHeight = height;
    this.lastTop = this.view.scrollTop;
  }

  private readonly scrolled = (): void => {
    const top = this.view.scrollTop;
    if (this.atEnd()) {
      // Only a move of the person's own, downwards, takes the end up again; a fold that closes does not.
      if (top > this.lastTop) this.follow(true);
    } else if (top < this.lastTop) this.follow(false);
    this.lastTop = top;
    this.remember(this.following.value ? undefined : top);
  };

  private readonly wheeled = (event: WheelEvent): void => {
    if (event.deltaY < 0) this.leave();
  };

  private readonly keyed = (event: KeyboardEvent): void => {
    if (UP.has(event.key)) this.leave();
  };

  private readonly press = (): void => {
    this.pressed = true;
  };

  private readonly release = (): void => {
    this.pressed = false;
    if (this.following.value && this.view.ownerDocument.getSelection()?.isCollapsed === false) {
      this.leave();
    }
  };

  private leave(): void {
    if (this.view.scrollHeight > this.view.clientHeight) this.follow(false);
  }

  private follow(following: boolean): void {
    this.following.value = following;
    if (following) this.news.value = false;
  }

  private atEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.view;
    return scrollHeight - scrollTop - clientHeight <= AT_END;
  }
}
