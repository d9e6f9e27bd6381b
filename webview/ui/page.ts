import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FromWebview } from '../../src/bridge/messages.ts';
import type { Store } from '../store.ts';
import type { Memory } from './memory.ts';
import type { OpenPermission } from '../transcript/waiting.ts';

/** What every part of the page needs; made once, in main.tsx. */
export interface Page {
  readonly store: Store;
  readonly memory: Memory;
  readonly post: (intent: FromWebview) => void;
  /** The chat that is shown; `''` before there is one. */
  readonly chatId: () => string;
  /** Says a short sentence to a screen reader, politely. */
  readonly say: (text: string) => void;
  readonly said: ReadonlySignal<string>;
  /** Open questions of the chat in view, oldest first. */
  readonly waiting: ReadonlySignal<readonly OpenPermission[]>;
  /** Ids of the permission cards that are on screen. */
  readonly onScreen: Signal<ReadonlySet<string>>;
  /** Closes the open popup; `null` if none is open. */
  readonly popup: Signal<(() => void) | null>;
  /** Puts the focus into the composer. */
  readonly focusComposer: () => void;
  /** The chat that is shown is live in another window. */
  readonly isReadOnly: () => boolean;
  /** A text for the composer, from an example; taken once. */
  readonly suggestion: Signal<string | null>;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error('rendered outside a page');
  return page;
}

/** A polite voice: the same sentence twice is said twice. */
export function makeVoice(): {
  readonly said: ReadonlySignal<string>;
  readonly say: (text: string) => void;
} {
  const said = signal('');
  return {
    said,
    say: (text) => {
      said.value = said.value === text ? `${text}\u00a0` : text;
    },
  };
}
