import { useMemo } from 'preact/hooks';
import type { Entry, Turn as TurnModel } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { memo, sameItems } from '../ui/memo.tsx';
import { timeOfDay } from '../ui/time.tsx';
import { EntryView } from './EntryView.tsx';
import { TurnEnd } from './TurnEnd.tsx';

/** Entries per group: while one grows, the groups before it are not looked at again. */
const GROUP = 40;

export interface TurnProps {
  readonly turn: TurnModel;
  /** Counts over all turns of the chat. */
  readonly index: number;
  readonly latest: boolean;
  readonly chatId: string;
}

/** From a prompt to its answer. */
export const Turn = memo(function Turn({ turn, index, latest, chatId }: TurnProps) {
  const who = turn.state.kind === 'unprompted' ? S.agent : S.you;
  const groups = useMemo(() => split(turn.entries), [turn.entries]);
  const running = turn.state.kind === 'running';
  return (
    <section class={`turn${latest ? '' : ' past'}`}>
      <h2 class="only-sr">{S.turnHeading(who, timeOfDay(turn.startedAt))}</h2>
      {groups.map((entries, group) => (
        <Group
          key={group}
          entries={entries}
          first={group * GROUP}
          turn={index}
          path={`${chatId}/${turn.id}`}
          growing={running}
          last={group === groups.length - 1}
          latest={latest}
        />
      ))}
      <TurnEnd turn={turn} latest={latest} />
    </section>
  );
});

interface GroupProps {
  readonly entries: readonly Entry[];
  readonly first: number;
  readonly turn: number;
  readonly path: string;
  readonly growing: boolean;
  readonly last: boolean;
  readonly latest: boolean;
}

const Group = memo(
  function Group({ entries, first, turn, path, growing, last, latest }: GroupProps) {
    return (
      <div class={`entries${last ? '' : ' full'}`}>
        {entries.map((entry, index) => (
          <EntryView
            key={index}
            entry={entry}
            turn={turn}
            index={first + index}
            path={path}
            growing={growing}
            last={last && index === entries.length - 1}
            latest={latest}
          />
        ))}
      </div>
    );
  },
  (a, b) =>
    sameItems(a.entries, b.entries) &&
    a.growing === b.growing &&
    a.last === b.last &&
    a.latest === b.latest &&
    a.path === b.path &&
    a.turn === b.turn,
);

function split(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const count = Math.ceil(entries.length / GROUP);
  return Array.from({ length: count }, (_, group) =>
    entries.slice(group * GROUP, (group + 1) * GROUP),
  );
}
