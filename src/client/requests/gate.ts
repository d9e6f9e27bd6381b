import { Cancelled } from '../../base/errors.ts';

/** Lets a bounded count of tasks in at a time; the others wait in the order in which they came. */
export class Gate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly places: number) {}

  /** Runs a task when there is a place. Rejects with `Cancelled` if `signal` aborts before that. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.running >= this.places) await this.place(signal);
    else this.running += 1;
    try {
      if (signal.aborted) throw new Cancelled();
      return await task();
    } finally {
      // The place goes on to the next one without being free in between.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }

  private place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(new Cancelled());
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }
}
