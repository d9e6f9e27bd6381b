import { lstatSync, readlinkSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { FileFault } from '../ports.ts';
import { normalPath, segmentsOf, type Platform } from './paths.ts';
import { shown } from './shownPath.ts';

/** Links that are followed: no system follows more. */
const MAX_LINKS = 64;

/**
 * Whether the path is on the network, on a server that none of the known paths is on: only to look at a share sends the
 * person's name and a proof of the password to its server.
 * @param file As `readPath` gives it.
 */
export function isForeignShare(
  file: string,
  known: readonly string[],
  platform: Platform,
): boolean {
  const server = serverOf(file, platform);
  return server !== null && !known.some((each) => serverOf(each, platform) === server);
}

/**
 * The place on a foreign share that a path names or leads to through links, found without a look at the share; `null` if
 * it leads to none. Rejects with a `FileFault` for a link whose target is no path of files.
 * @param file As `readPath` gives it.
 */
export async function foreignShareOf(
  file: string,
  known: readonly string[],
  platform: Platform,
): Promise<string | null> {
  if (platform !== 'win32') return null;
  let at: string | null = file;
  for (let links = 0; links < MAX_LINKS && at !== null; links++) {
    if (isForeignShare(at, known, platform)) return at;
    at = await throughFirstLink(at);
  }
  return null;
}

/** Where the path leads by the first link in it, no further; `null` if there is none in what exists of it. */
async function throughFirstLink(file: string): Promise<string | null> {
  const [root = '', ...names] = segmentsOf(file, 'win32');
  for (let count = 1; count <= names.length; count++) {
    const at = `${root}\\${names.slice(0, count).join('\\')}`;
    const stat = await fs.lstat(at).catch(() => null);
    if (stat === null) return null;
    if (!stat.isSymbolicLink()) continue;
    const target = path.win32.resolve(path.win32.dirname(at), await fs.readlink(at));
    const led = normalPath(path.win32.join(target, ...names.slice(count)), 'win32');
    if (led !== null) return led;
    throw new FileFault('refused', `${shown(at)} is a link to a place that holds no files.`);
  }
  return null;
}

/** The target of the link at a path; `null` for what is no link, `undefined` for what is not there. */
type LinkAt = (file: string) => string | null | undefined;

/**
 * Whether a look at a path, which follows its links, asks no foreign server. At once, for rules that are asked so.
 * @param linkAt What a test puts in the place of the disk.
 */
export function mayLookAt(
  file: string,
  known: readonly string[],
  platform: Platform,
  linkAt: LinkAt = linkNow,
): boolean {
  if (platform !== 'win32') return true;
  let at = file;
  for (let links = 0; links < MAX_LINKS; links++) {
    if (isForeignShare(at, known, platform)) return false;
    const led = ledBy(at, linkAt);
    if (led === undefined) return true;
    const target = normalPath(led, platform);
    if (target === null) return false;
    at = target;
  }
  return false;
}

/** Where the path leads by the first link in it; `undefined` if there is none. */
function ledBy(file: string, linkAt: LinkAt): string | undefined {
  const [root = '', ...names] = segmentsOf(file, 'win32');
  for (let count = 1; count <= names.length; count++) {
    const at = `${root}\\${names.slice(0, count).join('\\')}`;
    const target = linkAt(at);
    if (target === undefined) return undefined;
    if (target === null) continue;
    const led = path.win32.resolve(path.win32.dirname(at), target);
    return path.win32.join(led, ...names.slice(count));
  }
  return undefined;
}

function linkNow(file: string): string | null | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file) : null;
  } catch {
    return undefined;
  }
}

function serverOf(file: string, platform: Platform): string | null {
  if (platform !== 'win32') return null;
  return /^\\\\([^\\]+)/.exec(file)?.[1]?.toLowerCase() ?? null;
}
