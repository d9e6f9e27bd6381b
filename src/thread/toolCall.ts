import type { ToolCallStatus } from '../protocol/acp.ts';
import { toolContent, toolLocations } from './content.ts';
import { kept } from './json.ts';
import type { PartialToolCall, Permission, ToolCallEntry, ToolCallState } from './thread.ts';

/** A call of which nothing but the id is known. */
export function newToolCall(toolCallId: string, at: number): ToolCallEntry {
  return {
    kind: 'tool',
    at,
    endedAt: null,
    toolCallId,
    title: '',
    toolKind: 'other',
    state: 'pending',
    content: [],
    locations: [],
    rawInput: null,
    rawOutput: null,
    output: '',
    exit: null,
    cwd: null,
    permissions: [],
  };
}

/**
 * The call with the fields that an update carries; one that is absent or `null` changes nothing. The same object if all
 * is as it was. The status is not among them: see `withStatus`.
 */
export function withFields(
  call: ToolCallEntry,
  update: Omit<PartialToolCall, 'sessionUpdate' | 'toolCallId' | 'status'>,
): ToolCallEntry {
  const next: ToolCallEntry = {
    ...call,
    title: update.title ?? call.title,
    toolKind: update.kind ?? call.toolKind,
    content: update.content ? toolContent(call.content, update.content) : call.content,
    locations: update.locations ? toolLocations(call.locations, update.locations) : call.locations,
    rawInput: kept(call.rawInput, update.rawInput ?? call.rawInput),
    rawOutput: kept(call.rawOutput, update.rawOutput ?? call.rawOutput),
  };
  const same =
    next.title === call.title &&
    next.toolKind === call.toolKind &&
    next.content === call.content &&
    next.locations === call.locations &&
    next.rawInput === call.rawInput &&
    next.rawOutput === call.rawOutput;
  return same ? call : next;
}

/** The call after the agent reported a status, which never leads back. */
export function withStatus(
  call: ToolCallEntry,
  status: ToolCallStatus | null | undefined,
  at: number,
): ToolCallEntry {
  if (status === null || status === undefined) return call;
  return withState(call, nextState(call.state, status), at);
}

/**
 * What ended stays as it ended, with one exception: a call that we took for cancelled may have been completed in truth.
 * While a person is being asked, a call that the agent calls running waits all the same.
 */
function nextState(state: ToolCallState, status: ToolCallStatus): ToolCallState {
  switch (status) {
    case 'pending':
      return state;
    case 'in_progress':
      return state === 'pending' ? 'running' : state;
    case 'completed':
      return isOpenState(state) || state === 'cancelled' ? 'done' : state;
    case 'failed':
      return isOpenState(state) ? 'failed' : state;
  }
}

/** Whether something may still come: neither ended, nor given up. */
function isOpenState(state: ToolCallState): boolean {
  return state === 'pending' || state === 'waiting' || state === 'running';
}

function withState(call: ToolCallEntry, state: ToolCallState, at: number): ToolCallEntry {
  if (state === call.state) return call;
  return { ...call, state, endedAt: isOpenState(state) ? null : at };
}

/** A person is asked about the call, which waits for the answer, unless it has come to its end already. */
export function withQuestion(
  call: ToolCallEntry,
  question: Omit<Permission, 'state'>,
): ToolCallEntry {
  const permission: Permission = { ...question, state: { kind: 'open' } };
  const asked = { ...call, permissions: [...call.permissions, permission] };
  if (call.state === 'done' || call.state === 'failed') return asked;
  return withState(asked, 'waiting', question.at);
}

/** The answer to one open question. The call goes on waiting while another question about it is open. */
export function withAnswer(
  call: ToolCallEntry,
  permissionId: string,
  optionId: string | null,
  at: number,
): ToolCallEntry {
  const permissions = call.permissions.map((permission): Permission => {
    if (permission.id !== permissionId) return permission;
    const state =
      optionId === null
        ? ({ kind: 'cancelled', at } as const)
        : ({ kind: 'answered', at, optionId } as const);
    return { ...permission, state };
  });
  const answered: ToolCallEntry = { ...call, permissions };
  if (call.state !== 'waiting' || permissions.some(isOpenPermission)) return answered;
  if (optionId === null) return withState(answered, givenUp(answered), at);
  const answer = permissions.find((permission) => permission.id === permissionId);
  return withState(answered, answer && isRefused(answer) ? 'rejected' : 'running', at);
}

/** The call when nothing more can come of it: its turn ended, or the person pressed Stop. */
export function settled(call: ToolCallEntry, at: number): ToolCallEntry {
  const permissions = call.permissions.some(isOpenPermission)
    ? call.permissions.map((permission): Permission =>
        isOpenPermission(permission)
          ? { ...permission, state: { kind: 'cancelled', at } }
          : permission,
      )
    : call.permissions;
  const closed = permissions === call.permissions ? call : { ...call, permissions };
  return isOpenState(call.state) ? withState(closed, givenUp(closed), at) : closed;
}

/** Whether `settled` would change it. */
export function isUnsettled(call: ToolCallEntry): boolean {
  return isOpenState(call.state) || call.permissions.some(isOpenPermission);
}

export function isOpenPermission(permission: Permission): boolean {
  return permission.state.kind === 'open';
}

/** A call that the person refused last stays refused. */
function givenUp(call: ToolCallEntry): ToolCallState {
  const answered = call.permissions.filter(({ state }) => state.kind === 'answered');
  const last = answered.reduce<Permission | undefined>(
    (latest, permission) => (answeredAt(permission) >= answeredAt(latest) ? permission : latest),
    undefined,
  );
  return last !== undefined && isRefused(last) ? 'rejected' : 'cancelled';
}

function answeredAt(permission: Permission | undefined): number {
  return permission?.state.kind === 'answered' ? permission.state.at : 0;
}

function isRefused({ state, options }: Permission): boolean {
  if (state.kind !== 'answered') return false;
  const chosen = options.find((option) => option.optionId === state.optionId);
  return chosen?.kind === 'reject_once' || chosen?.kind === 'reject_always';
}
