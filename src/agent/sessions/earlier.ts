import type { KeptUpdate } from './kept.ts';

/** A turn of an earlier process, as a model is told of it. */
export interface EarlierTurn {
  readonly asked: string;
  /** What was said and done, in words. */
  readonly said: string;
}

/** Characters of the words that a call has left. */
const MAX_RESULT = 400;

/** What was asked and said, but for commands, which never concerned a model. */
export function earlierTurns(updates: readonly KeptUpdate[]): readonly EarlierTurn[] {
  const turns: { asked: string; said: string; prompt: string }[] = [];
  for (const update of updates) {
    const last = turns.at(-1);
    if (update.sessionUpdate === 'user_message_chunk') {
      const prompt = update.messageId ?? '';
      const text = textOf(update.content);
      if (last?.prompt === prompt) last.asked += text;
      else turns.push({ asked: text, said: '', prompt });
    } else if (last) {
      last.said += wordsOf(update);
    }
  }
  return turns.filter(({ asked }) => asked.trim() !== '' && !asked.startsWith('/'));
}

function wordsOf(update: KeptUpdate): string {
  if (update.sessionUpdate === 'agent_message_chunk') return textOf(update.content);
  if (update.sessionUpdate !== 'tool_call') return '';
  const { title, status = 'failed', content = [] } = update;
  const words = content.map((each) => (each.type === 'content' ? textOf(each.content) : ''));
  const result = words.join(' ').trim().slice(0, MAX_RESULT);
  return `\n[${title}: ${status}${result === '' ? '' : `, ${result}`}]\n`;
}

function textOf(block: {
  readonly type: string;
  readonly text?: unknown;
  readonly uri?: unknown;
}): string {
  if (block.type === 'text' && typeof block.text === 'string') return block.text;
  return block.type === 'resource_link' && typeof block.uri === 'string' ? `[${block.uri}]` : '';
}
