/** Benchmarks: programs that print figures and fail by their exit code. */
import path from 'node:path';
import { root } from '../paths.mjs';
import { within } from '../poll.mjs';
import { say, startGroup } from '../programs.mjs';
import { NOTHING, add } from './counts.mjs';
import { builtFiles } from './nodeTests.mjs';

/**
 * @param {string} suite
 * @param {{ filter: string, limit: number }} options `limit`: milliseconds for each program.
 * @returns {Promise<import('./counts.mjs').Counts>} One for each program.
 */
export async function runScripts(suite, { filter, limit }) {
  let total = NOTHING;
  for (const file of builtFiles(suite, '.bench', filter)) {
    console.log(`\n-- ${path.relative(root, file)}`);
    const { exit, stop } = startGroup(process.execPath, ['--expose-gc', file], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const code = await within(exit, limit, path.basename(file)).catch(
      (/** @type {Error} */ error) => {
        say(`${error.message} It was ended.`);
        return 1;
      },
    );
    await stop(1000);
    total = add(total, code === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 });
  }
  return total;
}
