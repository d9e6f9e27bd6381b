import type { AgentEntry } from '../../src/bridge/messages.ts';
import { isCopyKey, Markdown } from '../markdown/Markdown.tsx';
import { S } from '../strings.ts';
import { usePage } from '../ui/page.ts';
import type { EntryProps } from './entryProps.ts';

/** A piece of the answer. Ctrl+C or Cmd+C on it copies it as Markdown where nothing is selected. */
export function AgentText({ entry, growing, last }: EntryProps<AgentEntry>) {
  const page = usePage();
  return (
    <article
      class={`answer${growing && last ? ' live' : ''}`}
      aria-label={S.agent}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || !isCopyKey(event)) return;
        event.preventDefault();
        page.post({ type: 'copy', text: entry.text });
        page.say(S.saidCopied);
      }}
    >
      <Markdown text={entry.text} growing={growing} />
    </article>
  );
}
