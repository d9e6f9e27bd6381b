import { randomUUID } from 'node:crypto';
import type { Permission } from './clientSide.ts';
import type { JsonObject } from './json.ts';
import { pick } from './json.ts';
import type { Peer, Reply } from './peer.ts';
import { sessionOf } from './peer.ts';
import type { Turn } from './turnOutcome.ts';
import type { Walk } from './walk.ts';

/** Milliseconds in which updates are too late, and in which a turn that has begun may still ask for permission. */
const LATE_MS = 500;
const BEGUN_MS = 1_000;

/** Sends a prompt in a session of the running process and sees the turn through. */
export async function runTurn(
  walk: Walk,
  sessionId: string,
  blocks: readonly JsonObject[],
  permission: Permission,
): Promise<Turn> {
  const peer = await walk.ready();
  walk.tidy();
  walk.client.permission = permission;
  const first = peer.calls.length;
  const began: Reply[] = [];
  const id = randomUUID();
  const params = { sessionId, prompt: blocks };
  const answered = peer.request('session/prompt', params, walk.turnTimeout, id).then((reply) => {
    began.push(reply);
    return { reply, at: performance.now() };
  });
  const cancelled = permission === 'hold' ? await cancel(walk, peer, sessionId, began) : undefined;
  const { reply, at } = await answered;
  if (reply.kind === 'nothing') walk.doubtful = true;
  const count = reply.kind === 'nothing' ? peer.calls.length : reply.callsBefore;
  const open = peer.watch.tools.open(sessionId);
  await peer.until(() => peer.calls.slice(count).some(isUpdate), LATE_MS);
  walk.client.permission = 'allow';
  walk.client.cancelHeld();
  const calls = peer.calls.slice(first);
  return {
    sessionId,
    reply,
    cancelledFor: cancelled === undefined ? undefined : at - cancelled.at,
    updates: peer.calls.slice(first, count).filter(isUpdate),
    late: peer.calls.slice(count).filter(isUpdate),
    asked: calls.some((call) => call['method'] === 'session/request_permission'),
    held: cancelled?.held === true,
    open,
  };
}

/** The kind of an update. */
export function kindOf(update: JsonObject): string {
  return String(pick(update, 'params', 'update', 'sessionUpdate'));
}

/** Updates that belong to a turn, unlike those that tell of a session's state. */
export function belongsToTurn(update: JsonObject): boolean {
  return /_chunk$|^tool_call|^plan$/.test(kindOf(update));
}

/** Cancels a turn that has begun. @returns When, and what was open; `undefined` if it was over before. */
async function cancel(
  walk: Walk,
  peer: Peer,
  sessionId: string,
  ended: readonly Reply[],
): Promise<{ readonly at: number; readonly held: boolean } | undefined> {
  const first = peer.calls.length;
  const isOver = (): boolean => ended.length > 0;
  const hasBegun = (): boolean =>
    peer.calls.slice(first).some((call) => sessionOf(call) === sessionId && !isState(call));
  await peer.until(() => isOver() || hasBegun() || walk.client.holds, walk.turnTimeout);
  await peer.until(() => isOver() || walk.client.holds, BEGUN_MS);
  if (isOver()) return undefined;
  const { holds } = walk.client;
  const at = performance.now();
  peer.notify('session/cancel', { sessionId });
  walk.client.cancelHeld();
  // Asked for after that, it is answered at once: the turn is cancelled.
  walk.client.permission = 'cancel';
  return { at, held: holds };
}

function isUpdate(call: JsonObject): boolean {
  return call['method'] === 'session/update';
}

function isState(call: JsonObject): boolean {
  return isUpdate(call) && !belongsToTurn(call);
}
