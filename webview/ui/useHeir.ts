import { useLayoutEffect } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePage } from './page.ts';

/** When the element goes away with the focus in it, the composer inherits the focus: it must not get lost. */
export function useHeir(element: RefObject<HTMLElement | null>): void {
  const { focusComposer } = usePage();
  useLayoutEffect(
    () => () => {
      // A page that is not in use leaves the focus where it is: in another part of the window.
      if (!document.hasFocus()) return;
      if (element.current?.contains(document.activeElement) === true) focusComposer();
    },
    [],
  );
}
