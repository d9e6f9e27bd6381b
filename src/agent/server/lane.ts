import type { Call } from './call.ts';

/** How many requests of one session may wait. */
const MAX_HELD_CALLS = 256;
/** How long their lines may be together, in bytes. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** Whether one more request may wait with these. */
export function canHold(held: readonly Call[], call: Call): boolean {
  const bytes = held.reduce((sum, each) => sum + each.bytes, call.bytes);
  return held.length < MAX_HELD_CALLS && bytes <= MAX_HELD_BYTES;
}

/**
 * The requests of one session, one at a time: the next is dispatched when the answer of the one before has been written
 * and what it was doing has come to its end. So a client that stops reading holds at most one parked answer.
 */
export class Lane {
  private readonly held: Call[] = [];
  private current: Call | undefined;
  private readonly working = new Set<Call>();

  constructor(private readonly dispatch: (call: Call) => void) {}

  get isIdle(): boolean {
    return this.current === undefined && this.held.length === 0 && !this.isWorking;
  }

  /** What the embedder was asked to do has not returned, perhaps long after its request was answered. */
  get isWorking(): boolean {
    return this.working.size > 0;
  }

  /** The requests that have not been begun. */
  get waiting(): readonly Call[] {
    return this.held;
  }

  /** A turn runs or waits to. */
  get hasTurn(): boolean {
    const isOpen = this.current?.isTurn === true && !this.current.isAnswered;
    return isOpen || [...this.held, ...this.working].some(({ isTurn }) => isTurn);
  }

  /** Dispatches a request when its time has come. @returns false when too many wait already. */
  take(call: Call): boolean {
    const waits = this.current !== undefined || this.isWorking;
    if (waits && !canHold(this.held, call)) return false;
    this.held.push(call);
    this.next();
    return true;
  }

  /** `session/cancel`: ends the turn that runs and those that wait. */
  cancelTurns(): void {
    for (const call of [this.current, ...this.held]) if (call?.isTurn === true) call.cancel();
    this.next();
  }

  /** Takes out a request that waits. @returns false when it does not. */
  remove(call: Call): boolean {
    const at = this.held.indexOf(call);
    if (at === -1) return false;
    this.held.splice(at, 1);
    return true;
  }

  /** The answer of this request has been written. */
  written(call: Call): void {
    if (this.current === call) this.current = undefined;
    this.next();
  }

  /** What the embedder does for this request; while it lasts nothing else is begun. */
  work(call: Call, promise: Promise<unknown>): void {
    this.working.add(call);
    const done = (): void => {
      this.working.delete(call);
      this.next();
    };
    promise.then(done, done);
  }

  /** Forgets the requests that wait. */
  drop(): void {
    this.held.length = 0;
  }

  /** A cancelled turn has nothing to wait for but the answer before it: it will not be begun. */
  private next(): void {
    const [call] = this.held;
    if (!call || this.current) return;
    if (this.isWorking && !call.cancelled.aborted) return;
    this.remove(call);
    this.current = call;
    this.dispatch(call);
  }
}
