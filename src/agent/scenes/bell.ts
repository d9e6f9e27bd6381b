/** Wakes whoever waits for something to change. */
export class Bell {
  private waiting: (() => void)[] = [];

  ring(): void {
    const all = this.waiting;
    this.waiting = [];
    for (const wake of all) wake();
  }

  /** Resolves at the next ring. @param ms Resolves after so many milliseconds at the latest. */
  heard(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
