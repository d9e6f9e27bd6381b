import type { QueuedPrompt } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { Icon, IconButton } from '../ui/Icon.tsx';
import { memo } from '../ui/memo.tsx';
import { usePage } from '../ui/page.ts';
import { oneLine } from '../ui/text.ts';

/** A question that is out of view is never out of mind. */
export function WaitingShelf() {
  const page = usePage();
  const waiting = page.waiting.value;
  const [first] = waiting;
  if (first === undefined || waiting.some(({ id }) => page.onScreen.value.has(id))) return null;
  return (
    <section class="shelf waiting" aria-label={S.waitingForYou}>
      <div class="row small">
        <Icon id="question" />
        <span class="cut grow" title={first.title}>
          {S.waitingShelf} <span class="muted">{first.title}</span>
        </span>
        {waiting.length > 1 && <span class="num muted">{S.more1(waiting.length - 1)}</span>}
        <button
          type="button"
          class="btn"
          onClick={() => {
            showPermission(first.id);
          }}
        >
          {S.show}
        </button>
      </div>
    </section>
  );
}

/** Brings a question into view and gives it the focus, so that its keys work. */
export function showPermission(id: string): void {
  const card = [...document.querySelectorAll<HTMLElement>('[data-permission]')].find(
    (element) => element.dataset['permission'] === id,
  );
  if (card === undefined) return;
  // Of a card that is higher than the view, the answers count; with focus in it the rest is a key away.
  const room = card.closest('.transcript')?.clientHeight ?? 0;
  card.scrollIntoView({ block: card.offsetHeight > room ? 'end' : 'center' });
  card.focus({ preventScroll: true });
}

/** What will be sent when the turn ends; held after Stop until the person says so. */
export const QueueShelf = memo(function QueueShelf(props: {
  queue: readonly QueuedPrompt[];
  held: boolean;
  running: boolean;
  readOnly: boolean;
}) {
  const page = usePage();
  const [first] = props.queue;
  if (first === undefined) return null;
  return (
    <section class="shelf queue" aria-label={S.queue(props.queue.length)}>
      {props.held && (
        <div class="row small">
          <Icon id="info" />
          <span class="cut grow">{S.queueHeld}</span>
          {!props.readOnly && (
            <button
              type="button"
              class="btn"
              onClick={() => {
                page.post({ type: 'sendQueued', chatId: page.chatId(), promptId: first.id });
                page.focusComposer();
              }}
            >
              {S.sendQueue}
            </button>
          )}
        </div>
      )}
      {props.queue.map((prompt) => (
        <Row
          key={prompt.id}
          prompt={prompt}
          // A busy agent gets no second prompt: some never answer the first one then.
          canSend={!props.running}
          readOnly={props.readOnly}
        />
      ))}
    </section>
  );
});

function Row(props: { prompt: QueuedPrompt; canSend: boolean; readOnly: boolean }) {
  const { prompt, canSend, readOnly } = props;
  const page = usePage();
  return (
    <div class="row">
      <Icon id="list-ordered" small extra="muted" />
      <bdi class="cut grow" title={prompt.text}>
        {oneLine(prompt.text)}
      </bdi>
      {!readOnly && (
        <span class="acts">
          {canSend && (
            <IconButton
              id="arrow-up"
              small
              label={S.sendNow}
              onClick={() => {
                page.post({ type: 'sendQueued', chatId: page.chatId(), promptId: prompt.id });
                page.focusComposer();
              }}
            />
          )}
          <IconButton
            id="close"
            small
            label={S.remove}
            onClick={() => {
              page.post({ type: 'removeQueued', chatId: page.chatId(), promptId: prompt.id });
              page.focusComposer();
            }}
          />
        </span>
      )}
    </div>
  );
}
