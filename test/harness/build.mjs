/** Builds what the suites run. One build at a time: all of them write to `dist/`. */
import path from 'node:path';
import { locked } from './lock.mjs';
import { root, vsix } from './paths.mjs';
import { run, step } from './programs.mjs';

/** @param {readonly string[]} flags Of `esbuild.mjs`. */
async function esbuild(...flags) {
  await run(process.execPath, [path.join(root, 'esbuild.mjs'), ...flags], {
    cwd: root,
    show: true,
  });
}

/** The extension, as one develops it. */
export async function buildExtension() {
  await step('Building the extension', () => locked('build', () => esbuild()));
}

/** The extension and all tests. */
export async function buildTests() {
  await step('Building the extension and the tests', () =>
    locked('build', () => esbuild('--tests')),
  );
}

/**
 * The extension as it is shipped.
 * @returns {Promise<string>} The .vsix.
 */
export async function packExtension() {
  await step('Packing the extension', () =>
    locked('build', () => run('npm', ['run', '--silent', 'package'], { cwd: root })),
  );
  return vsix;
}
