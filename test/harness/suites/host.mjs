/** The mocha suite inside the extension host of a real VS Code, with the packed extension installed. */
import fs from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import { configureWorkbench, launchBrowser } from '../browser.mjs';
import { root, sampleWorkspace, shots, temporaryFolder, vsix } from '../paths.mjs';
import { LOAD, within } from '../poll.mjs';
import { say } from '../programs.mjs';
import { installExtension, startServer } from '../vscode/server.mjs';
import { FOR_TESTS } from '../vscode/settings.mjs';
import { releaseOf, testedReleases } from '../vscode/releases.mjs';
import { NOTHING, add } from './counts.mjs';

const MINUTE = 60_000;

/** The entry of the suite; it exports `run()`. */
export const hostTests = path.join(root, 'dist', 'test', 'host', 'index.js');

/**
 * @typedef {object} HostRun
 * @property {string} filter Keeps the test files whose name has it.
 * @property {number} [limit] Milliseconds in each release.
 * @property {NodeJS.ProcessEnv} [env] Reaches the tests.
 */

/**
 * @param {HostRun} options
 * @returns {Promise<import('./counts.mjs').Counts>} Over all releases.
 */
export async function runHost(options) {
  let total = NOTHING;
  for (const release of testedReleases()) {
    console.log(`\n-- VS Code ${releaseOf(release).version}`);
    total = add(total, await runIn(release, options));
  }
  return total;
}

/**
 * @param {string} release
 * @param {HostRun} options
 */
async function runIn(release, { filter, limit = 8 * MINUTE, env = {} }) {
  const data = temporaryFolder('host');
  const results = path.join(data, 'results.json');
  await installExtension(release, data, vsix);
  const server = await startServer({
    release,
    data,
    settings: FOR_TESTS,
    env: { PARLEY_TEST_RESULTS: results, PARLEY_TEST_FILTER: filter, ...env },
  });
  const browser = await launchBrowser();
  const page = browser.pages()[0] ?? (await browser.newPage());
  try {
    await configureWorkbench(page, {
      authority: server.authority,
      extension: emptyExtension(data),
      tests: hostTests,
    });
    const exit = listen(page);
    const workspace = hostWorkspace(data);
    await page.goto(`${server.origin}/?${new URLSearchParams({ workspace })}`, { timeout: LOAD });
    const code = await within(exit, limit, 'The suite in the extension host');
    return readResults(results, code);
  } catch (error) {
    fs.mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: path.join(shots, `host-failed-${release}.png`) });
    say(`${error instanceof Error ? error.message : String(error)}\n${server.log().slice(-4000)}`);
    return { ...NOTHING, failed: 1 };
  } finally {
    await browser.close();
    await server.stop();
  }
}

/**
 * A workspace of several folders: the sample, another folder on the disk, and three (one inside of another) that only
 * file systems of a test have.
 * @param {string} parent
 * @returns {string} The workspace's file.
 */
export function hostWorkspace(parent) {
  const second = path.join(parent, 'second');
  fs.mkdirSync(second);
  const file = path.join(parent, 'host.code-workspace');
  const folders = [
    { path: sampleWorkspace() },
    { path: second },
    { uri: 'parley-memory:/virtual', name: 'virtual' },
    { uri: 'parley-memory://other/virtual/inner', name: 'inner' },
    { uri: 'parley-readonly:/readonly', name: 'readonly' },
  ];
  fs.writeFileSync(file, JSON.stringify({ folders }));
  return file;
}

/**
 * VS Code runs tests only beside an extension under development. The one under test is the packed one, so this is
 * another, which does nothing.
 * @param {string} parent
 */
function emptyExtension(parent) {
  const folder = path.join(parent, 'test-runner');
  fs.mkdirSync(folder);
  const manifest = {
    name: 'runner',
    publisher: 'test',
    version: '0.0.1',
    engines: { vscode: '*' },
  };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
}

/**
 * The workbench hands over what the extension host logs, and its exit code, through two functions of the window.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<number>} The exit code.
 */
function listen(page) {
  return new Promise((resolve, reject) => {
    Promise.all([
      page.exposeFunction(
        'codeAutomationLog',
        (/** @type {string} */ _type, /** @type {unknown[]} */ args) => {
          const text = format(...args);
          // The extension host logs much else; mocha indents its lines.
          if (/^ {2}|^$/.test(text)) console.log(text);
        },
      ),
      page.exposeFunction('codeAutomationExit', resolve),
    ]).catch(reject);
  });
}

/**
 * @param {string} file Written by the suite's `run()`.
 * @param {number} code
 * @returns {import('./counts.mjs').Counts}
 */
export function readResults(file, code) {
  if (!fs.existsSync(file)) {
    say('The suite in the extension host wrote no results.');
    return { ...NOTHING, failed: 1 };
  }
  const counts = /** @type {import('./counts.mjs').Counts} */ (
    JSON.parse(fs.readFileSync(file, 'utf8'))
  );
  return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
