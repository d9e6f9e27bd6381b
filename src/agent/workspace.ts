import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Complaint } from './complaint.ts';
import { code } from './markdown.ts';

/** A file that the walk has found. */
export interface FoundFile {
  readonly path: string;
  /** Relative to the workspace, with `/` on every system. */
  readonly name: string;
}

const MAX_FILES = 5_000;
const MAX_DEPTH = 24;
const MAX_BYTES = 1024 * 1024;
const SNIFFED_BYTES = 8_000;

/** Folders that hold what people do not write. */
const SKIPPED = new Set(
  'node_modules bower_components .git .hg .svn .vscode-test __pycache__ .venv .cache .next'.split(
    ' ',
  ),
);

/** The session's folder, and the only place that the agent looks at by itself. */
export class Workspace {
  constructor(readonly folder: string) {}

  /**
   * The absolute path that a person's words name.
   *
   * @throws Complaint when it lies outside the folder, by its name or through a symbolic link.
   */
  async locate(name: string): Promise<string> {
    if (name.includes('\0')) throw new Complaint('A path cannot hold a NUL character.');
    if (name === '') throw new Complaint('Which file? Name its path in the workspace.');
    const target = path.resolve(this.folder, name);
    const [root, real] = await Promise.all([realPath(this.folder), realPath(target)]);
    if (contains(this.folder, target) && contains(root, real)) return target;
    throw new Complaint(
      `${code(name)} is outside this chat's folder, and I stay inside it: nothing was read or written.`,
    );
  }

  /** The path as people write it: relative to the folder, with `/`. */
  name(target: string): string {
    return path.relative(this.folder, target).split(path.sep).join('/') || '.';
  }

  async kindOf(target: string): Promise<'file' | 'folder' | 'none'> {
    try {
      const stat = await fs.stat(target);
      if (stat.isDirectory()) return 'folder';
      return stat.isFile() ? 'file' : 'none';
    } catch {
      return 'none';
    }
  }

  /**
   * Every file below the folder in a fixed order, up to a bound. Symbolic links are not followed, so the walk ends
   * and stays inside.
   */
  async *walk(signal: AbortSignal): AsyncGenerator<FoundFile> {
    let left = MAX_FILES;
    const folders: { readonly path: string; readonly depth: number }[] = [
      { path: this.folder, depth: 0 },
    ];
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      signal.throwIfAborted();
      const inner: string[] = [];
      for (const entry of await list(folder.path)) {
        const target = path.join(folder.path, entry.name);
        if (entry.isDirectory() && !SKIPPED.has(entry.name)) inner.push(target);
        if (!entry.isFile()) continue;
        yield { path: target, name: this.name(target) };
        left -= 1;
        if (left === 0) return;
      }
      if (folder.depth === MAX_DEPTH) continue;
      for (const target of inner.reverse()) folders.push({ path: target, depth: folder.depth + 1 });
    }
  }

  /** How many files the walk finds. */
  async count(signal: AbortSignal): Promise<number> {
    const files = this.walk(signal);
    let found = 0;
    while ((await files.next()).done !== true) found += 1;
    return found;
  }

  /** The text of a file, or undefined for one that is too big, not text, or not readable. */
  async textOf(target: string): Promise<string | undefined> {
    try {
      const { size } = await fs.stat(target);
      if (size > MAX_BYTES) return undefined;
      const content = await fs.readFile(target);
      if (content.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
      return content.toString('utf8');
    } catch {
      return undefined;
    }
  }
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    const entries = await fs.readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** The path without symbolic links; for what does not exist yet, that of the nearest folder that does. */
async function realPath(target: string): Promise<string> {
  try {
    return await fs.realpath(target);
  } catch {
    const parent = path.dirname(target);
    if (parent === target) return target;
    return path.join(await realPath(parent), path.basename(target));
  }
}

function contains(folder: string, target: string): boolean {
  const way = path.relative(folder, target);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
