import fs from 'node:fs/promises';
import path from 'node:path';
import { FileFault } from '../ports.ts';
import { normalPath, relativeIn, type Platform } from './paths.ts';

/**
 * The path to use for an agent's path, once it is sure that it lies in one of the folders, links followed. Rejects with
 * a `FileFault` whose sentence tells a model what to do.
 */
export async function insideFolders(
  text: string,
  folders: readonly string[],
  platform: Platform,
): Promise<string> {
  const wanted = normalPath(text, platform);
  if (wanted === null) {
    throw new FileFault('refused', `The path must be absolute: ${shown(text)}`);
  }
  if (folders.length === 0) {
    throw new FileFault('refused', 'No folder is open in the editor, so no file can be used.');
  }
  const real = await realPath(wanted);
  for (const folder of folders) {
    const root = normalPath(folder, platform);
    if (root === null) continue;
    const realRoot = await fs.realpath(root).catch(() => root);
    const rest = relativeIn(real, realRoot, platform);
    if (rest === null) continue;
    // The editor knows a file by the folder that the person opened, also where that is itself a link.
    if (relativeIn(wanted, root, platform) !== null) return wanted;
    return rest === '' ? root : path.join(root, rest);
  }
  throw new FileFault(
    'refused',
    `${shown(text)} is outside of the workspace. Only files inside these folders can be used: ${folders.join(', ')}`,
  );
}

/**
 * Where a path really leads: all links followed, also where the end does not exist yet. A link to nowhere is refused:
 * writing through it would create a file wherever it points.
 */
export async function realPath(wanted: string): Promise<string> {
  try {
    return await fs.realpath(wanted);
  } catch (error) {
    if (!isMissing(error)) {
      throw new FileFault('failed', `${shown(wanted)} cannot be reached: ${codeOf(error)}`);
    }
  }
  if (await isLink(wanted)) {
    throw new FileFault('refused', `${shown(wanted)} is a link to a place that does not exist.`);
  }
  const parent = path.dirname(wanted);
  return parent === wanted ? wanted : path.join(await realPath(parent), path.basename(wanted));
}

async function isLink(file: string): Promise<boolean> {
  const stat = await fs.lstat(file).catch(() => null);
  return stat?.isSymbolicLink() ?? false;
}

/** `ENOTDIR`: a file stands where the path wants a folder; the wall judges it by that file. */
function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);
}

function shown(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
