import type { SessionUpdate } from '../protocol/acp.ts';
import { terminalCwd, terminalExit, terminalOutput } from './content.ts';
import { kept } from './json.ts';
import { outputEnd } from './screen.ts';
import {
  isOpenPermission,
  newToolCall,
  withAnswer,
  withFields,
  withQuestion,
  withStatus,
} from './toolCall.ts';
import { append, isCall, lateCall, placeInLatest, replace, type Place } from './turns.ts';
import type {
  Change,
  Entry,
  PartialToolCall,
  Thread,
  ThreadHappening,
  ToolCallEntry,
} from './thread.ts';

type CallUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>;

/** Output beyond this many characters is cut from its start, as a terminal's is. */
const MAX_OUTPUT = 2_000_000;
const CUT_OUTPUT = 1_000_000;

/**
 * A call, or news of one. Whatever names a call first creates it: the call, an update, or a question about it. Ids are
 * looked for in the latest turn: some agents begin to count anew in each turn.
 */
export function callUpdate(thread: Thread, update: CallUpdate, at: number): readonly Change[] {
  const place = placeOf(thread, update);
  const output = terminalOutput(update._meta);
  if (place === null) {
    const call = withUpdate(newToolCall(update.toolCallId, at), update, at);
    return append(thread, withOutput(call, output));
  }
  const call = withUpdate(place.entry, update, at);
  if (output === '') return replace(place, call);
  if (call.output.length + output.length > MAX_OUTPUT) {
    return replace(place, withOutput(call, output));
  }
  const { turn, index } = place;
  return [...replace(place, call), { type: 'text', turn, index, text: output }];
}

/** The call in the latest turn, or a new one, with what a question about it says. The thread does not change. */
export function callWith(thread: Thread, toolCall: PartialToolCall, at: number): ToolCallEntry {
  const { toolCallId } = toolCall;
  const known = placeInLatest(thread, isCall(toolCallId))?.entry;
  return withFields(known ?? newToolCall(toolCallId, at), toolCall);
}

/** The agent asks for permission. The call is as partial as the agent sent it, or missing. */
export function permissionAsked(
  thread: Thread,
  event: Extract<ThreadHappening, { type: 'permissionAsked' }>,
  at: number,
): readonly Change[] | null {
  const { permissionId, toolCall, options, reason, folder } = event;
  if (questionPlace(thread, permissionId) !== null) return null;
  const toolCallId = toolCall.toolCallId === '' ? permissionId : toolCall.toolCallId;
  const place = placeInLatest(thread, isCall(toolCallId));
  const asked = withQuestion(callWith(thread, { ...toolCall, toolCallId }, at), {
    id: permissionId,
    at,
    options,
    ...(reason === undefined ? {} : { reason }),
    ...(folder === undefined ? {} : { folder }),
  });
  return place === null ? append(thread, asked) : replace(place, asked);
}

/** `null` if the answer does not fit: no such question, answered already, or an option that was not offered. */
export function permissionAnswered(
  thread: Thread,
  event: Extract<ThreadHappening, { type: 'permissionAnswered' }>,
  at: number,
): readonly Change[] | null {
  const { permissionId, optionId } = event;
  const place = questionPlace(thread, permissionId);
  const question = place?.entry.permissions.find(({ id }) => id === permissionId);
  if (place === null || question === undefined) return null;
  // Stop has cancelled the question here before the agent got its answer.
  if (question.state.kind === 'cancelled' && optionId === null) return [];
  if (!isOpenPermission(question)) return null;
  if (optionId !== null && !question.options.some((option) => option.optionId === optionId)) {
    return null;
  }
  return replace(place, withAnswer(place.entry, permissionId, optionId, at));
}

function withUpdate(call: ToolCallEntry, update: CallUpdate, at: number): ToolCallEntry {
  return withStatus(withTerminal(withFields(call, update), update), update.status, at);
}

/** What the agent tells of a terminal of its own, besides its output. */
function withTerminal(call: ToolCallEntry, update: CallUpdate): ToolCallEntry {
  const exit = kept(call.exit, terminalExit(update) ?? call.exit);
  const cwd = terminalCwd(update._meta) ?? call.cwd;
  return exit === call.exit && cwd === call.cwd ? call : { ...call, exit, cwd };
}

function withOutput(call: ToolCallEntry, more: string): ToolCallEntry {
  if (more === '') return call;
  const output = call.output + more;
  if (output.length <= MAX_OUTPUT) return { ...call, output };
  return { ...call, output: outputEnd(output, CUT_OUTPUT) };
}

/**
 * Where the call of an update stands. A command that runs on after its turn was stopped reports into later turns, so
 * updates look there too; but a call that came to its end does not start again: that is another one with the same id.
 */
function placeOf(thread: Thread, update: CallUpdate): Place<ToolCallEntry> | null {
  const { toolCallId, status } = update;
  const place = placeInLatest(thread, isCall(toolCallId));
  if (place !== null || update.sessionUpdate === 'tool_call') return place;
  const late = lateCall(thread, toolCallId);
  const starts = status === 'pending' || status === 'in_progress';
  return starts && late?.entry.state !== 'cancelled' ? null : late;
}

function questionPlace(thread: Thread, permissionId: string): Place<ToolCallEntry> | null {
  const asks = (entry: Entry): entry is ToolCallEntry =>
    entry.kind === 'tool' && entry.permissions.some(({ id }) => id === permissionId);
  return placeInLatest(thread, asks);
}
