import * as v from 'valibot';
import type { PlanEntry, SessionUpdate } from './acp.ts';
import { decodeContent, listOf, optionalText, textOf } from './content.ts';
import { isObject, type JsonObject } from './frames.ts';
import { configOptions } from './schemas.ts';
import { decodeToolCall } from './toolCall.ts';
import { quoted, type Report } from './trace.ts';

/** Takes what was decoded. */
export type UpdateSink = (sessionId: string, update: SessionUpdate) => void;

type Chunk = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';
type Kind = SessionUpdate['sessionUpdate'];
type Decoder = (update: JsonObject, report: Report) => SessionUpdate | undefined;

/**
 * Decodes the params of `session/update` (ACP v1, "Prompt Turn") and hands each update on; what is unknown or ill-typed
 * is left out and reported, and never takes the rest with it. The guards are written by hand: this runs for every chunk,
 * and a schema library costs more than the parsing of the line.
 */
export function decodeUpdate(params: unknown, sink: UpdateSink, report: Report): void {
  if (!isObject(params) || typeof params['sessionId'] !== 'string' || !isObject(params['update'])) {
    report('update', 'The agent sent an update without a session or without content.');
    return;
  }
  const { sessionId, update } = params;
  // Some agents tag the kind as other parts of the protocol do.
  const kind = update['sessionUpdate'] ?? update['type'];
  if (isChunk(kind)) {
    decodeChunk(kind, sessionId, update, sink, report);
    return;
  }
  if (typeof kind !== 'string' || !isKind(kind)) {
    report(`update ${quoted(kind)}`, `Updates of kind ${quoted(kind)} are not known.`);
    return;
  }
  const decoded = DECODERS[kind](update, report);
  if (decoded !== undefined) sink(sessionId, decoded);
}

function isChunk(kind: unknown): kind is Chunk {
  return (
    kind === 'agent_message_chunk' ||
    kind === 'agent_thought_chunk' ||
    kind === 'user_message_chunk'
  );
}

function decodeChunk(
  kind: Chunk,
  sessionId: string,
  update: JsonObject,
  sink: UpdateSink,
  report: Report,
): void {
  const { content, messageId } = update;
  if (!Array.isArray(content)) {
    emitChunk(kind, sessionId, content, messageId, sink, report);
    return;
  }
  // Some agents send a list of blocks where one is meant.
  for (const block of content) emitChunk(kind, sessionId, block, messageId, sink, report);
}

function emitChunk(
  sessionUpdate: Chunk,
  sessionId: string,
  block: unknown,
  messageId: unknown,
  sink: UpdateSink,
  report: Report,
): void {
  const content = decodeContent(block, report);
  if (content === undefined) return;
  if (typeof messageId === 'string') sink(sessionId, { sessionUpdate, content, messageId });
  else sink(sessionId, { sessionUpdate, content });
}

const DECODERS: Record<Exclude<Kind, Chunk>, Decoder> = {
  tool_call: (update, report) => {
    const call = decodeToolCall(update, report);
    if (call === undefined) return undefined;
    return { sessionUpdate: 'tool_call', ...call, title: call.title ?? '' };
  },
  tool_call_update: (update, report) => {
    const call = decodeToolCall(update, report);
    return call === undefined ? undefined : { sessionUpdate: 'tool_call_update', ...call };
  },
  plan: (update, report) => ({
    sessionUpdate: 'plan',
    entries: collect(update['entries'], 'plan entry', report, decodePlanEntry),
  }),
  available_commands_update: (update, report) => ({
    sessionUpdate: 'available_commands_update',
    availableCommands: collect(update['availableCommands'], 'command', report, decodeCommand),
  }),
  current_mode_update: (update, report) => {
    // The text of the specification calls it `modeId`, the schema `currentModeId`.
    const currentModeId = update['currentModeId'] ?? update['modeId'];
    if (typeof currentModeId === 'string') {
      return { sessionUpdate: 'current_mode_update', currentModeId };
    }
    return incomplete('current_mode_update', report);
  },
  config_option_update: (update) => ({
    sessionUpdate: 'config_option_update',
    configOptions: v.parse(configOptions, update['configOptions']),
  }),
  session_info_update: decodeInfo,
  usage_update: decodeUsage,
  notice: (update, report) => {
    const { severity, title } = update;
    if (typeof title !== 'string') return incomplete('notice', report);
    return {
      sessionUpdate: 'notice',
      severity: optionalText(severity) ?? 'info',
      title,
      description: optionalText(update['description']) ?? null,
    };
  },
  compaction_update: decodeCompaction,
  compaction_summary_chunk: (update, report) => {
    const { compactionId } = update;
    const content = decodeContent(update['content'], report);
    if (typeof compactionId !== 'string' || content === undefined) {
      return incomplete('compaction_summary_chunk', report);
    }
    return { sessionUpdate: 'compaction_summary_chunk', compactionId, content };
  },
};

function isKind(value: string): value is Exclude<Kind, Chunk> {
  return Object.hasOwn(DECODERS, value);
}

function decodeInfo(update: JsonObject): SessionUpdate {
  const { title, updatedAt } = update;
  return {
    sessionUpdate: 'session_info_update',
    // `null` clears, absence leaves as it was.
    ...(typeof title === 'string' || title === null ? { title } : {}),
    ...(typeof updatedAt === 'string' || updatedAt === null ? { updatedAt } : {}),
  };
}

function decodeUsage(update: JsonObject, report: Report): SessionUpdate | undefined {
  const { used, size, cost } = update;
  if (!isCount(used) || !isCount(size)) return incomplete('usage_update', report);
  if (isObject(cost) && isCount(cost['amount']) && typeof cost['currency'] === 'string') {
    const { amount, currency } = cost;
    return { sessionUpdate: 'usage_update', used, size, cost: { amount, currency } };
  }
  return { sessionUpdate: 'usage_update', used, size };
}

function decodeCompaction(update: JsonObject, report: Report): SessionUpdate | undefined {
  const { compactionId, status, summary } = update;
  if (typeof compactionId !== 'string' || typeof status !== 'string') {
    return incomplete('compaction_update', report);
  }
  const blocks = listOf(summary)?.flatMap((value) => decodeContent(value, report) ?? []);
  return {
    sessionUpdate: 'compaction_update',
    compactionId,
    status,
    ...(blocks === undefined ? {} : { summary: blocks }),
    error: optionalText(update['error']) ?? null,
  };
}

const PRIORITIES = { high: true, medium: true, low: true } satisfies Record<
  PlanEntry['priority'],
  true
>;
const PLAN_STATUSES = { pending: true, in_progress: true, completed: true } satisfies Record<
  PlanEntry['status'],
  true
>;

function decodePlanEntry(value: JsonObject): PlanEntry | undefined {
  const { content, priority, status } = value;
  if (typeof content !== 'string') return undefined;
  return {
    content,
    priority: isPriority(priority) ? priority : 'medium',
    status: isPlanStatus(status) ? status : 'pending',
  };
}

function isPriority(value: unknown): value is PlanEntry['priority'] {
  return typeof value === 'string' && Object.hasOwn(PRIORITIES, value);
}

function isPlanStatus(value: unknown): value is PlanEntry['status'] {
  return typeof value === 'string' && Object.hasOwn(PLAN_STATUSES, value);
}

function decodeCommand(value: JsonObject) {
  const { name, input } = value;
  const description = textOf(value['description']) ?? '';
  if (typeof name !== 'string' || name === '') return undefined;
  const hint = isObject(input) ? optionalText(input['hint']) : undefined;
  return { name, description, input: hint === undefined ? null : { hint } };
}

/** Every member that can be decoded; the others are reported. */
function collect<T>(
  value: unknown,
  what: string,
  report: Report,
  decode: (item: JsonObject) => T | undefined,
): T[] {
  const found: T[] = [];
  for (const item of listOf(value) ?? []) {
    const decoded = isObject(item) ? decode(item) : undefined;
    if (decoded !== undefined) found.push(decoded);
    else report(what, `A ${what} of the agent was not understood; it was left out.`);
  }
  return found;
}

function incomplete(kind: Kind, report: Report): SessionUpdate | undefined {
  report(`incomplete ${kind}`, `An update of kind "${kind}" is incomplete; it was left out.`);
  return undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
