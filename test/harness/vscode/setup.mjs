/**
 * Makes a VS Code server from npm packages alone: no compiler, no Electron, no install script of anybody is run.
 * The result is kept in the cache; a second call finds it there. Needs npm and tar.
 */
import fs from 'node:fs';
import path from 'node:path';
import { locked } from '../lock.mjs';
import { cache } from '../paths.mjs';
import { npmEnvironment, run, say, step } from '../programs.mjs';
import { trim } from './trim.mjs';
import { releaseOf } from './releases.mjs';

/** To be raised when the recipe changes: cached copies are then made anew. */
const RECIPE = 2;

/**
 * Extensions of VS Code that are left out: big, and of no use here. `github-authentication` and
 * `typescript-language-features` must stay: without them the workbench shows error messages.
 */
const UNUSED_EXTENSIONS = [
  'copilot',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'tunnel-forwarding',
];

/**
 * @param {string} name Such as `1.139`.
 * @returns {Promise<{ readonly node: string, readonly folder: string }>} The Node to run it with, and its folder.
 */
export async function ensureVsCode(name) {
  const release = releaseOf(name);
  const home = path.join(cache, `vscode-${release.version}`);
  const stamp = path.join(home, 'recipe.json');
  const recipe = JSON.stringify({ RECIPE, ...release });
  const isReady = () => fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === recipe;
  if (!isReady()) {
    await locked(`setup-${name}`, async () => {
      if (isReady()) return;
      say(`Setting up VS Code ${release.version} from npm, once (kept in ${cache})`);
      await replaceFolder(home, async (fresh) => {
        await build(release, fresh);
        fs.writeFileSync(path.join(fresh, 'recipe.json'), recipe);
      });
    });
  }
  return { node: await ensureNode(release.node), folder: path.join(home, 'vscode') };
}

/**
 * @param {import('./releases.mjs').Release} release
 * @param {string} home
 */
async function build(release, home) {
  const folder = path.join(home, 'vscode');
  fs.mkdirSync(folder);
  await step(`Downloading code-server ${release.codeServer} (about 45 MB)`, async () => {
    const archive = await download(`code-server@${release.codeServer}`, home);
    await run('tar', [
      'xzf',
      archive,
      '-C',
      folder,
      '--strip-components=3',
      // GNU tar takes patterns literally unless told otherwise; the one of macOS does not know the option.
      ...(process.platform === 'linux' ? ['--wildcards'] : []),
      '--exclude=*.map',
      ...UNUSED_EXTENSIONS.map((name) => `--exclude=package/lib/vscode/extensions/${name}`),
      'package/lib/vscode',
    ]);
    fs.rmSync(archive);
  });
  await trim(folder);
}

/**
 * @param {string} version
 * @returns {Promise<string>} Path of a Node of that major version: this program's own, or one from npm.
 */
async function ensureNode(version) {
  if (version.split('.')[0] === process.versions.node.split('.')[0]) return process.execPath;
  const home = path.join(cache, `node-${version}`);
  const node = path.join(home, 'node');
  if (fs.existsSync(node)) return node;
  return locked('setup-node', async () => {
    if (fs.existsSync(node)) return node;
    await step(`Downloading Node ${version} for it (about 50 MB)`, () =>
      replaceFolder(home, async (fresh) => {
        // The package behind npm's `node` for one platform: the program itself, with no install script.
        const system = process.platform === 'win32' ? 'win' : process.platform;
        const archive = await download(`node-${system}-${process.arch}@${version}`, fresh);
        await run('tar', ['xzf', archive, '-C', fresh, '--strip-components=2', 'package/bin/node']);
        fs.rmSync(archive);
      }),
    );
    return node;
  });
}

/**
 * @param {string} spec Name and exact version.
 * @param {string} folder
 * @returns {Promise<string>} The archive.
 */
async function download(spec, folder) {
  const output = await run('npm', ['pack', spec, '--silent', '--pack-destination', folder], {
    cwd: folder,
    env: npmEnvironment(),
  });
  return path.join(folder, output.trim().split('\n').at(-1) ?? '');
}

/**
 * Fills a new folder and puts it in the place of `folder` when it is whole: nobody ever sees half of it.
 * @param {string} folder
 * @param {(fresh: string) => Promise<void>} fill
 */
async function replaceFolder(folder, fill) {
  const fresh = `${folder}.new`;
  const remove = (/** @type {string} */ path) => fs.rmSync(path, { recursive: true, force: true });
  // Left by a set-up that was ended half-way; ours alone, because we hold the lock.
  remove(fresh);
  fs.mkdirSync(fresh, { recursive: true });
  try {
    await fill(fresh);
    remove(folder);
    fs.renameSync(fresh, folder);
  } finally {
    remove(fresh);
  }
}
