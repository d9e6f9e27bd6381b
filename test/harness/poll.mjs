/** Waiting for something to become so, without fixed sleeps. */

const INTERVAL = 50;

/** How long to wait for what should come soon, in milliseconds: on a machine that is busy with other things, too. */
export const PATIENCE = 30_000;

/** How long to wait for a whole window to load, in milliseconds. */
export const LOAD = 120_000;

/**
 * Asks until the answer is good, or the time is up.
 * @template T
 * @param {string} what What is waited for, for the message.
 * @param {() => T | Promise<T>} ask May throw while things are not there yet.
 * @param {(value: T) => boolean} isGood
 * @param {number} [timeout] Milliseconds.
 * @returns {Promise<T>} The good answer.
 */
export async function poll(what, ask, isGood, timeout = PATIENCE) {
  const deadline = Date.now() + timeout;
  for (;;) {
    let last;
    try {
      const value = await ask();
      if (isGood(value)) return value;
      last = JSON.stringify(value)?.slice(0, 600);
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() > deadline) {
      throw new Error(`Waited ${timeout / 1000} s for ${what}. Last: ${last ?? 'nothing'}`);
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} timeout Milliseconds.
 * @param {string} what For the message.
 * @returns {Promise<T>}
 */
export async function within(promise, timeout, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} took more than ${timeout / 1000} s.`)),
      timeout,
    );
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}
