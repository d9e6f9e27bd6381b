/** What the tests need from the machine beside Node: a Chromium, and ripgrep for VS Code's file search. */
import fs from 'node:fs';
import path from 'node:path';
import { locked } from './lock.mjs';
import { run, say, step } from './programs.mjs';

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const CHROMIUM_PATHS = [
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * A file on the PATH that can be run.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .concat('/usr/bin', '/usr/local/bin')
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * @returns {Promise<string>} Path of a Chromium: `PARLEY_CHROMIUM`, one that is installed, or Debian's, installed now.
 */
export async function ensureChromium() {
  const named = process.env.PARLEY_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new Error(`PARLEY_CHROMIUM names ${named}, which is not a program.`);
  }
  return ensureProgram({
    find: () => CHROMIUM_NAMES.map(findProgram).find(Boolean) ?? CHROMIUM_PATHS.find(isExecutable),
    debianPackage: 'chromium',
    otherwise:
      'Chromium is needed. Install it (on Debian: apt-get install chromium), or name a browser in PARLEY_CHROMIUM.',
  });
}

/** @returns {Promise<string>} Path of ripgrep. */
export async function ensureRipgrep() {
  return ensureProgram({
    find: () => findProgram('rg'),
    debianPackage: 'ripgrep',
    otherwise: 'ripgrep (rg) is needed. Install it (on Debian: apt-get install ripgrep).',
  });
}

/**
 * @param {{ find: () => string | undefined, debianPackage: string, otherwise: string }} program
 * @returns {Promise<string>}
 */
async function ensureProgram({ find, debianPackage, otherwise }) {
  const found = find();
  if (found !== undefined) return found;
  const apt = findProgram('apt-get');
  if (apt === undefined || process.getuid?.() !== 0) throw new Error(otherwise);
  await locked('apt', async () => {
    if (find() === undefined) await aptInstall(apt, debianPackage);
  });
  const installed = find();
  if (installed === undefined) throw new Error(otherwise);
  return installed;
}

/**
 * @param {string} apt
 * @param {string} debianPackage
 */
async function aptInstall(apt, debianPackage) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () =>
    run(
      apt,
      ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', debianPackage],
      { env },
    );
  await step(`Installing ${debianPackage} with apt-get`, async () => {
    try {
      await install();
    } catch {
      say('  (fetching the list of packages first)');
      await run(apt, ['update'], { env });
      await install();
    }
  });
}
