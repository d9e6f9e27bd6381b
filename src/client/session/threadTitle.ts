import type { Thread, Turn } from '../../thread/thread.ts';

/** Characters of a title that nobody chose. */
const TITLE_LIMIT = 60;

/** What a chat is called: the title that it was given, else the first words of the first prompt, else `New chat`. */
export function titleOf(thread: Thread): string {
  const given = oneLine(thread.title ?? '');
  if (given !== '') return given.slice(0, 200);
  const said = oneLine(firstPrompt(thread) ?? '');
  return said === '' ? 'New chat' : firstWords(said);
}

/** True if nothing was said, typed or named: there is nothing to keep. */
export function isUnused(thread: Thread): boolean {
  const { title, past, latest, draft, queue } = thread;
  return (
    title === null && past.length === 0 && latest === null && draft === '' && queue.length === 0
  );
}

/** True if the agent took part in this conversation, so that a new session of it lacks what it knew. */
export function hasForgotten(thread: Thread): boolean {
  const turns = thread.latest === null ? thread.past : [...thread.past, thread.latest];
  return turns.some(wasAnswered);
}

function wasAnswered(turn: Turn): boolean {
  const { state } = turn;
  if (state.kind === 'stopped' && state.reason !== 'cancelled') return true;
  return turn.entries.some((entry) => entry.kind !== 'user' && entry.kind !== 'notice');
}

function firstPrompt(thread: Thread): string | null {
  for (const turn of thread.past) {
    const said = promptOf(turn);
    if (said !== null) return said;
  }
  return thread.latest === null ? null : promptOf(thread.latest);
}

function promptOf(turn: Turn): string | null {
  const said = turn.entries.find((entry) => entry.kind === 'user');
  return said?.text ?? null;
}

function firstWords(text: string): string {
  if (text.length <= TITLE_LIMIT) return text;
  const blank = text.lastIndexOf(' ', TITLE_LIMIT);
  const words = text.slice(0, blank > TITLE_LIMIT / 2 ? blank : TITLE_LIMIT);
  return `${words.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function oneLine(text: string): string {
  return text
    .slice(0, 2_000)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
