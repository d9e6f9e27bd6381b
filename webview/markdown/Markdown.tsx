import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Page } from '../ui/page.ts';
import { usePage } from '../ui/page.ts';
import { S } from '../strings.ts';
import { codeOf } from './codeBlock.ts';
import { PacedStream } from './paced.ts';

/** Markdown of an agent. `growing`: more may come, so the end is drawn as unfinished. */
export function Markdown({ text, growing }: { text: string; growing: boolean }) {
  const page = usePage();
  const root = useRef<HTMLDivElement>(null);
  const stream = useRef<PacedStream | null>(null);
  useLayoutEffect(() => {
    if (root.current === null) return;
    stream.current ??= new PacedStream(root.current);
    stream.current.show(text, growing);
  }, [text, growing]);
  useLayoutEffect(
    () => () => {
      stream.current?.dispose();
    },
    [],
  );
  return (
    <div
      class="md"
      ref={root}
      onClick={(event) => {
        handleClick(event, page);
      }}
      onAuxClick={(event) => {
        handleClick(event, page);
      }}
      onKeyDown={(event) => {
        handleCopyKey(event, page);
      }}
    />
  );
}

/** Links and buttons of Markdown, which are made without handlers of their own. */
function handleClick(event: MouseEvent, page: Page): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest('a');
  if (link !== null) {
    // VS Code would follow the link as well.
    event.preventDefault();
    event.stopPropagation();
    if (event.button !== 2) followLink(link, page);
    return;
  }
  const button = event.target.closest('[data-act="copy-code"]');
  if (button !== null && event.button === 0) copyCode(button, page);
}

function followLink(link: HTMLAnchorElement, page: Page): void {
  const { path, line } = link.dataset;
  if (path === undefined) page.post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
  else page.post({ type: 'openFile', path, line: line === undefined ? null : Number(line) });
}

/** Copies the code block that has the focus, where nothing is selected. */
function handleCopyKey(event: KeyboardEvent, page: Page): void {
  if (!isCopyKey(event) || !(event.target instanceof HTMLPreElement)) return;
  if (copyCode(event.target, page)) event.preventDefault();
}

function copyCode(node: Element, page: Page): boolean {
  const text = codeOf(node);
  if (text === null) return false;
  page.post({ type: 'copy', text });
  page.say(S.saidCopied);
  return true;
}

/** Ctrl+C or Cmd+C with nothing selected. */
export function isCopyKey(event: KeyboardEvent): boolean {
  return (
    event.key.toLowerCase() === 'c' &&
    (event.ctrlKey || event.metaKey) &&
    !event.altKey &&
    !event.shiftKey &&
    document.getSelection()?.isCollapsed !== false
  );
}
