import { useRef } from 'preact/hooks';
import { useSignalEffect } from '@preact/signals';
import type { ChatViewState, Turn } from '../src/bridge/messages.ts';
import { S } from './strings.ts';
import { usePage, type Page } from './ui/page.ts';

interface Heard {
  readonly chatId: string;
  readonly turnId: string | null;
  readonly running: boolean;
  readonly question: string | null;
}

/** The one polite voice: says in short sentences that a turn began, waits or has ended. */
export function Announcer() {
  const page = usePage();
  const before = useRef<Heard | null>(null);
  useSignalEffect(() => {
    const view = page.store.view.value;
    if (view === null) return;
    const now = hear(view, page);
    // Of a chat that has just come into view, everything is old news.
    if (before.current?.chatId === now.chatId) announce(before.current, now, view, page);
    before.current = now;
  });
  return (
    <div class="only-sr" role="status" aria-live="polite">
      {page.said}
    </div>
  );
}

function hear(view: ChatViewState, page: Page): Heard {
  const turn = view.thread.latest;
  return {
    chatId: view.chat.id,
    turnId: turn?.id ?? null,
    running: turn?.state.kind === 'running',
    question: page.waiting.value[0]?.id ?? null,
  };
}

function announce(before: Heard, now: Heard, view: ChatViewState, page: Page): void {
  const began = now.running && (!before.running || before.turnId !== now.turnId);
  const [question] = page.waiting.value;
  if (question !== undefined && now.question !== before.question) {
    page.say(S.saidWaiting(question.title));
  } else if (began) page.say(S.saidStarted(view.agent.name));
  else if (before.running && !now.running) page.say(ending(view.thread.latest));
}

function ending(turn: Turn | null): string {
  if (turn?.state.kind === 'failed') return S.saidFailed;
  if (turn?.state.kind === 'stopped' && turn.state.reason === 'cancelled') return S.saidStopped;
  return S.saidEnded;
}
