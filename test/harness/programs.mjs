/** Other programs: run one to its end, keep one running, and never leave one behind. */
import { spawn } from 'node:child_process';

/** @type {Set<number>} */
const groups = new Set();
let watching = false;

/** Milliseconds for what was started here to put away its own things, when this program is told to end. */
const GRACE = 5000;

/**
 * Ends all groups that were started here when this program ends, also by a signal.
 * @param {number} pid
 */
function track(pid) {
  groups.add(pid);
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const group of groups) signalGroup(group, 'SIGKILL');
  });
  for (const [signal, number] of /** @type {const} */ ([
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ])) {
    process.once(signal, () => {
      for (const group of groups) signalGroup(group, 'SIGTERM');
      const deadline = Date.now() + GRACE;
      setInterval(() => {
        const waits = [...groups].some((group) => signalGroup(group, 0));
        if (!waits || Date.now() > deadline) process.exit(128 + number);
      }, 50);
    });
  }
}

/**
 * @param {number} group
 * @param {NodeJS.Signals | 0} signal 0 sends none.
 * @returns {boolean} Whether there is still something in the group.
 */
function signalGroup(group, signal) {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/**
 * Starts a program in a process group of its own, which ends with this program at the latest.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function startGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  const pid = child.pid;
  if (pid !== undefined) track(pid);
  const exit = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 1));
    child.once('error', (error) => resolve(error.message));
  });

  return {
    child,
    /** Exit code, or the name of the signal, or why it could not be started. @type {Promise<number | string>} */
    exit,
    /**
     * Asks it to end, and makes it end after `grace` milliseconds; also what it has started.
     * @param {number} [grace]
     */
    async stop(grace = 3000) {
      if (pid === undefined) return;
      signalGroup(pid, 'SIGTERM');
      await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, grace).unref())]);
      signalGroup(pid, 'SIGKILL');
      groups.delete(pid);
    },
  };
}

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} [options] `show`: its output goes to the terminal.
 * @returns {Promise<string>} Its standard output (empty if shown).
 */
export async function run(command, args, { cwd, env = process.env, show = false } = {}) {
  const { child, exit, stop } = startGroup(command, args, {
    cwd,
    env,
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let all = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
    all = (all + text).slice(-4000);
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => (all = (all + text).slice(-4000)));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await exit;
  if (child.pid !== undefined) await closed;
  await stop(0);
  if (code === 0) return output;
  const line = [command, ...args.slice(0, 3)].join(' ');
  throw new Error(`${line} failed (${String(code)}).\n${all.trim()}`);
}

/**
 * The environment for an npm that works in another folder: without what the npm that runs us says about this one.
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_package_|npm_lifecycle_|npm_config_local_prefix$|INIT_CWD$)/.test(name),
    ),
  );
}

/**
 * One line about what is being done, apart from results.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Says what is done, does it, and says how long it took.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const start = Date.now();
  say(`  ${what} ...`);
  const result = await work();
  say(`  ${what}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
