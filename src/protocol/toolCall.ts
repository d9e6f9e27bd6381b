import type {
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolCallUpdate,
  ToolKind,
} from './acp.ts';
import { decodeContent, listOf, optionalText } from './content.ts';
import { isObject, type JsonObject } from './frames.ts';
import { quoted, type Report } from './trace.ts';

const KINDS = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
} satisfies Record<ToolKind, true>;

const STATUSES = {
  pending: true,
  in_progress: true,
  completed: true,
  failed: true,
} satisfies Record<ToolCallStatus, true>;

/** Fields that a tool call has and `null` has been taken out of: what the agent did not say is not there. */
export interface ToolCallFields {
  toolCallId: string;
  title?: string;
  name?: string;
  kind?: ToolKind;
  status?: ToolCallStatus;
  content?: ToolCallContent[];
  locations?: ToolCallLocation[];
  rawInput?: unknown;
  rawOutput?: unknown;
  _meta?: JsonObject;
}

/**
 * The fields of `tool_call`, of `tool_call_update` and of the call in a permission request (ACP v1, "Tool Calls"). Only
 * what the agent carried, and could be understood, is in the result: an absent field means "as it was".
 * @returns `undefined` (and a report) without an id.
 */
export function decodeToolCall(value: JsonObject, report: Report): ToolCallFields | undefined {
  const toolCallId = idOf(value['toolCallId']);
  if (toolCallId === undefined) {
    report('tool call id', 'A tool call of the agent has no id; it was left out.');
    return undefined;
  }
  const call: ToolCallFields = { toolCallId };
  if (typeof value['title'] === 'string') call.title = value['title'];
  if (typeof value['name'] === 'string') call.name = value['name'];
  const kind = decodeKind(value['kind'], report);
  if (kind !== undefined) call.kind = kind;
  const status = decodeStatus(value['status'], report);
  if (status !== undefined) call.status = status;
  const content = decodeParts(value['content'], report, decodeToolContent);
  if (content !== undefined) call.content = content;
  const locations = decodeParts(value['locations'], report, decodeLocation);
  if (locations !== undefined) call.locations = locations;
  if (value['rawInput'] !== undefined && value['rawInput'] !== null)
    call.rawInput = value['rawInput'];
  if (value['rawOutput'] !== undefined && value['rawOutput'] !== null)
    call.rawOutput = value['rawOutput'];
  if (isObject(value['_meta'])) call._meta = value['_meta'];
  return call satisfies ToolCallUpdate;
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return value === '' ? undefined : optionalText(value);
}

function decodeKind(value: unknown, report: Report): ToolKind | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && isKind(value)) return value;
  report(
    `tool kind ${quoted(value)}`,
    `Tool kind ${quoted(value)} is not known; it is taken as "other".`,
  );
  return 'other';
}

function decodeStatus(value: unknown, report: Report): ToolCallStatus | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && isStatus(value)) return value;
  report(
    `tool status ${quoted(value)}`,
    `Tool call status ${quoted(value)} is not known; it was left out.`,
  );
  return undefined;
}

function isKind(value: string): value is ToolKind {
  return Object.hasOwn(KINDS, value);
}

function isStatus(value: string): value is ToolCallStatus {
  return Object.hasOwn(STATUSES, value);
}

/** Every part that can be decoded. A list of which nothing can be is no list: it must not clear what is there. */
function decodeParts<T>(
  value: unknown,
  report: Report,
  decode: (part: unknown, report: Report) => T | undefined,
): T[] | undefined {
  const list = listOf(value);
  if (list === undefined) return undefined;
  const parts: T[] = [];
  for (const item of list) {
    const part = decode(item, report);
    if (part !== undefined) parts.push(part);
  }
  return parts.length === 0 && list.length > 0 ? undefined : parts;
}

function decodeToolContent(value: unknown, report: Report): ToolCallContent | undefined {
  if (!isObject(value)) return wrap(value, report);
  switch (value['type']) {
    case 'content':
      return wrap(value['content'], report);
    case 'diff': {
      const diff = decodeDiff(value);
      if (diff === undefined) report('diff', 'A diff of the agent is incomplete; it was left out.');
      return diff;
    }
    case 'terminal':
      if (typeof value['terminalId'] === 'string') {
        return { type: 'terminal', terminalId: value['terminalId'] };
      }
      report('terminal', 'A terminal in a tool call has no id; it was left out.');
      return undefined;
    default:
      // A content block without its envelope.
      return wrap(value, report);
  }
}

function wrap(value: unknown, report: Report): ToolCallContent | undefined {
  const content = decodeContent(value, report);
  return content === undefined ? undefined : { type: 'content', content };
}

function decodeDiff(value: JsonObject): ToolCallContent | undefined {
  const { path, oldText, newText } = value;
  if (typeof path !== 'string') return undefined;
  const before = typeof oldText === 'string' ? oldText : null;
  if (typeof newText === 'string') return { type: 'diff', path, oldText: before, newText };
  // A deletion has no new text; with neither there is no diff.
  const deleted = (newText === null || newText === undefined) && before !== null;
  return deleted ? { type: 'diff', path, oldText: before, newText: '' } : undefined;
}

function decodeLocation(value: unknown, report: Report): ToolCallLocation | undefined {
  if (typeof value === 'string') return { path: value };
  if (isObject(value) && typeof value['path'] === 'string') {
    const { path, line } = value;
    return typeof line === 'number' && Number.isInteger(line) && line >= 0
      ? { path, line }
      : { path };
  }
  report('location', 'A location of a tool call has no path; it was left out.');
  return undefined;
}
