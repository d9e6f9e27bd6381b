/** One set-up at a time, over all processes that share the cache. */
import fs from 'node:fs';
import path from 'node:path';
import { cache } from './paths.mjs';
import { say } from './programs.mjs';

const POLL = 200;

/**
 * Runs `work` while no other process runs work under the same name. A lock whose owner is gone is taken over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function locked(name, work) {
  fs.mkdirSync(cache, { recursive: true });
  const file = path.join(cache, `${name}.lock`);
  let told = false;
  while (!take(file)) {
    if (!told) say(`  waiting for another run to finish (${name}) ...`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
  const release = () => fs.rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * The lock is a file with the owner's process id. It appears with its content, by the atomic `link`.
 * @param {string} file
 */
function take(file) {
  const mine = `${file}.${process.pid}`;
  fs.writeFileSync(mine, String(process.pid));
  try {
    fs.linkSync(mine, file);
    return true;
  } catch {
    const owner = readOwner(file);
    if (owner !== undefined && !isAlive(owner)) breakLock(file, owner);
    return false;
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

/**
 * Renaming has one winner, so two waiters cannot both remove the lock and then a new one.
 * @param {string} file
 * @param {number} owner
 */
function breakLock(file, owner) {
  const aside = `${file}.dead.${process.pid}`;
  try {
    fs.renameSync(file, aside);
    if (readOwner(aside) !== owner) fs.linkSync(aside, file);
  } catch {
    // Another waiter was faster.
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

/** @param {string} file */
function readOwner(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
