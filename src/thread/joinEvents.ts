import type { SessionUpdate } from '../protocol/acp.ts';
import type { ThreadEvent } from './thread.ts';

/**
 * One event that does to every thread what `a` followed at once by `b` does, or `null` if there is none. Agents send
 * text in pieces of a few characters: joined, a log of a chat is about as long as its text. Only pieces of the same
 * message are joined, and only plain ones, so nothing is lost; the result has the time of `a`.
 */
export function joinEvents(a: ThreadEvent, b: ThreadEvent): ThreadEvent | null {
  if (a.type !== 'updated' || b.type !== 'updated') return null;
  const first = plainChunk(a.update);
  const second = plainChunk(b.update);
  if (first === null || second === null) return null;
  if (first.sessionUpdate !== second.sessionUpdate) return null;
  if (first.messageId !== second.messageId) return null;
  return {
    at: a.at,
    type: 'updated',
    update: {
      sessionUpdate: first.sessionUpdate,
      ...(first.messageId === null ? {} : { messageId: first.messageId }),
      content: { type: 'text', text: first.text + second.text },
    },
  };
}

interface PlainChunk {
  readonly sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';
  readonly messageId: string | null;
  readonly text: string;
}

const CHUNK_FIELDS = new Set(['sessionUpdate', 'messageId', 'content']);
const TEXT_FIELDS = new Set(['type', 'text']);

/** `null` for all that is not a piece of text and nothing else. An empty piece begins no message, so it is not one. */
function plainChunk(update: SessionUpdate): PlainChunk | null {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk': {
      const { content } = update;
      if (content.type !== 'text' || content.text === '') return null;
      if (!hasOnly(update, CHUNK_FIELDS) || !hasOnly(content, TEXT_FIELDS)) return null;
      const messageId = update.messageId ?? null;
      return { sessionUpdate: update.sessionUpdate, messageId, text: content.text };
    }
    default:
      return null;
  }
}

function hasOnly(value: object, fields: ReadonlySet<string>): boolean {
  return Object.keys(value).every((field) => fields.has(field));
}
