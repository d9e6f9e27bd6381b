import { AsyncLocalStorage } from 'node:async_hooks';
import { Cancelled } from '../../base/errors.ts';

/** A task that waits for a place. */
interface Waiting {
  readonly enter: () => void;
}

/** What one chat has in work, and what waits behind that. */
interface Line {
  running: number;
  /** Counts what was let in: when the last of this one's was. */
  served: number;
  readonly waiting: Waiting[];
}

/**
 * Lets a bounded count of tasks in at a time. Fair between those who ask: a free place goes to the one that has the
 * fewest in work, of equals to the one that was served longest ago; one alone never takes more than its share. Tasks of
 * one keep their order.
 */
export class Gate {
  private running = 0;
  private served = 0;
  private readonly lines = new Map<string, Line>();
  private readonly places = new AsyncLocalStorage<string>();

  /**
   * @param size Places in all.
   * @param share Places that one key may have, so that tasks that hang are in nobody else's way.
   */
  constructor(
    private readonly size: number,
    private readonly share = size,
  ) {}

  /** Runs a task when there is a place. Rejects with `Cancelled` if `signal` aborts before that. */
  async run<T>(key: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.enter(key, signal);
    try {
      if (signal.aborted) throw new Cancelled();
      return await this.places.run(key, task);
    } finally {
      this.leave(key);
    }
  }

  /**
   * Gives away the place of the task that calls while `wait` is waited for, such as an answer of the person, which may
   * take hours. Without a place it only waits.
   */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    const key = this.places.getStore();
    if (key === undefined) return wait();
    this.leave(key);
    try {
      return await wait();
    } finally {
      await this.enter(key, NEVER);
    }
  }

  private enter(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new Cancelled());
    const line = this.lines.get(key) ?? { running: 0, served: 0, waiting: [] };
    this.lines.set(key, line);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        line.waiting.splice(line.waiting.indexOf(waiting), 1);
        this.forget(key, line);
        reject(new Cancelled());
      };
      signal.addEventListener('abort', giveUp, { once: true });
      line.waiting.push(waiting);
      this.admit();
    });
  }

  private leave(key: string): void {
    const line = this.lines.get(key);
    if (line === undefined) return;
    this.running -= 1;
    line.running -= 1;
    this.forget(key, line);
    this.admit();
  }

  private admit(): void {
    while (this.running < this.size) {
      const line = this.next();
      if (line === null) return;
      this.running += 1;
      this.served += 1;
      line.running += 1;
      line.served = this.served;
      line.waiting.shift()?.enter();
    }
  }

  private next(): Line | null {
    let best: Line | null = null;
    for (const line of this.lines.values()) {
      if (line.waiting.length === 0 || line.running >= this.share) continue;
      if (best === null || comesBefore(line, best)) best = line;
    }
    return best;
  }

  private forget(key: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) this.lines.delete(key);
  }
}

function comesBefore(a: Line, b: Line): boolean {
  return a.running === b.running ? a.served < b.served : a.running < b.running;
}

const NEVER = new AbortController().signal;
