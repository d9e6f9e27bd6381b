/**
 * Runs test suites, one after the other, and ends with one line of counts over all of them.
 *
 *   node test/harness/run.mjs SUITE... [-- FILTER]
 *
 * Suites: unit, contract, webview, host, soak, ui, desktop, agents, bench, shots. FILTER keeps the test files whose path has it.
 * PARLEY_RELEASES=1.139 limits host and ui to some releases of VS Code.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildTests, packExtension } from './build.mjs';
import { say } from './programs.mjs';
import { SUITES } from './suites/index.mjs';
import { NOTHING, add } from './suites/counts.mjs';

const separator = process.argv.indexOf('--');
const names = process.argv.slice(2, separator === -1 ? undefined : separator);
const filter = separator === -1 ? '' : (process.argv[separator + 1] ?? '');

// The bundled agent keeps its sessions, but not those of tests among the developer's own.
const kept = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-kept-'));
process.env.PARLEY_AGENT_SESSIONS = kept;
process.exitCode = await main();
fs.rmSync(kept, { recursive: true, force: true });
process.exit();

/** @returns {Promise<number>} Exit code. */
async function main() {
  const suites = names.map((name) => ({ name, suite: SUITES[name] }));
  const unknown = suites.filter(({ suite }) => suite === undefined).map(({ name }) => name);
  if (suites.length === 0 || unknown.length > 0) {
    say(`Name suites to run: ${Object.keys(SUITES).join(', ')}.`);
    return 2;
  }
  try {
    // The packed extension first: what is built for development afterwards is what stays in dist/.
    if (suites.some(({ suite }) => suite?.needsPackage)) await packExtension();
    await buildTests();
  } catch (error) {
    say(`The build failed. ${messageOf(error)}`);
    return 1;
  }

  let total = NOTHING;
  for (const { name, suite } of suites) {
    const start = Date.now();
    console.log(`\n== ${name}`);
    const counts = await suite.run({ filter }).catch((/** @type {unknown} */ error) => {
      say(messageOf(error));
      return { ...NOTHING, failed: 1 };
    });
    console.log(`== ${name}: ${line(counts)} (${((Date.now() - start) / 1000).toFixed(0)} s)`);
    total = add(total, counts);
  }
  const ran = total.passed + total.failed > 0;
  const onlyWithoutTests = suites.every(({ suite }) => suite?.mayBeEmpty);
  if (!ran && !onlyWithoutTests) say('No test ran.');
  console.log(`\n${line(total)}`);
  return total.failed === 0 && (ran || onlyWithoutTests) ? 0 : 1;
}

/** @param {import('./suites/counts.mjs').Counts} counts */
function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
