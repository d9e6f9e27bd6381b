import { softAssertNever } from '../base/assert.ts';
import type { AvailableCommand, Notice, SessionUpdate } from '../protocol/acp.ts';
import { callUpdate, permissionAnswered, permissionAsked } from './calls.ts';
import { planSteps } from './content.ts';
import { equalJson } from './json.ts';
import { agentChunk, userChunk } from './messages.ts';
import { endTerminals, terminalChanges } from './terminals.ts';
import {
  append,
  beginTurn,
  endTurn,
  isCancelling,
  placeInLatest,
  replace,
  runningTurn,
  settle,
  settleCalls,
} from './turns.ts';
import type {
  AgentCommand,
  Change,
  Entry,
  NoticeEntry,
  PlanEntry,
  Thread,
  ThreadEvent,
  ThreadHappening,
} from './thread.ts';

/** Takes a sentence about an event that did not fit. */
export type Report = (message: string) => void;

/**
 * What an event does to a thread: the only place that decides it. Pure: the same events give the same thread, whatever
 * the clock says. An event that changes nothing gives no changes, and so does one that does not fit, which is reported:
 * nothing that an agent says can break a thread.
 */
export function reduce(thread: Thread, event: ThreadEvent, report: Report): readonly Change[] {
  const { at } = event;
  switch (event.type) {
    case 'prompted':
      return prompted(thread, event, at, report);
    case 'updated':
      return updated(thread, event.update, at, report);
    case 'permissionAsked':
    case 'permissionAnswered':
      return asked(thread, event, at, report);
    case 'cancelRequested':
    case 'stopped':
    case 'failed':
    case 'interrupted':
      return ended(thread, event, at, report);
    case 'noticed':
      return append(thread, notice(at, event.severity, event.text));
    case 'titled':
      return fields(thread, { title: event.title });
    case 'drafted':
      return fields(thread, { draft: event.text });
    case 'queued':
    case 'unqueued':
    case 'queueHeld':
      return queue(thread, event, report);
    case 'terminalStarted':
    case 'terminalPrinted':
    case 'terminalEnded':
      return terminal(thread, event, at, report);
    default:
      softAssertNever(event, report);
      return [];
  }
}

type Of<T extends ThreadHappening['type']> = Extract<ThreadHappening, { type: T }>;

/** What a command prints and how it ends; see `terminals.ts`. */
function terminal(
  thread: Thread,
  event: Of<'terminalStarted' | 'terminalPrinted' | 'terminalEnded'>,
  at: number,
  report: Report,
): readonly Change[] {
  const changes = terminalChanges(thread, event, at);
  if (changes === null) report(`${event.type} does not fit: ${event.terminalId}`);
  return changes ?? [];
}

function prompted(
  thread: Thread,
  { turnId, text }: Of<'prompted'>,
  at: number,
  report: Report,
): readonly Change[] {
  const open = runningTurn(thread);
  if (open !== null) report('a turn began while another one ran');
  const turn = {
    id: turnId,
    startedAt: at,
    endedAt: null,
    state: { kind: 'running', cancelling: false },
    entries: [{ kind: 'user', at, messageId: null, text }],
  } as const;
  if (open === null) return beginTurn(thread, turn);
  return [...endTurn(thread, { kind: 'interrupted' }, at), { type: 'turn', turn }];
}

function updated(
  thread: Thread,
  update: SessionUpdate,
  at: number,
  report: Report,
): readonly Change[] {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return userChunk(thread, update, at);
    case 'agent_message_chunk':
      return agentChunk(thread, 'agent', update, at);
    case 'agent_thought_chunk':
      return agentChunk(thread, 'thought', update, at);
    case 'tool_call':
    case 'tool_call_update':
      return callUpdate(thread, update, at);
    case 'plan':
      return plan(thread, { kind: 'plan', at, steps: planSteps(update.entries) });
    case 'available_commands_update':
      return fields(thread, { commands: update.availableCommands.map(command) });
    case 'session_info_update':
      return update.title === undefined ? [] : fields(thread, { title: update.title });
    case 'usage_update':
      return fields(thread, { usage: { used: update.used, size: update.size } });
    case 'notice':
      return append(thread, agentNotice(update, at));
    case 'current_mode_update':
    case 'config_option_update':
    case 'compaction_update':
    case 'compaction_summary_chunk':
      // Settings of the session and compaction are not part of the conversation yet.
      return [];
    default:
      softAssertNever(update, report);
      return [];
  }
}

function asked(
  thread: Thread,
  event: Of<'permissionAsked' | 'permissionAnswered'>,
  at: number,
  report: Report,
): readonly Change[] {
  const changes =
    event.type === 'permissionAsked'
      ? permissionAsked(thread, event, at)
      : permissionAnswered(thread, event, at);
  if (changes === null) report(`${event.type} does not fit: ${event.permissionId}`);
  return changes ?? [];
}

function ended(
  thread: Thread,
  event: Of<'cancelRequested' | 'stopped' | 'failed' | 'interrupted'>,
  at: number,
  report: Report,
): readonly Change[] {
  if (runningTurn(thread) === null) {
    // After the last event of a log nothing is open, whether a turn ran or the agent went on after one.
    if (event.type === 'interrupted') return [...settle(thread, at), ...endTerminals(thread, at)];
    report(`${event.type}, but no turn runs`);
    return [];
  }
  switch (event.type) {
    case 'cancelRequested':
      return cancel(thread, at);
    case 'stopped':
      return endTurn(thread, { kind: 'stopped', reason: event.reason }, at);
    case 'failed':
      // Some agents answer a cancelled prompt with an error.
      return isCancelling(thread)
        ? endTurn(thread, { kind: 'stopped', reason: 'cancelled' }, at)
        : endTurn(thread, { kind: 'failed', failure: event.failure }, at);
    case 'interrupted':
      return [...endTurn(thread, { kind: 'interrupted' }, at), ...endTerminals(thread, at)];
  }
}

function cancel(thread: Thread, at: number): readonly Change[] {
  if (isCancelling(thread)) return [];
  const state = { kind: 'running', cancelling: true } as const;
  return [
    ...settleCalls(thread, at),
    { type: 'turnState', turn: thread.past.length, state, endedAt: null },
    ...fields(thread, { queueHeld: thread.queue.length > 0 }),
  ];
}

function queue(
  thread: Thread,
  event: Of<'queued' | 'unqueued' | 'queueHeld'>,
  report: Report,
): readonly Change[] {
  if (event.type === 'queueHeld') {
    // An empty queue holds nothing.
    return fields(thread, { queueHeld: event.held && thread.queue.length > 0 });
  }
  const id = event.type === 'queued' ? event.prompt.id : event.promptId;
  const rest = thread.queue.filter((prompt) => prompt.id !== id);
  if (rest.length < thread.queue.length === (event.type === 'queued')) {
    report(`${event.type} does not fit: ${id}`);
    return [];
  }
  if (event.type === 'queued') return fields(thread, { queue: [...rest, event.prompt] });
  return fields(thread, { queue: rest, queueHeld: thread.queueHeld && rest.length > 0 });
}

/** The plan of the latest turn, which each update replaces. Where there is none, an empty one adds nothing. */
function plan(thread: Thread, next: PlanEntry): readonly Change[] {
  const isPlan = (entry: Entry): entry is PlanEntry => entry.kind === 'plan';
  const place = placeInLatest(thread, isPlan);
  if (place === null) return next.steps.length === 0 ? [] : append(thread, next);
  if (equalJson(place.entry.steps, next.steps)) return [];
  return replace(place, { ...place.entry, steps: next.steps });
}

function command({ name, description, input }: AvailableCommand): AgentCommand {
  return { name, description, hint: input?.hint ?? null };
}

function notice(at: number, severity: NoticeEntry['severity'], text: string): NoticeEntry {
  return { kind: 'notice', at, severity, text };
}

function agentNotice({ severity, title, description }: Notice, at: number): NoticeEntry {
  const text = description ? `${title}\n${description}` : title;
  const known = severity === 'warning' || severity === 'error' ? severity : 'info';
  return notice(at, known, text);
}

/** The fields that are not as they were. */
function fields(thread: Thread, next: Partial<Omit<Thread, 'past' | 'latest'>>): readonly Change[] {
  const before: Partial<Record<string, unknown>> = { ...thread };
  const same = Object.entries(next).every(([name, value]) => equalJson(before[name], value));
  return same ? [] : [{ type: 'fields', fields: next }];
}
