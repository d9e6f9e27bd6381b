/** The same suite as `host`, in a desktop VS Code that is downloaded. Needs the internet, and on Linux a display. */
import path from 'node:path';
import { cache, root, temporaryFolder } from '../paths.mjs';
import { say } from '../programs.mjs';
import { releaseOf, testedReleases } from '../vscode/releases.mjs';
import { NOTHING, add } from './counts.mjs';
import { hostTests, hostWorkspace, readResults } from './host.mjs';

/** @returns {Promise<import('./counts.mjs').Counts>} Over all releases. */
export async function runDesktop() {
  const { runTests } = await import('@vscode/test-electron');
  let total = NOTHING;
  for (const name of testedReleases()) {
    const { version } = releaseOf(name);
    console.log(`\n-- desktop VS Code ${version}`);
    const data = temporaryFolder('desktop');
    const results = path.join(data, 'results.json');
    const code = await runTests({
      version,
      cachePath: path.join(cache, 'desktop'),
      extensionDevelopmentPath: root,
      extensionTestsPath: hostTests,
      extensionTestsEnv: { PARLEY_TEST_RESULTS: results },
      launchArgs: [
        hostWorkspace(data),
        '--disable-extensions',
        '--disable-workspace-trust',
        ...['--user-data-dir', path.join(data, 'user')],
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    }).catch((/** @type {unknown} */ error) => {
      say(error instanceof Error ? error.message : String(error));
      return 1;
    });
    total = add(total, readResults(results, code));
  }
  return total;
}
