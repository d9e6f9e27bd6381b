import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { RefObject } from 'preact';
import { S } from '../strings.ts';
import { Icon } from '../ui/Icon.tsx';
import { isComposing } from '../ui/keys.ts';
import { memo } from '../ui/memo.tsx';
import { usePage } from '../ui/page.ts';
import { DraftKeeper } from './draft.ts';

export interface ComposerProps {
  readonly chatId: string;
  readonly readOnly: boolean;
  /** The host's copy: taken when the chat comes into view, then the page's own text counts. */
  readonly draft: string;
  readonly running: boolean;
  readonly cancelling: boolean;
  readonly agentName: string;
  readonly started: boolean;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Where the person writes. The text is the browser's; the host gets copies of it. */
export const Composer = memo(
  function Composer(props: ComposerProps) {
    const { chatId, field, readOnly, running } = props;
    const page = usePage();
    const empty = useSignal(true);
    const drafts = useMemo(() => new DraftKeeper(page.post), []);

    const setText = (text: string): void => {
      if (field.current === null) return;
      field.current.value = text;
      empty.value = text.trim() === '';
    };

    useLayoutEffect(() => {
      setText(props.draft);
      return drafts.flush;
    }, [chatId]);

    useEffect(() => {
      window.addEventListener('pagehide', drafts.flush);
      document.addEventListener('visibilitychange', drafts.flush);
      return () => {
        window.removeEventListener('pagehide', drafts.flush);
        document.removeEventListener('visibilitychange', drafts.flush);
      };
    }, []);

    useSignalEffect(() => {
      const text = page.suggestion.value;
      if (text === null) return;
      page.suggestion.value = null;
      setText(text);
      drafts.typed(chatId, text);
      field.current?.focus();
    });

    const send = (): void => {
      const text = field.current?.value.trim() ?? '';
      if (text === '' || readOnly) return;
      page.post({ type: 'prompt', chatId, text });
      setText('');
      drafts.typed(chatId, '');
      drafts.flush();
      field.current?.focus();
    };

    const keyed = (event: KeyboardEvent): void => {
      if (isComposing(event)) return;
      if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        send();
      } else if (event.key === 'Escape') {
        if (page.popup.value !== null) page.popup.value();
        else if (running) page.post({ type: 'stop', chatId });
        else return;
        event.preventDefault();
      }
    };

    return (
      <div class="composer">
        <textarea
          ref={field}
          dir="auto"
          rows={1}
          aria-label={S.message}
          placeholder={placeholder(props)}
          readOnly={readOnly}
          onInput={({ currentTarget }) => {
            empty.value = currentTarget.value.trim() === '';
            drafts.typed(chatId, currentTarget.value);
          }}
          onKeyDown={keyed}
          onBlur={drafts.flush}
        />
        <div class="tools">
          <span class="grow" />
          {running && <StopButton cancelling={props.cancelling} />}
          <button
            type="button"
            class="icon-btn send"
            aria-label={S.send}
            title={running ? S.queueHint : S.sendHint}
            disabled={empty.value || readOnly}
            onClick={send}
          >
            <Icon id="arrow-up" />
          </button>
        </div>
      </div>
    );
  },
  (a, b) =>
    a.chatId === b.chatId &&
    a.readOnly === b.readOnly &&
    a.running === b.running &&
    a.cancelling === b.cancelling &&
    a.agentName === b.agentName &&
    a.started === b.started,
);

function StopButton({ cancelling }: { cancelling: boolean }) {
  const page = usePage();
  return (
    <button
      type="button"
      class="icon-btn send stop"
      aria-label={S.stop}
      title={cancelling ? S.stopping : S.stopHint}
      onClick={() => {
        page.post({ type: 'stop', chatId: page.chatId() });
        page.focusComposer();
      }}
    >
      <Icon id="stop-circle" />
    </button>
  );
}

function placeholder(props: ComposerProps): string {
  if (props.readOnly) return S.placeholderReadOnly;
  if (props.running) return S.placeholderRunning;
  return props.started ? S.placeholderNext : S.placeholderFirst(props.agentName);
}
