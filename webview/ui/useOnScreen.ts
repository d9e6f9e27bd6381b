import { useEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** True once the element has been on screen for `after` milliseconds without a break; reports when it comes and goes. */
export function useOnScreen(
  element: RefObject<HTMLElement | null>,
  after: number,
  report: (visible: boolean) => void,
): boolean {
  const [settled, settle] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const visible = entries.at(-1)?.isIntersecting === true;
        report(visible);
        clearTimeout(timer);
        if (visible) {
          timer = setTimeout(() => {
            settle(true);
          }, after);
        } else settle(false);
      },
      { threshold: 0.5 },
    );
    observer.observe(target);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      report(false);
    };
  }, []);
  return settled;
}
