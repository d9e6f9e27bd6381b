import fs from 'node:fs/promises';
import path from 'node:path';
import type { ToolCallEntry } from '../../thread/thread.ts';
import { normalPath, platformOf, type Platform } from '../files/paths.ts';
import type { Place } from '../files/place.ts';
import { foreignShareOf } from '../files/foreignShares.ts';

/** Where agents put the file that a call is about. */
const PATH_FIELDS = ['path', 'file_path', 'filePath', 'abs_path', 'filename'];

/** Paths of one call, and of all calls together, that are looked at: each may cost a look at the disk. */
const PATHS = { each: 50, all: 200 };

/** Kinds of calls that change nothing: one of them announces no write. */
const READING = new Set(['read', 'search', 'fetch', 'think', 'switch_mode']);

/** The files that a call names, as the agent wrote them. */
export function pathsOf({ content, locations, rawInput }: ToolCallEntry): readonly string[] {
  const paths = new Set<string>();
  for (const part of content) if (part.type === 'diff') paths.add(part.path);
  for (const location of locations) paths.add(location.path);
  if (typeof rawInput === 'object' && rawInput !== null) {
    for (const name of PATH_FIELDS) {
      const value: unknown = Object.getOwnPropertyDescriptor(rawInput, name)?.value;
      if (typeof value === 'string' && value !== '') paths.add(value);
    }
  }
  return [...paths].slice(0, PATHS.each);
}

/** Whether the agent could mean a change by it. */
export function mayChange({ toolKind }: ToolCallEntry): boolean {
  return !READING.has(toolKind);
}

/**
 * The first of the calls that names the file at `place`, by real path. Nobody has allowed the paths that are compared with
 * it, so no server is asked for one, but that of `cwd`.
 */
export async function callNaming(
  calls: readonly ToolCallEntry[],
  place: Place,
  cwd: string,
  platform: Platform = platformOf(process.platform),
): Promise<ToolCallEntry | null> {
  let looked = 0;
  for (const call of calls) {
    for (const named of pathsOf(call)) {
      looked += 1;
      if (looked > PATHS.all) return null;
      if (await isSameFile(named, place, cwd, platform)) return call;
    }
  }
  return null;
}

async function isSameFile(
  named: string,
  place: Place,
  cwd: string,
  platform: Platform,
): Promise<boolean> {
  if (named.length > 4_096 || named.includes('\0')) return false;
  if (place.kind === 'virtual') return path.posix.normalize(named) === place.path;
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const full = normalPath(paths.resolve(cwd, named), platform);
  if (full === null) return false;
  if (full === place.path || full === place.real) return true;
  // Only a look at the disk tells whether two names are one file; one that is not there has but its name.
  try {
    if ((await foreignShareOf(full, [cwd], platform)) !== null) return false;
    return (await fs.realpath(full)) === place.real;
  } catch {
    return false;
  }
}
