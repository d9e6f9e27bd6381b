import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePage } from './page.ts';

export interface Fold {
  readonly open: boolean;
  readonly toggle: () => void;
  /** The element that folds. */
  readonly root: RefObject<HTMLElement | null>;
}

/**
 * Folding that respects the person: what they chose stays; what folds by itself does so only after pointer and focus
 * have left.
 * @param key Where the choice is remembered.
 */
export function useFold(key: string, byDefault: boolean): Fold {
  const { memory } = usePage();
  const root = useRef<HTMLElement | null>(null);
  const [chosen, choose] = useState(memory.fold(key));
  const [, look] = useReducer((count: number, _: null) => count + 1, 0);
  const wasOpen = useRef(byDefault);

  const held = chosen === undefined && !byDefault && wasOpen.current && isUsed(root.current);
  const open = chosen ?? (byDefault || held);
  wasOpen.current = open;

  useEffect(() => {
    const element = root.current;
    if (!held || element === null) return;
    // Both events come before the state that they announce.
    const leave = (): void => {
      setTimeout(() => {
        look(null);
      }, 0);
    };
    element.addEventListener('pointerleave', leave);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('focusout', leave);
    };
  }, [held]);

  return {
    open,
    root,
    toggle: () => {
      choose(!open);
      memory.setFold(key, !open);
    },
  };
}

function isUsed(element: HTMLElement | null): boolean {
  return element?.matches(':hover, :focus-within') === true;
}
