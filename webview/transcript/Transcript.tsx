import { useRef } from 'preact/hooks';
import type { ChatViewState, Turn as TurnModel } from '../../src/bridge/messages.ts';
import { Empty } from '../Empty.tsx';
import { S } from '../strings.ts';
import { Icon } from '../ui/Icon.tsx';
import { memo, sameItems } from '../ui/memo.tsx';
import { usePage } from '../ui/page.ts';
import { useFollow } from '../ui/useFollow.ts';
import { AgentTrouble } from './ErrorCard.tsx';
import { Turn } from './Turn.tsx';

/** Past turns per part of the page that the browser may skip while it is out of view. */
const GROUP = 12;

/** The conversation, and the button back to its end. */
export function Transcript({ view }: { view: ChatViewState }) {
  const { store } = usePage();
  const scroller = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const follow = useFollow(scroller, column, view.chat.id);
  const empty = view.thread.latest === null;
  return (
    <div class="stage">
      <div
        class="transcript"
        ref={scroller}
        tabIndex={0}
        role="log"
        aria-label={S.conversation}
        aria-live="off"
      >
        <div class={empty ? 'empty' : 'column'} ref={column}>
          {empty ? (
            <Empty view={view} />
          ) : (
            <>
              <Past turns={store.past.value} chatId={view.chat.id} />
              <Latest chatId={view.chat.id} />
              <AgentTrouble agent={view.agent} />
            </>
          )}
        </div>
      </div>
      {!empty && !follow.following.value && (
        <button type="button" class="jump" onClick={follow.toEnd}>
          {follow.news.value && <span class="dot" aria-hidden="true" />}
          {S.jump}
          <Icon id="arrow-down" small />
        </button>
      )}
    </div>
  );
}

interface PastProps {
  readonly turns: readonly TurnModel[];
  readonly chatId: string;
}

/** Turns that are over: not looked at while the latest one grows. */
const Past = memo(function Past({ turns, chatId }: PastProps) {
  const count = Math.ceil(turns.length / GROUP);
  return (
    <>
      {Array.from({ length: count }, (_, group) => (
        <PastGroup
          key={group}
          turns={turns.slice(group * GROUP, (group + 1) * GROUP)}
          first={group * GROUP}
          chatId={chatId}
        />
      ))}
    </>
  );
});

const PastGroup = memo(
  function PastGroup({ turns, first, chatId }: PastProps & { readonly first: number }) {
    return (
      <div class={`turns${turns.length === GROUP ? ' full' : ''}`}>
        {turns.map((turn, index) => (
          <Turn
            key={`${chatId}/${turn.id}`}
            turn={turn}
            index={first + index}
            latest={false}
            chatId={chatId}
          />
        ))}
      </div>
    );
  },
  (a, b) => a.chatId === b.chatId && sameItems(a.turns, b.turns),
);

function Latest({ chatId }: { chatId: string }) {
  const { store } = usePage();
  const turn = store.latest.value;
  if (turn === null) return null;
  return (
    <Turn
      key={`${chatId}/${turn.id}`}
      turn={turn}
      index={store.past.value.length}
      latest
      chatId={chatId}
    />
  );
}
