import type { UserEntry } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';

/** The person's own words, exactly as they were typed. */
export function UserText({ entry }: { entry: UserEntry }) {
  return (
    <article class="prompt" aria-label={S.you}>
      <p class="typed" dir="auto">
        {entry.text}
      </p>
    </article>
  );
}
