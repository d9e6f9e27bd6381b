import assert from 'node:assert/strict';

import { apply, coalesce } from '../../../src/bridge/patch.ts';
import { joinEvents } from '../../../src/thread/joinEvents.ts';
import { reduce } from '../../../src/thread/reducer.ts';
import type { Change, Thread, ThreadEvent } from '../../../src/thread/thread.ts';
import { random } from './random.ts';

const silent = (): void => undefined;

/** The value and all that it holds can no longer be changed: whoever tries, throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

export function played(initial: Thread, events: readonly ThreadEvent[]): Thread {
  return events.reduce((thread, event) => apply(thread, reduce(thread, event, silent)), initial);
}

/**
 * What must hold for any events: nothing is changed in place; a copy that gets the changes as JSON, joined over frames of
 * any size, is the same; a log in which pieces of text were joined gives the same thread; and each turn that ended on
 * its way has left nothing open.
 */
export function checkProperties(initial: Thread, events: readonly ThreadEvent[], seed = 1): void {
  checkCopy(initial, events, seed);
  checkJoined(initial, events);
  checkNothingOpen(initial, events);
}

function checkCopy(initial: Thread, events: readonly ThreadEvent[], seed: number): void {
  const { below } = random(seed);
  let host = frozen(initial);
  let page: Thread = frozen(structuredClone(initial));
  let frame: Change[] = [];
  const flush = (): void => {
    page = frozen(apply(page, structuredClone(coalesce(frame))));
    frame = [];
    assert.deepEqual(page, host);
  };
  for (const event of events) {
    const changes = frozen(reduce(host, frozen(event), silent));
    const next = frozen(apply(host, changes));
    if (changes.length === 0) assert.equal(next, host);
    assert.deepEqual(JSON.parse(JSON.stringify(changes)), changes, 'changes are plain JSON');
    host = next;
    frame.push(...changes);
    if (below(6) === 0) flush();
  }
  flush();
}

function checkJoined(initial: Thread, events: readonly ThreadEvent[]): void {
  const log: ThreadEvent[] = [];
  for (const event of events) {
    const last = log.at(-1);
    const both = last === undefined ? null : joinEvents(last, event);
    if (both === null) log.push(event);
    else log[log.length - 1] = both;
  }
  assert.deepEqual(played(initial, log), played(initial, events));
}

/** At the moment in which a turn ends no call and no question of it is open, and no thought is live. */
function checkNothingOpen(initial: Thread, events: readonly ThreadEvent[]): void {
  let thread = initial;
  for (const event of events) {
    const changes = reduce(thread, event, silent);
    thread = apply(thread, changes);
    const ends = changes.some((c) => c.type === 'turnState' && c.state.kind !== 'running');
    const entries = ends ? (thread.latest?.entries ?? []) : thread.past.flatMap((t) => t.entries);
    for (const entry of entries) {
      if (entry.kind === 'thought') assert.notEqual(entry.endedAt, null);
      if (entry.kind !== 'tool') continue;
      assert.ok(!['pending', 'waiting', 'running'].includes(entry.state), entry.toolCallId);
      assert.ok(entry.permissions.every(({ state }) => state.kind !== 'open'));
      assert.notEqual(entry.endedAt, null);
    }
  }
}
