import type { ThoughtEntry } from '../../src/bridge/messages.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { S } from '../strings.ts';
import { Activity } from '../ui/Activity.tsx';
import { duration, Elapsed, seconds } from '../ui/time.tsx';
import type { EntryProps } from './entryProps.ts';

/** The agent thinking aloud: open while it does, folded after. */
export function Thought({ entry, growing, path, index }: EntryProps<ThoughtEntry>) {
  const live = growing && entry.endedAt === null;
  const took = (entry.endedAt ?? entry.at) - entry.at;
  return (
    <Activity
      fold={`${path}/${index}`}
      byDefault={live}
      label={S.thought}
      className="thought"
      icon="thinking"
      head={
        <span class={`verb muted${live ? ' shimmer' : ''}`}>
          {live ? S.thinking : took > 0 ? S.thoughtFor(duration(took)) : S.thought}
        </span>
      }
      state={live ? <Elapsed since={entry.at} format={seconds} /> : null}
      body={
        entry.text === ''
          ? null
          : () => (
              <div class="body">
                <Markdown text={entry.text} growing={growing} />
              </div>
            )
      }
    />
  );
}
