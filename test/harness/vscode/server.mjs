/** A running VS Code server on a free port of 127.0.0.1. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../paths.mjs';
import { LOAD, poll } from '../poll.mjs';
import { run, startGroup } from '../programs.mjs';
import { ensureVsCode } from './setup.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {string} release Such as `1.139`.
 * @property {string} data Folder for its user data and extensions.
 * @property {Readonly<Record<string, unknown>>} settings The user's settings.
 * @property {NodeJS.ProcessEnv} [env] Reaches the extension host.
 * @property {boolean} [workspaceTrust] Whether it asks if a folder can be trusted; without it, every folder is.
 */

/**
 * @typedef {object} Server
 * @property {string} origin Such as `http://127.0.0.1:43210`.
 * @property {string} authority Its host and port: what `vscode-remote://` URIs carry.
 * @property {string} data
 * @property {() => string} log What the server itself has printed.
 * @property {Promise<number | string>} exit
 * @property {() => Promise<void>} stop Ends it, with its extension hosts.
 */

/**
 * Starts VS Code and waits until it listens.
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer({ release, data, settings, env = {}, workspaceTrust = false }) {
  const { node, folder } = await ensureVsCode(release);
  const user = path.join(data, 'data', 'User');
  fs.mkdirSync(user, { recursive: true });
  fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify(settings, null, 2));

  const logFile = path.join(data, 'server.log');
  const output = fs.openSync(logFile, 'w');
  const { exit, stop } = startGroup(
    node,
    [
      ...['--require', path.join(root, 'test', 'harness', 'vscode', 'endWithParent.cjs')],
      path.join(folder, 'out', 'server-main.js'),
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
      ...['--server-data-dir', data, '--telemetry-level', 'off', '--accept-server-license-terms'],
      '--disable-getting-started-override',
      ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ],
    {
      // An empty gallery: nobody is asked for extensions.
      env: { ...process.env, EXTENSIONS_GALLERY: '{}', ...env },
      stdio: ['ignore', output, output],
    },
  );
  fs.closeSync(output);

  const log = () => fs.readFileSync(logFile, 'utf8');
  const port = await Promise.race([
    poll(
      'the VS Code server to listen',
      () => portIn(log()),
      (port) => port !== undefined,
      LOAD,
    ),
    exit.then((code) => {
      throw new Error(`The VS Code server ended (${code}) before it was ready.\n${log()}`);
    }),
  ]);
  const authority = `127.0.0.1:${port}`;
  return { origin: `http://${authority}`, authority, data, log, exit, stop };
}

/** @param {string} log */
function portIn(log) {
  return /Extension host agent listening on (\d+)/.exec(log)?.[1];
}

/**
 * Installs a packed extension where a server that is started with the same `data` finds it.
 * @param {string} release
 * @param {string} data
 * @param {string} file The .vsix.
 */
export async function installExtension(release, data, file) {
  const { node, folder } = await ensureVsCode(release);
  const server = path.join(folder, 'out', 'server-main.js');
  const flags = ['--server-data-dir', data, '--accept-server-license-terms'];
  const output = await run(node, [server, ...flags, '--install-extension', file]);
  if (!/successfully installed/.test(output))
    throw new Error(`${file} was not installed.\n${output}`);
}

/**
 * Makes a folder with a manifest known as an installed extension, without a copy: built anew, it is used anew.
 * @param {string} data
 * @param {string} folder
 */
export function linkExtension(data, folder) {
  const { publisher, name, version } = JSON.parse(
    fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const extensions = path.join(data, 'extensions');
  fs.mkdirSync(extensions, { recursive: true });
  fs.symlinkSync(folder, path.join(extensions, `${publisher}.${name}-${version}`));
}
