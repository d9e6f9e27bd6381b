import type { Disposable } from './lifecycle.ts';

/** Subscribes a listener; dispose the result to unsubscribe. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * A source of events. Listeners run in the order in which they subscribed, in the caller's stack. One that throws is in
 * nobody's way: the others hear the event all the same, and who fires it goes on.
 */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  /** @param failed Hears what listeners throw; without it that becomes an unhandled rejection, so that it is seen. */
  constructor(private readonly failed: (error: unknown) => void = unhandled) {}

  readonly event: Event<T> = (listener) => {
    // A listener that subscribes twice is called twice, so each subscription has a function of its own.
    const own = (value: T): void => {
      listener(value);
    };
    this.listeners.add(own);
    return {
      dispose: () => {
        this.listeners.delete(own);
      },
    };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.failed(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

function unhandled(error: unknown): void {
  void Promise.reject(error instanceof Error ? error : new Error(String(error)));
}
