import type { Disposable } from './lifecycle.ts';

/** Subscribes a listener; dispose the result to unsubscribe. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A source of events. Listeners run in the order in which they subscribed, in the caller's stack. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

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
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}
