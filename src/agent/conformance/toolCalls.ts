import type { JsonObject } from './json.ts';
import { pick, show } from './json.ts';

/** How far a status is; a call that has ended stays ended. */
const PROGRESS: Readonly<Record<string, number>> = {
  pending: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
};
const ENDED = 2;

/** What is wrong with an update of a tool call, if anything. */
export interface ToolFault {
  readonly kind: 'toolOrder' | 'toolStatus';
  readonly reason: string;
}

/** The tool calls of the sessions of one connection, as far as they have come. */
export class ToolCalls {
  private readonly statuses = new Map<string, number>();

  /** Takes a `tool_call` or a `tool_call_update`; of anything else nothing. */
  take(sessionId: unknown, update: JsonObject): readonly ToolFault[] {
    const kind = update['sessionUpdate'];
    const id = update['toolCallId'];
    if ((kind !== 'tool_call' && kind !== 'tool_call_update') || typeof id !== 'string') return [];
    const key = JSON.stringify([sessionId, id]);
    const before = this.statuses.get(key);
    const status = pick(update, 'status');
    const now = typeof status === 'string' ? PROGRESS[status] : undefined;
    this.statuses.set(key, Math.max(before ?? 0, now ?? 0));
    const faults: ToolFault[] = [];
    if (kind === 'tool_call_update' && before === undefined) {
      const reason = `an update of the tool call ${show(id)}, which no tool_call has begun`;
      faults.push({ kind: 'toolOrder', reason });
    }
    if (kind === 'tool_call' && before === ENDED) {
      const reason = `a second tool_call with the id ${show(id)}, after the first has ended`;
      faults.push({ kind: 'toolOrder', reason });
    } else if (before !== undefined && now !== undefined && now < before) {
      const reason = `the tool call ${show(id)} goes back to ${show(status)}`;
      faults.push({ kind: 'toolStatus', reason });
    }
    return faults;
  }

  /** The ids of calls of a session that have not ended. */
  open(sessionId: string): readonly string[] {
    const prefix = JSON.stringify([sessionId]).slice(0, -1);
    return [...this.statuses]
      .filter(([key, status]) => key.startsWith(`${prefix},`) && status < ENDED)
      .map(([key]) => key.slice(prefix.length + 1, -1));
  }
}
