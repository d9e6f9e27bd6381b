import type { SessionUpdate } from '../../protocol/acp.ts';

/** The updates of which a conversation can be told again. */
export type KeptUpdate = Extract<
  SessionUpdate,
  {
    sessionUpdate:
      | 'user_message_chunk'
      | 'agent_message_chunk'
      | 'agent_thought_chunk'
      | 'tool_call'
      | 'tool_call_update'
      | 'plan';
  }
>;

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch'];
const OTHER_KINDS = ['switch_mode', 'other'];
const STATES = ['pending', 'in_progress', 'completed', 'failed'];

const isText: Check = (value) => typeof value === 'string';
const isLine: Check = (value) => Number.isSafeInteger(value);

/** What a file holds is looked at as closely as what a stranger sends. */
export function isKeptUpdate(value: unknown): value is KeptUpdate {
  if (!isFields(value)) return false;
  switch (value['sessionUpdate']) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return isText(value['messageId']) && isBlock(value['content']);
    case 'tool_call':
      return isText(value['title']) && isCall(value);
    case 'tool_call_update':
      return isLackingOr(isText)(value['title']) && isCall(value);
    case 'plan':
      return isListOf(isEntry)(value['entries']);
    default:
      return false;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCall(call: Fields): boolean {
  return (
    isText(call['toolCallId']) &&
    isLackingOr(isOneOf([...KINDS, ...OTHER_KINDS]))(call['kind']) &&
    isLackingOr(isOneOf(STATES))(call['status']) &&
    isLackingOr(isListOf(isShown))(call['content']) &&
    isLackingOr(isListOf(isPlace))(call['locations'])
  );
}

const isShown: Check = (content) => {
  if (!isFields(content)) return false;
  if (content['type'] === 'content') return isBlock(content['content']);
  const { type, path, oldText, newText } = content;
  return type === 'diff' && isText(path) && isText(newText) && isLackingOr(isText)(oldText);
};

const isPlace: Check = (place) =>
  isFields(place) && isText(place['path']) && isLackingOr(isLine)(place['line']);

const isEntry: Check = (entry) =>
  isFields(entry) &&
  isText(entry['content']) &&
  isOneOf(['high', 'medium', 'low'])(entry['priority']) &&
  isOneOf(['pending', 'in_progress', 'completed'])(entry['status']);

function isBlock(block: unknown): boolean {
  if (!isFields(block)) return false;
  switch (block['type']) {
    case 'text':
      return isText(block['text']);
    case 'resource_link':
      return isText(block['name']) && isText(block['uri']);
    case 'image':
    case 'audio':
      return isText(block['data']) && isText(block['mimeType']);
    case 'resource': {
      const { resource } = block;
      if (!isFields(resource) || !isText(resource['uri'])) return false;
      return isText(resource['text']) || isText(resource['blob']);
    }
    default:
      return false;
  }
}

function isOneOf(values: readonly string[]): Check {
  return (value) => typeof value === 'string' && values.includes(value);
}

function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function isLackingOr(check: Check): Check {
  return (value) => value === undefined || value === null || check(value);
}
