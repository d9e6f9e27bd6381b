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

const LIMIT = 180_000;

/** The entry of the suite; it exports `run()`. */
export const hostTests = path.join(root, 'dist', 'test', 'host', 'index.js');

/** @returns {Promise<import('./counts.mjs').Counts>} Over all releases. */
export async function runHost() {
  let total = NOTHING;
  for (const release of testedReleases()) {
    console.log(`\n-- VS Code ${releaseOf(release).version}`);
    total = add(total, await runIn(release));
  }
  return total;
}

/** @param {string} release */
async function runIn(release) {
  const data = temporaryFolder('host');
  const results = path.join(data, 'results.json');
  await installExtension(release, data, vsix);
  const server = await startServer({
    release,
    data,
    settings: FOR_TESTS,
    env: { PARLEY_TEST_RESULTS: results },
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
    await page.goto(`${server.origin}/?${new URLSearchParams({ folder: sampleWorkspace() })}`, {
      timeout: LOAD,
    });
    const code = await within(exit, LIMIT, 'The suite in the extension host');
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
