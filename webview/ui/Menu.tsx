import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import { isComposing } from './keys.ts';
import { usePage } from './page.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon: string;
  run(): void;
}

/** A button with a menu: arrows move, Enter chooses, Esc gives the focus back. */
export function Menu(props: { label: string; icon: string; items: readonly MenuItem[] }) {
  const page = usePage();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);

  // Before the next key can come: an arrow pressed at once moves from the first item, and is not lost.
  useLayoutEffect(() => {
    if (!open) return;
    const close = (): void => {
      setOpen(false);
    };
    page.popup.value = close;
    focusItem(root.current, 0);
    return () => {
      if (page.popup.value === close) page.popup.value = null;
    };
  }, [open]);

  return (
    <div
      class="menu-root"
      ref={root}
      onFocusOut={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (!open || isComposing(event)) return;
        if (event.key === 'Escape') {
          setOpen(false);
          button.current?.focus();
        } else if (!moveInMenu(event, root.current)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <button
        ref={button}
        type="button"
        class="icon-btn"
        aria-label={props.label}
        title={props.label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      >
        <Icon id={props.icon} />
      </button>
      {open && (
        <div class="popup menu" role="menu" aria-label={props.label}>
          {props.items.map((item) => (
            <button
              key={item.label}
              type="button"
              class="item"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setOpen(false);
                button.current?.focus();
                item.run();
              }}
            >
              <Icon id={item.icon} />
              <span class="grow">{item.label}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function itemsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

function focusItem(root: HTMLElement | null, index: number): void {
  itemsOf(root).at(index)?.focus();
}

function moveInMenu(event: KeyboardEvent, root: HTMLElement | null): boolean {
  const items = itemsOf(root);
  const now = items.findIndex((item) => item === document.activeElement);
  switch (event.key) {
    case 'ArrowDown':
      focusItem(root, (now + 1) % items.length);
      return true;
    case 'ArrowUp':
      focusItem(root, now <= 0 ? -1 : now - 1);
      return true;
    case 'Home':
      focusItem(root, 0);
      return true;
    case 'End':
      focusItem(root, -1);
      return true;
    default:
      return false;
  }
}
