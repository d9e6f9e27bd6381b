/** Where things are, and temporary folders that do not outlive the program. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The project's folder. Not from `import.meta`: the tests that use this are bundled. */
export const root = findRoot([path.dirname(process.argv[1] ?? ''), process.cwd()]);

/** What is fetched once and kept: VS Code's servers, Node for them, the locks of running set-ups. */
export const cache = path.resolve(process.env.PARLEY_TEST_CACHE ?? path.join(root, '.vscode-test'));

/** The packed extension, as `npm run package` makes it. */
export const vsix = path.join(root, 'dist', 'parley.vsix');

/** Pictures of what the screen showed when a test failed, and those of `npm run shots`. */
export const shots = path.join(root, 'dist', 'shots');

/** @param {readonly string[]} starts Folders to look upwards from. */
function findRoot(starts) {
  for (const start of starts) {
    for (let dir = path.resolve(start); ; dir = path.dirname(dir)) {
      const manifest = path.join(dir, 'package.json');
      if (
        fs.existsSync(manifest) &&
        JSON.parse(fs.readFileSync(manifest, 'utf8')).name === 'parley'
      ) {
        return dir;
      }
      if (dir === path.dirname(dir)) break;
    }
  }
  throw new Error('Run this inside the folder of Parley.');
}

/** @type {Set<string>} */
const temporary = new Set();

/**
 * A new folder under the system's temporary one; gone when the program ends.
 * @param {string} purpose Part of its name.
 * @returns {string}
 */
export function temporaryFolder(purpose) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `parley-${purpose}-`));
  if (temporary.size === 0) process.once('exit', removeTemporaryFolders);
  temporary.add(folder);
  return folder;
}

/**
 * A copy of the sample workspace that may be written to.
 * @returns {string}
 */
export function sampleWorkspace() {
  const folder = path.join(temporaryFolder('sample'), 'word-count');
  copySample(folder);
  return folder;
}

/** @param {string} folder To be made. */
export function copySample(folder) {
  fs.cpSync(path.join(root, 'test', 'fixtures', 'workspace'), folder, { recursive: true });
}

function removeTemporaryFolders() {
  if (process.env.PARLEY_KEEP !== undefined) return;
  for (const folder of temporary) {
    try {
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch {
      // A process that is just being ended may still write there; the system clears its temporary folder.
    }
  }
}
