import fs from 'node:fs/promises';
import os from 'node:os';
import { FileFault, type Workspace } from '../ports.ts';
import { faultOf } from './faults.ts';
import { Grants } from './grants.ts';
import { isSecret, privateGuard, writeGuard } from './guarded.ts';
import { nameOf, normalPath, parentOf, relativeIn, type Platform } from './paths.ts';
import type { DiskPlace, FileUse, Place } from './place.ts';
import { shown } from './shownPath.ts';
import { absolutePath, locate, rootsOf, type Located, type Root } from './walls.ts';
import { isWide } from './wideFolders.ts';

export { Grants };

export type Verdict =
  | { readonly kind: 'open'; readonly place: Place }
  /**
   * The person is asked first. `reason`: one or two sentences, in Parley's words. `folder`: the real path of the folder that
   * one answer may open for the chat; null where none may. `once`: the answer holds for this request alone, so that the
   * next one for the same file is asked again; `folder` is null then. `secret`: the file is not read to ask, and nothing of
   * what it holds may get into the chat; so it is with all that is guarded outside of the walls.
   */
  | {
      readonly kind: 'ask';
      readonly place: Place;
      readonly reason: string;
      readonly folder: string | null;
      readonly once: boolean;
      readonly secret: boolean;
    };

/** What one chat may use beside the workspace. */
export interface ChatReach {
  /** Absolute paths of the chat's own directories beside the workspace folders, such as its cwd. */
  readonly directories: readonly string[];
  readonly grants: Grants;
}

export interface FileAccessParts {
  readonly workspace: Workspace;
  readonly platform: Platform;
  /** The person's home folder: absolute. The system's, if it is not given. */
  readonly home?: string;
}

/** Judges which files and folders an agent may use. Where it is refused outright, a `FileFault` says why. */
export class FileAccess {
  constructor(private readonly parts: FileAccessParts) {}

  /**
   * @param text The path as the agent wrote it.
   * @returns The place that is judged, and whether the person is asked before it is used. Rejects with a `FileFault`.
   */
  async judge(text: string, use: FileUse, chat: ChatReach): Promise<Verdict> {
    if (use === 'write') this.demandTrust('Files cannot be written');
    const virtual = this.virtualPlace(text, chat);
    if (virtual !== null) return judgeVirtual(virtual.path, virtual.folder, use);
    const { wanted, located, roots, home } = await this.found(text, chat);
    const { place, root, outermost } = located;
    const { platform } = this.parts;
    if (root !== null) {
      const guard = this.insideGuard(wanted, place, outermost ?? root, use, home);
      if (guard === null) return { kind: 'open', place };
      return {
        kind: 'ask',
        place,
        reason: insideReason(wanted, place, root, guard, platform),
        folder: null,
        once: true,
        // What an agent may read unasked is no secret to its chat.
        secret: isHome(root, home, platform) && this.isSecret(place, outermost ?? root),
      };
    }
    const guard = this.outsideGuard([wanted, place.real], use);
    if (guard === null && chat.grants.covers(place, use)) return { kind: 'open', place };
    const outside = this.outsideReason(wanted, place, chat);
    if (guard !== null) {
      return {
        kind: 'ask',
        place,
        reason: `${outside} ${guard}`,
        folder: null,
        once: true,
        secret: true,
      };
    }
    const folder = this.openable(parentOf(place.real, platform), roots, home);
    return { kind: 'ask', place, reason: outside, folder, once: false, secret: false };
  }

  /**
   * The same walls for a folder that commands run in: absolute, and where it is open, there and a folder. Whether there is
   * such a folder outside the agent only learns once the person has said yes. What is guarded in it plays no part: a command
   * is asked for itself. Rejects with a `FileFault`.
   */
  async judgeFolder(text: string, chat: ChatReach): Promise<Verdict> {
    this.demandTrust('Commands cannot be run');
    const virtual = this.virtualPlace(text, chat);
    if (virtual !== null) return { kind: 'open', place: { kind: 'virtual', path: virtual.path } };
    const { wanted, located, roots, home } = await this.found(text, chat);
    const { place, root } = located;
    if (root !== null || chat.grants.covers(place, 'write')) {
      await demandFolder(place);
      return { kind: 'open', place };
    }
    const reason = this.outsideReason(wanted, place, chat);
    return {
      kind: 'ask',
      place,
      reason,
      folder: this.openable(place.real, roots, home),
      once: false,
      secret: false,
    };
  }

  private isSecret(place: DiskPlace, root: Root): boolean {
    const { platform } = this.parts;
    return isSecret(place.real, root.real, platform) || isSecret(place.path, root.path, platform);
  }

  private demandTrust(what: string): void {
    if (this.parts.workspace.trusted()) return;
    throw new FileFault('refused', `${what}: the person has not trusted this workspace.`);
  }

  /** A path in a workspace folder that is not on this disk, unless one on this disk fits, too. */
  private virtualPlace(
    text: string,
    chat: ChatReach,
  ): { readonly path: string; readonly folder: string } | null {
    const path = normalPath(text, 'posix');
    if (path === null) return null;
    const { platform } = this.parts;
    const isIn = (inner: string, folder: string, rules: Platform): boolean => {
      const outer = normalPath(folder, rules);
      return outer !== null && relativeIn(inner, outer, rules) !== null;
    };
    const folder = this.parts.workspace.virtualFolders().find((each) => isIn(path, each, 'posix'));
    if (folder === undefined) return null;
    const onDisk = normalPath(text, platform);
    const folders = [...this.parts.workspace.folders(), ...chat.directories];
    const isOnDisk = onDisk !== null && folders.some((each) => isIn(onDisk, each, platform));
    return isOnDisk ? null : { path, folder: normalPath(folder, 'posix') ?? folder };
  }

  private async found(text: string, chat: ChatReach): Promise<Found> {
    const { platform, workspace } = this.parts;
    const wanted = absolutePath(text, platform);
    const folders = [...workspace.folders(), ...chat.directories];
    const [roots, homes] = await Promise.all([
      rootsOf(folders, platform),
      rootsOf([this.parts.home ?? os.homedir()], platform),
    ]);
    const home = homes.flatMap((each) => [each.path, each.real]);
    return { wanted, located: await locate(wanted, roots, platform), roots, home };
  }

  private insideGuard(
    wanted: string,
    place: DiskPlace,
    root: Root,
    use: FileUse,
    home: readonly string[],
  ): string | null {
    const { platform } = this.parts;
    const isNamedIn = (file: string): boolean => relativeIn(file, root.path, platform) !== null;
    const ways = [
      { file: place.real, opened: root.real },
      { file: place.path, opened: isNamedIn(place.path) ? root.path : null },
      // What the agent named may lie outside, and only lead inside.
      { file: wanted, opened: isNamedIn(wanted) ? root.path : null },
    ];
    // Whoever opens the whole home folder has not meant to show its keys.
    const isHomeOpen = isHome(root, home, platform);
    for (const { file, opened } of ways) {
      const guard =
        (use === 'write' ? writeGuard(file, opened, platform) : null) ??
        (isHomeOpen ? privateGuard(file, opened, platform) : null);
      if (guard !== null) return guard;
    }
    return null;
  }

  private outsideGuard(files: readonly string[], use: FileUse): string | null {
    const { platform } = this.parts;
    for (const file of files) {
      const guard =
        privateGuard(file, null, platform) ??
        (use === 'write' ? writeGuard(file, null, platform) : null);
      if (guard !== null) return guard;
    }
    return null;
  }

  private outsideReason(wanted: string, place: DiskPlace, chat: ChatReach): string {
    const { workspace } = this.parts;
    const isOpen = workspace.folders().length + workspace.virtualFolders().length > 0;
    const walls = isOpen || chat.directories.length === 0 ? 'the workspace' : "this chat's folder";
    return wanted === place.real
      ? `${shown(wanted)} is outside of ${walls}.`
      : `${linked(wanted, place.real, this.parts.platform)}, outside of ${walls}.`;
  }

  /** The folder, unless it is so wide that nobody would mean all that is in it. */
  private openable(folder: string, roots: readonly Root[], home: readonly string[]): string | null {
    const { platform } = this.parts;
    const kept = [...home, ...roots.flatMap((root) => [root.path, root.real])];
    const isTooWide =
      isWide(folder, platform) ||
      kept.some((each) => relativeIn(each, folder, platform) !== null) ||
      privateGuard(folder, null, platform) !== null;
    return isTooWide ? null : folder;
  }
}

interface Found {
  readonly wanted: string;
  readonly located: Located;
  readonly roots: readonly Root[];
  /** As it is named, and where it really is. */
  readonly home: readonly string[];
}

/** Whether the home folder lies in this one, or is it. */
function isHome(root: Root, home: readonly string[], platform: Platform): boolean {
  return home.some((each) => relativeIn(each, root.real, platform) !== null);
}

function judgeVirtual(path: string, folder: string, use: FileUse): Verdict {
  const place: Place = { kind: 'virtual', path };
  const guard = use === 'write' ? writeGuard(path, folder, 'posix') : null;
  return guard === null
    ? { kind: 'open', place }
    : { kind: 'ask', place, reason: guard, folder: null, once: true, secret: false };
}

async function demandFolder(place: DiskPlace): Promise<void> {
  try {
    if ((await fs.stat(place.real)).isDirectory()) return;
  } catch (error) {
    const fault = faultOf(error, place.path, 'read');
    if (!(fault instanceof FileFault) || fault.kind !== 'notFound') throw fault;
    throw new FileFault('notFound', `There is no such folder: ${shown(place.path)}`);
  }
  throw new FileFault('failed', `This is a file, not a folder: ${shown(place.path)}`);
}

/** What is guarded may not be seen from the name that the agent gave. */
function insideReason(
  wanted: string,
  { path, real }: DiskPlace,
  root: Root,
  guard: string,
  platform: Platform,
): string {
  const isNamed = [path, real].some((each) => relativeIn(wanted, each, platform) === '');
  const isPlain = relativeIn(path, root.path, platform) === relativeIn(real, root.real, platform);
  return isNamed && isPlain ? guard : `${linked(wanted, real, platform)}. ${guard}`;
}

function linked(wanted: string, real: string, platform: Platform): string {
  const name = nameOf(wanted, platform);
  return name === nameOf(real, platform)
    ? `${shown(wanted)} leads through a link to ${shown(real)}`
    : `${shown(name)} is a link to ${shown(real)}`;
}
