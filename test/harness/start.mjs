/**
 * `npm start`: builds Parley and opens a real VS Code with it and a sample workspace. The desktop VS Code where there is
 * one and it can be used, else VS Code's server from npm, for the browser. Runs until Ctrl+C.
 *
 *   PARLEY_START=server npm start      forces the server
 */
import fs from 'node:fs';
import path from 'node:path';
import { buildExtension } from './build.mjs';
import { ensureRipgrep, findProgram } from './machine.mjs';
import { cache, copySample, root, sampleWorkspace, temporaryFolder } from './paths.mjs';
import { say, startGroup } from './programs.mjs';
import { linkExtension, startServer } from './vscode/server.mjs';
import { FOR_A_PERSON } from './vscode/settings.mjs';
import { NEWEST } from './vscode/releases.mjs';

/** Opens the Parley view when the window is there, so that a person need not look for it. */
const opener = path.join(root, 'test', 'harness', 'opener');

// Ctrl+C is the way to end this: no failure. What was started ends with this process (see programs.mjs).
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(0));
}

// Nor must it outlive the npm that runs it, which may be ended in a way that is not passed on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(0);
}, 1000).unref();

try {
  await buildExtension();
  const desktop = desktopVsCode();
  process.exitCode = desktop === undefined ? await runServer() : await runDesktop(desktop);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
process.exit();

/** @returns {string | undefined} The `code` of a desktop VS Code that can open a window here. */
function desktopVsCode() {
  if (process.env.PARLEY_START === 'server' || process.getuid?.() === 0) return undefined;
  // Inside a remote window or a dev container, `code` only talks to that window.
  if (process.env.VSCODE_IPC_HOOK_CLI !== undefined) return undefined;
  const hasScreen =
    process.platform !== 'linux' ||
    process.env.DISPLAY !== undefined ||
    process.env.WAYLAND_DISPLAY !== undefined;
  return hasScreen ? findProgram('code') : undefined;
}

/**
 * @param {string} code
 * @returns {Promise<number>} Exit code.
 */
async function runDesktop(code) {
  // Kept, because the window may stay open when this program has ended: VS Code's own command lets go of it.
  const data = path.join(cache, 'start');
  const workspace = path.join(data, 'word-count');
  if (!fs.existsSync(workspace)) copySample(workspace);
  const user = path.join(data, 'user', 'User');
  fs.mkdirSync(user, { recursive: true });
  fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify(FOR_A_PERSON, null, 2));
  say(`Opening ${code}. This ends when its window is closed.`);
  const { exit } = startGroup(
    code,
    [
      ...['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome'],
      ...[
        '--user-data-dir',
        path.join(data, 'user'),
        '--extensions-dir',
        path.join(data, 'extensions'),
      ],
      ...[`--extensionDevelopmentPath=${root}`, `--extensionDevelopmentPath=${opener}`],
      workspace,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return exitCodeOf(await exit);
}

/** @returns {Promise<number>} Exit code. */
async function runServer() {
  await ensureRipgrep().catch((/** @type {Error} */ error) => {
    say(`${error.message} Without it, VS Code's own search finds no files.`);
  });
  const data = temporaryFolder('start');
  linkExtension(data, root);
  linkExtension(data, opener);
  const server = await startServer({ release: NEWEST, data, settings: FOR_A_PERSON });
  const address = `${server.origin}/?${new URLSearchParams({ folder: sampleWorkspace() })}`;
  console.log(`Parley is ready: ${address}`);
  say('Open it in a browser on this machine. Ctrl+C ends it.');
  const code = exitCodeOf(await server.exit);
  say(`The VS Code server ended (${code}).\n${server.log()}`);
  return code;
}

/** @param {number | string} exit */
function exitCodeOf(exit) {
  return typeof exit === 'number' ? exit : 1;
}
