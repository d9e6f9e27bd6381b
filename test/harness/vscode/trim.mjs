/**
 * Turns the unpacked VS Code of `code-server` into one that runs: its few needed dependencies from npm, small stand-ins
 * for the native modules that would need a compiler, and everything away that nothing loads.
 */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../paths.mjs';
import { npmEnvironment, run, step } from '../programs.mjs';

/**
 * What the server, its extension host, its terminals, its file watcher and the workbench load. The exact versions
 * come from the `npm-shrinkwrap.json` of the package.
 */
const NEEDED = new Set([
  '@microsoft/1ds-core-js',
  '@parcel/watcher',
  '@vscode/deviceid',
  '@vscode/fs-copyfile',
  '@vscode/iconv-lite-umd',
  '@vscode/proxy-agent',
  '@vscode/spdlog',
  '@xterm/addon-clipboard',
  '@xterm/addon-image',
  '@xterm/addon-ligatures',
  '@xterm/addon-progress',
  '@xterm/addon-search',
  '@xterm/addon-serialize',
  '@xterm/addon-unicode11',
  '@xterm/addon-webgl',
  '@xterm/headless',
  '@xterm/xterm',
  'cookie',
  'http-proxy-agent',
  'https-proxy-agent',
  'jschardet',
  'minimist',
  'node-pty',
  'tas-client',
  'tas-client-umd',
  'vscode-oniguruma',
  'vscode-regexpp',
  'vscode-textmate',
  'ws',
  'yauzl',
  'yazl',
]);

/** The one with a ready-made binary for Linux; the version that VS Code 1.100 names would have to be compiled. */
const BUILT_NODE_PTY = '1.2.0-beta.15';

/** @param {string} folder VS Code, as unpacked. */
export async function trim(folder) {
  await step('Installing what it needs from npm', async () => {
    keepNeededDependencies(folder);
    await install(folder);
    // The extensions share one dependency: TypeScript. Without it every opened .ts file shows an error message.
    await install(path.join(folder, 'extensions'));
  });
  standIns(path.join(folder, 'node_modules'));
  isolateWebviews(folder);
  fs.symlinkSync('node_modules', path.join(folder, 'node_modules.asar'));
  prune(path.join(folder, 'node_modules'));
}

/** @param {string} folder */
async function install(folder) {
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags], { cwd: folder, env: npmEnvironment() });
}

/** @param {string} folder */
function keepNeededDependencies(folder) {
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  manifest.dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies).filter(([name]) => NEEDED.has(name)),
  );
  if (process.platform === 'linux' && manifest.dependencies['node-pty'] !== BUILT_NODE_PTY) {
    manifest.dependencies['node-pty'] = BUILT_NODE_PTY;
    fs.rmSync(path.join(folder, 'node_modules', 'node-pty'), { recursive: true, force: true });
  }
  fs.writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/**
 * Small modules in the place of native ones.
 * @param {string} modules
 */
function standIns(modules) {
  const source = path.join(root, 'test', 'harness', 'vscode', 'standIns');
  // Without it every Output channel would stay empty.
  fs.copyFileSync(
    path.join(source, 'spdlog.cjs'),
    path.join(modules, '@vscode', 'spdlog', 'index.js'),
  );
  // Only tells where ripgrep is.
  write(modules, '@vscode/ripgrep', path.join(source, 'ripgrep.cjs'));
  write(modules, '@vscode/ripgrep-universal', path.join(source, 'ripgrep.cjs'));
  // Only ends an extension host whose server was killed.
  write(modules, 'native-watchdog', path.join(source, 'watchdog.cjs'));
  write(modules, '@vscode/native-watchdog', path.join(source, 'watchdog.cjs'));
}

/**
 * @param {string} modules
 * @param {string} name
 * @param {string} source
 */
function write(modules, name, source) {
  const folder = path.join(modules, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name, version: '0.0.0', main: 'index.js' }),
  );
  fs.copyFileSync(source, path.join(folder, 'index.js'));
}

/**
 * Lets webviews have an origin of their own, `http://<id>.localhost:<port>`, as they have in VS Code. (`code-server`
 * would serve them from the workbench's origin; in 1.100 two of them then disturb each other's service worker.)
 * @param {string} folder
 */
function isolateWebviews(folder) {
  const file = path.join(folder, 'out', 'server-main.js');
  const policy = "frame-src 'self' https://*.vscode-cdn.net data:;";
  const code = fs.readFileSync(file, 'utf8');
  if (!code.includes(policy))
    throw new Error(`${file}: the policy for frames is not where it was.`);
  fs.writeFileSync(
    file,
    code.replace(policy, policy.replace('data:', 'http://*.localhost:* data:')),
  );
}

/**
 * Removes files that nothing loads at run time: about half of all.
 * @param {string} modules
 */
function prune(modules) {
  for (const entry of fs.readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && /\.(map|md|ts|pdb|markdown)$/.test(entry.name)) {
      fs.rmSync(path.join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  const pty = path.join(modules, 'node-pty');
  const prebuilds = path.join(pty, 'prebuilds');
  const others = fs.existsSync(prebuilds)
    ? fs.readdirSync(prebuilds).filter((name) => name !== `${process.platform}-${process.arch}`)
    : [];
  for (const folder of [
    ...others.map((name) => path.join(prebuilds, name)),
    path.join(pty, 'third_party'),
    path.join(pty, 'deps'),
  ]) {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
