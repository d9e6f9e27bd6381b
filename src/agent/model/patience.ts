/** Ends what an endpoint keeps waiting for too long. Time counts only while something is waited for. */
export class Patience {
  private readonly controller = new AbortController();
  private readonly whole: NodeJS.Timeout;

  /** Aborts when the patience is at its end. */
  readonly signal = this.controller.signal;

  /**
   * @param silence Milliseconds that a single wait may last.
   * @param all Milliseconds after which it is over in any case.
   */
  constructor(
    private readonly silence: number,
    all: number,
  ) {
    this.whole = setTimeout(this.end, all).unref();
  }

  /** Waits for a promise that `signal` can end. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    const timer = setTimeout(this.end, this.silence);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  stop(): void {
    clearTimeout(this.whole);
  }

  private readonly end = (): void => {
    this.controller.abort();
  };
}
