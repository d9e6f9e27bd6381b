import type { Stats } from 'node:fs';
import fs from 'node:fs/promises';
import { FileFault } from '../ports.ts';
import { codeOf } from './faults.ts';
import { foreignShareOf } from './foreignShares.ts';
import {
  beginsWith,
  nameOf,
  normalPath,
  parentOf,
  pathIn,
  readPath,
  relativeIn,
  segmentsOf,
  type Platform,
} from './paths.ts';
import type { DiskPlace } from './place.ts';
import { shown } from './shownPath.ts';

/** A folder that files may lie in. */
export interface Root {
  /** As the editor knows it. */
  readonly path: string;
  /** Where it really is. */
  readonly real: string;
}

/** Where a path leads, and which of the roots it is in; `null` outside of all. */
export interface Located {
  readonly place: DiskPlace;
  /** The innermost, or the one that the path was named by. */
  readonly root: Root | null;
  /** The outermost of nested ones: what is guarded in it stays so, whatever else was opened. */
  readonly outermost: Root | null;
}

/** Where the folders really are. One that is no absolute path, or a link to nowhere, lets nothing in. */
export async function rootsOf(
  folders: readonly string[],
  platform: Platform,
): Promise<readonly Root[]> {
  const roots = folders.map(async (folder) => {
    const path = normalPath(folder, platform);
    if (path === null) return [];
    return realPath(path, platform).then(
      (real) => [{ path, real }],
      () => [],
    );
  });
  return (await Promise.all(roots)).flat();
}

/** Finds out where a normalised path leads. Rejects with a `FileFault` where nobody can tell. */
export async function locate(
  wanted: string,
  roots: readonly Root[],
  platform: Platform,
): Promise<Located> {
  const known = roots.flatMap((root) => [root.path, root.real]);
  const foreign = await foreignShareOf(wanted, known, platform);
  if (foreign !== null) {
    return { place: { kind: 'disk', path: wanted, real: foreign }, root: null, outermost: null };
  }
  const real = await realPath(wanted, platform);
  const around: Root[] = [];
  for (const root of roots) {
    if (relativeIn(real, root.real, platform) === null) continue;
    if (await isReallyIn(real, root.real, platform)) around.push(root);
  }
  return placeAmong(wanted, real, around, platform);
}

/** The rule alone: which of the roots holds the real path, and how the editor spells it. */
export function placeAmong(
  wanted: string,
  real: string,
  roots: readonly Root[],
  platform: Platform,
): Located {
  const around = roots
    .filter((root) => relativeIn(real, root.real, platform) !== null)
    .sort((one, other) => depth(other.real, platform) - depth(one.real, platform));
  // The editor knows a file by the folder that the person opened, also where that is itself a link.
  const named = around.find((root) => relativeIn(wanted, root.path, platform) !== null);
  const root = named ?? around[0] ?? null;
  const path =
    root === null || named !== undefined
      ? wanted
      : pathIn(root.path, relativeIn(real, root.real, platform) ?? '', platform);
  return { place: { kind: 'disk', path, real }, root, outermost: around.at(-1) ?? null };
}

function depth(file: string, platform: Platform): number {
  return segmentsOf(file, platform).length;
}

/**
 * The path that the editor knows an agent's path by, once it is sure that it lies in one of the folders, links followed.
 * Rejects with a `FileFault` whose sentence tells a model what to do.
 */
export async function insideFolders(
  text: string,
  folders: readonly string[],
  platform: Platform,
): Promise<string> {
  const wanted = absolutePath(text, platform);
  if (folders.length === 0) {
    throw new FileFault('refused', 'No folder is open in the editor, so no file can be used.');
  }
  const { place, root } = await locate(wanted, await rootsOf(folders, platform), platform);
  if (root !== null) return place.path;
  throw new FileFault(
    'refused',
    `${shown(text)} is outside of the workspace. Only files inside these folders can be used: ${folders.join(', ')}`,
  );
}

/** As `readPath`. Throws a `FileFault` for what is no such path. */
export function absolutePath(text: string, platform: Platform): string {
  const { path, problem } = readPath(text, platform);
  if (path === null) throw new FileFault('refused', `${problem}: ${shown(text)}`);
  return path;
}

/**
 * Where a normalised path really leads: all links followed, also where the end does not exist yet. A link to nowhere is
 * refused: writing through it would create a file wherever it points. Rejects with a `FileFault`.
 */
export async function realPath(wanted: string, platform: Platform): Promise<string> {
  const missing: string[] = [];
  for (let at = wanted; ; at = parentOf(at, platform)) {
    const real = await existing(at);
    if (real !== null) {
      return missing.reduceRight((folder, name) => pathIn(folder, name, platform), real);
    }
    if ((await look(at))?.isSymbolicLink() === true) {
      throw new FileFault('refused', `${shown(at)} is a link to a place that does not exist.`);
    }
    if (parentOf(at, platform) === at) {
      throw new FileFault('notFound', `There is no such drive: ${shown(at)}`);
    }
    missing.push(nameOf(at, platform));
  }
}

/** `null` if there is nothing, also where a file stands in the way: the wall judges by that file then. */
async function existing(file: string): Promise<string | null> {
  try {
    return await fs.realpath(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw unreachable(file, code ?? String(error));
  }
}

function unreachable(file: string, code: string): FileFault {
  if (code === 'ELOOP') return new FileFault('refused', `${shown(file)} is a link in a circle.`);
  if (code === 'EACCES' || code === 'EPERM') {
    return new FileFault('refused', `There is no permission to reach ${shown(file)}.`);
  }
  if (code === 'ENAMETOOLONG') {
    return new FileFault('refused', `The path or a name in it is too long: ${shown(file)}`);
  }
  return new FileFault('failed', `${shown(file)} cannot be reached: ${code}`);
}

async function look(file: string): Promise<Stats | null> {
  return fs.lstat(file).catch(() => null);
}

/**
 * Disks that tell case apart exist on macOS and Windows, too: where the spelling differs, the folder that the path begins
 * with must be the root itself.
 */
async function isReallyIn(real: string, root: string, platform: Platform): Promise<boolean> {
  if (beginsWith(real, root, platform)) return true;
  let folder = real;
  while (depth(folder, platform) > depth(root, platform)) folder = parentOf(folder, platform);
  const [one, other] = await Promise.all([identity(folder), identity(root)]);
  return one !== null && one === other;
}

async function identity(folder: string): Promise<string | null> {
  const stat = await fs.stat(folder, { bigint: true }).catch(() => null);
  return stat === null ? null : `${stat.dev}:${stat.ino}`;
}
