import type { ContentBlock, ToolCallContent } from '../../protocol/acp.ts';
import type { KeptUpdate } from './kept.ts';

/** Characters of one line: what is longer loses what makes it long. */
const MAX_LINE = 256 * 1024;
const NOT_KEPT = '[too long to be kept]';

/** What is kept of an update: without terminals, which end with their turn, and never too long. Undefined for nothing. */
export function bounded(update: KeptUpdate): KeptUpdate | undefined {
  const kept = 'content' in update && Array.isArray(update.content) ? still(update) : update;
  if (fits(kept)) return kept;
  switch (kept.sessionUpdate) {
    case 'plan':
      return undefined;
    case 'tool_call':
    case 'tool_call_update': {
      const short = { ...kept, content: [noteOf(NOT_KEPT)] };
      delete short.rawInput;
      delete short.rawOutput;
      return fits(short) ? short : undefined;
    }
    default:
      return { ...kept, content: shortBlock(kept.content) };
  }
}

export function noteOf(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

function fits(update: KeptUpdate): boolean {
  return JSON.stringify(update).length <= MAX_LINE;
}

function still(update: KeptUpdate): KeptUpdate {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') {
    return update;
  }
  const content = (update.content ?? []).filter(({ type }) => type !== 'terminal');
  return { ...update, content };
}

function shortBlock(block: ContentBlock): ContentBlock {
  if (block.type === 'text') {
    return { type: 'text', text: `${block.text.slice(0, MAX_LINE / 8)}… ${NOT_KEPT}` };
  }
  if (block.type === 'resource') {
    const { uri } = block.resource;
    if (uri.length < MAX_LINE / 8) return { type: 'resource_link', name: uri, uri };
  }
  return { type: 'text', text: NOT_KEPT };
}
