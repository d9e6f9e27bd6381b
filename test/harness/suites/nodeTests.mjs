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
 * @param {string} suite
 * @param {object} options
 * @param {string} options.filter
 * @param {number} options.concurrency Files at a time.
 * @param {number} options.limit Milliseconds for the whole suite: one that hangs is ended then.
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
export async function runNodeTests(suite, { filter, concurrency, limit }) {
  const files = builtFiles(suite, '.test', filter);
  if (files.length === 0) {
    say(
      `There are no tests in test/${suite}${filter === '' ? '' : ` with "${filter}" in their path`}.`,
    );
    return { ...NOTHING, failed: 1 };
  }
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
    return checked(readCounts(counts), code);
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)} It hangs, and was ended.`);
    return { ...NOTHING, failed: 1 };
  } finally {
    await stop(GRACE);
  }
}

/** @param {string} file */
function readCounts(file) {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return text === '' ? NOTHING : /** @type {import('./counts.mjs').Counts} */ (JSON.parse(text));
}

/**
 * A runner that failed without a failed test (it crashed, a file could not be loaded) is a failure all the same.
 * @param {import('./counts.mjs').Counts} counts
 * @param {number | string} code
 */
function checked(counts, code) {
  return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
