/** Suites of `node:test`, each file in a process of its own. */
import fs from 'node:fs';
import path from 'node:path';
import { root, temporaryFolder } from '../paths.mjs';
import { within } from '../poll.mjs';
import { say, startGroup } from '../programs.mjs';
import { NOTHING } from './counts.mjs';

/** Milliseconds for a test to put away what it has started, after it was told to end. */
const GRACE = 8000;

/**
 * The built files of a suite, by their sources: what an earlier build left in `dist/test` is not among them.
 * @param {string} suite Folder below `test/`.
 * @param {string} ending Such as `.test`.
 * @param {string} filter
 * @returns {string[]}
 */
export function builtFiles(suite, ending, filter) {
  const folder = path.join(root, 'test', suite);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => ({ file, stem: file.replace(/\.tsx?$/, '') }))
    .filter(({ file, stem }) => stem !== file && stem.endsWith(ending))
    .map(({ stem }) => path.join(root, 'dist', 'test', suite, `${stem}.js`))
    .filter((file) => file.includes(filter))
    .sort();
}

/**
 * @typedef {object} Run
 * @property {import('./counts.mjs').Counts} counts
 * @property {readonly string[]} failedFiles
 */

/**
 * @param {string} suite
 * @param {object} options
 * @param {string} options.filter
 * @param {number} options.concurrency Files at a time.
 * @param {number} options.limit Milliseconds for the whole suite: one that hangs is ended then.
 * @param {boolean} [options.again] Runs the files with a failure once more, and says so: for tests that drive a program
 *   which is not ours, and so may fail for reasons that are not ours.
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
export async function runNodeTests(suite, { filter, concurrency, limit, again = false }) {
  const files = builtFiles(suite, '.test', filter);
  if (files.length === 0) {
    say(
      `There are no tests in test/${suite}${filter === '' ? '' : ` with "${filter}" in their path`}.`,
    );
    return { ...NOTHING, failed: 1 };
  }
  const first = await run(suite, files, { concurrency, limit });
  const { counts, failedFiles } = first;
  if (!again || failedFiles.length === 0) return counts;
  const names = failedFiles.map((file) => path.basename(file)).join(', ');
  say(`FLAKY OR BROKEN: ${counts.failed} failed. Once more: ${names}`);
  const second = await run(suite, failedFiles, { concurrency, limit });
  if (second.counts.failed > 0) return { ...counts, failed: second.counts.failed };
  say(`FLAKY: ${counts.failed} of these passed only when they ran once more: ${names}`);
  return { ...counts, passed: counts.passed + counts.failed, failed: 0 };
}

/**
 * @param {string} suite
 * @param {readonly string[]} files
 * @param {{ concurrency: number, limit: number }} options
 * @returns {Promise<Run>}
 */
async function run(suite, files, { concurrency, limit }) {
  const counts = path.join(temporaryFolder('counts'), 'counts.json');
  const { exit, stop } = startGroup(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${concurrency}`,
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      `--test-reporter=${path.join(root, 'test', 'harness', 'countReporter.mjs')}`,
      `--test-reporter-destination=${counts}`,
      ...files,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  try {
    const code = await within(exit, limit, `The suite ${suite}`);
    return checked(readRun(counts), code);
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)} It hangs, and was ended.`);
    return FAILED;
  } finally {
    await stop(GRACE);
  }
}

/** @type {Run} */
const FAILED = { counts: { ...NOTHING, failed: 1 }, failedFiles: [] };

/**
 * @param {string} file
 * @returns {Run}
 */
function readRun(file) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  if (text === '') return { counts: NOTHING, failedFiles: [] };
  const { failedFiles, ...counts } = JSON.parse(text);
  return { counts, failedFiles };
}

/**
 * A runner that failed without a failed test (it crashed, a file could not be loaded) is a failure all the same.
 * @param {Run} run
 * @param {number | string} code
 * @returns {Run}
 */
function checked(run, code) {
  if (code === 0 || run.counts.failed > 0) return run;
  return { ...run, counts: { ...run.counts, failed: 1 } };
}
