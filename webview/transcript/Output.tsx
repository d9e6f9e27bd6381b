import { useLayoutEffect, useRef } from 'preact/hooks';
import { S } from '../strings.ts';
import { IconButton } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { plainOutput } from '../ui/text.ts';

/** Characters that are drawn. The whole can be copied. */
const MAX = 30_000;

/** What a command printed or a tool returned, in a box that scrolls. `tail`: the end counts, so it is kept in view. */
export function Output({ text, command, tail }: { text: string; command: string; tail: boolean }) {
  const page = usePage();
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (tail && atEnd.current && box.current !== null) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [text, tail]);
  const cut = text.length > MAX;
  const shown = plainOutput(cut ? (tail ? text.slice(-MAX) : text.slice(0, MAX)) : text);
  return (
    <div class="term">
      {command !== '' && (
        <div class="cmd">
          <span class="sig" aria-hidden="true">
            $
          </span>
          <span>{command}</span>
        </div>
      )}
      <pre
        ref={box}
        tabIndex={0}
        role="group"
        aria-label={S.output}
        onScroll={({ currentTarget: view }) => {
          atEnd.current = view.scrollHeight - view.scrollTop - view.clientHeight <= 2;
        }}
      >
        {shown}
      </pre>
      <div class="foot muted">
        <span class="cut grow">
          {cut && (tail ? S.cutOutput(MAX, text.length) : S.cutText(MAX, text.length))}
        </span>
        <IconButton
          id="copy"
          small
          label={S.copyOutput}
          onClick={() => {
            page.post({ type: 'copy', text: plainOutput(text) });
            page.say(S.saidCopied);
          }}
        />
      </div>
    </div>
  );
}
