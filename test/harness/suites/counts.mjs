/** How many tests did what. */

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Counts */

/** @type {Counts} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}
