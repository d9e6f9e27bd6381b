import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something is so. Fails with `what` if it is not after `ms` milliseconds. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await delay(5);
  }
}
