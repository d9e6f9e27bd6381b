import type { ContentBlock } from '../protocol/acp.ts';
import { append, beginTurn, closeThought, runningTurn, unpromptedTurn } from './turns.ts';
import type { Change, Entry, Thread, Turn } from './thread.ts';

/** One piece of a message, as the agent streams it. */
export interface Chunk {
  readonly content: ContentBlock;
  readonly messageId?: string | null;
}

type Voice = 'user' | 'agent' | 'thought';

/**
 * A piece of what the agent says or thinks. With a message id it goes to that message of the turn; without one it joins
 * the last entry, if that is of the same voice. Never reads the text that is there: a piece costs what it is long.
 */
export function agentChunk(
  thread: Thread,
  voice: 'agent' | 'thought',
  chunk: Chunk,
  at: number,
): readonly Change[] {
  const { content } = chunk;
  if (isEmptyText(content)) return [];
  const index = thread.latest === null ? -1 : messageIndex(thread.latest, voice, chunk);
  if (content.type !== 'text' || index < 0) return append(thread, newEntry(voice, chunk, at));
  return [
    ...(voice === 'thought' ? [] : closeThought(thread, at)),
    { type: 'text', turn: thread.past.length, index, text: content.text },
  ];
}

/**
 * What the person said, as the agent tells it. While a prompt runs that is the prompt itself, sent back: it stands there
 * already. Otherwise the agent replays history: each message begins a turn.
 */
export function userChunk(thread: Thread, chunk: Chunk, at: number): readonly Change[] {
  if (runningTurn(thread) !== null || isEmptyText(chunk.content)) return [];
  const { latest } = thread;
  const entry = newEntry('user', chunk, at);
  if (latest === null || !isPrompting(latest, chunk)) {
    return beginTurn(thread, unpromptedTurn(thread, at, entry));
  }
  const index = latest.entries.length - 1;
  if (chunk.content.type === 'text' && latest.entries[index]?.kind === 'user') {
    return [{ type: 'text', turn: thread.past.length, index, text: chunk.content.text }];
  }
  return append(thread, entry);
}

/** Some agents send empty pieces, with figures in `_meta`: they begin no message. */
function isEmptyText(content: ContentBlock): boolean {
  return content.type === 'text' && content.text === '';
}

function messageIndex(turn: Turn, voice: 'agent' | 'thought', chunk: Chunk): number {
  const messageId = chunk.messageId ?? null;
  const last = turn.entries.length - 1;
  if (messageId === null) return turn.entries[last]?.kind === voice ? last : -1;
  return turn.entries.findLastIndex(
    (entry) => entry.kind === voice && entry.messageId === messageId,
  );
}

/** Whether a turn of the history is still at the person's message, to which the piece belongs. */
function isPrompting(turn: Turn, chunk: Chunk): boolean {
  const last = turn.entries.at(-1);
  if (turn.state.kind !== 'unprompted' || last === undefined) return false;
  if (last.kind === 'block') return last.voice === 'user';
  if (last.kind !== 'user') return false;
  const ids = [last.messageId, chunk.messageId ?? null];
  return ids.includes(null) || ids[0] === ids[1];
}

function newEntry(voice: Voice, { content, messageId = null }: Chunk, at: number): Entry {
  if (content.type !== 'text') return { kind: 'block', at, voice, block: content };
  const { text } = content;
  if (voice === 'thought') return { kind: 'thought', at, endedAt: null, messageId, text };
  return { kind: voice, at, messageId, text };
}
