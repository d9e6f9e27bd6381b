import { noteOf } from './bounds.ts';
import type { KeptUpdate } from './kept.ts';
import type { Header, Line, Mark } from './lines.ts';
import { lineOf, readHeader, readLine } from './lines.ts';

/** What a session's file says. */
export interface History {
  readonly header: Header;
  /** The last one. */
  readonly mark: Mark;
  /** The conversation in its order; each call once, as it was in the end. */
  readonly updates: readonly KeptUpdate[];
  /** Lines that nobody can read. */
  readonly unread: number;
}

type Call = Extract<KeptUpdate, { sessionUpdate: 'tool_call' }>;

/** Why a call has failed that nobody saw the end of. */
export const CANCELLED = 'Cancelled: this was not carried out to its end.';

/** @param text A file's. Undefined when it does not begin as a session's file does. */
export function readHistory(text: string): History | undefined {
  const [first = '', ...rest] = text.split('\n');
  const header = readHeader(first);
  if (!header) return undefined;
  const updates: KeptUpdate[] = [];
  const calls = new Map<string, number>();
  let mark: Mark = { choices: {} };
  let unread = 0;
  for (const [at, raw] of rest.entries()) {
    if (raw === '') continue;
    const line = readLine(raw);
    if (!line) {
      // A line without its end was being written when the process was killed.
      if (at < rest.length - 1) unread += 1;
    } else if ('mark' in line) mark = line.mark;
    else take(line.update, updates, calls);
  }
  return { header, mark, updates: updates.map(ended), unread };
}

/** The newer part of a file, at most so many bytes of it, beginning with what the person said if possible. */
export function newerPart(text: string, most: number): string | undefined {
  const history = readHistory(text);
  if (!history) return undefined;
  const [first = '', ...rest] = text.split('\n').filter((line) => line !== '');
  const lines = rest.filter((line) => readLine(line) !== undefined);
  let room = most;
  let start = lines.length;
  while (start > 0) {
    room -= Buffer.byteLength(lines[start - 1] ?? '') + 1;
    if (room < 0) break;
    start -= 1;
  }
  const turn = lines.findIndex((line, at) => at >= start && isPrompt(readLine(line)));
  const kept = lines.slice(turn === -1 ? start : turn);
  return `${[first, lineOf({ mark: history.mark }).trimEnd(), ...kept].join('\n')}\n`;
}

function isPrompt(line: Line | undefined): boolean {
  return line !== undefined && 'update' in line
    ? line.update.sessionUpdate === 'user_message_chunk'
    : false;
}

/** Adds an update to those before; what is told of a call goes where the call is. */
function take(update: KeptUpdate, updates: KeptUpdate[], calls: Map<string, number>): void {
  if (update.sessionUpdate !== 'tool_call_update') {
    if (update.sessionUpdate === 'tool_call') calls.set(update.toolCallId, updates.length);
    updates.push(update);
    return;
  }
  const at = calls.get(update.toolCallId);
  const call = at === undefined ? undefined : updates[at];
  if (at === undefined || call?.sessionUpdate !== 'tool_call') return;
  const { title, ...changed } = update;
  updates[at] = {
    ...call,
    ...dropNulls(changed),
    sessionUpdate: 'tool_call',
    title: title ?? call.title,
  };
}

function dropNulls<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  return Object.assign(kept, Object.fromEntries(entries));
}

function ended(update: KeptUpdate): KeptUpdate {
  if (update.sessionUpdate !== 'tool_call' || hasEnded(update)) return update;
  return { ...update, status: 'failed', content: [...(update.content ?? []), noteOf(CANCELLED)] };
}

export function hasEnded({ status }: Pick<Call, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}
