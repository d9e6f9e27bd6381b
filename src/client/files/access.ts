import type { FileFault, Workspace } from '../ports.ts';
import { platformOf, relativeIn, type Platform } from './paths.ts';
import type { FileUse, Place } from './place.ts';
import { insideFolders, realPath } from './walls.ts';

export type Verdict =
  | { readonly kind: 'open'; readonly place: Place }
  /**
   * The person is asked first. `reason`: one sentence, in Parley's words. `folder`: the real path of the folder that one
   * answer may open for the chat; null where none may. `once`: the answer holds for this request only, and not even for
   * this file a second time; `folder` is null then.
   */
  | {
      readonly kind: 'ask';
      readonly place: Place;
      readonly reason: string;
      readonly folder: string | null;
      readonly once: boolean;
    };

/** What one chat may use beside the workspace. */
export interface ChatReach {
  /** Absolute paths of the chat's own directories beside the workspace folders, such as its cwd. */
  readonly directories: readonly string[];
  readonly grants: Grants;
}

/** What the person has allowed in one chat, remembered by real path. Being allowed to write covers reading. */
export class Grants {
  private readonly files = new Map<string, FileUse>();
  private readonly folders = new Map<string, FileUse>();

  constructor(private readonly platform: Platform = platformOf(process.platform)) {}

  allowFile(place: Place, use: FileUse): void {
    if (place.kind === 'disk') allow(this.files, place.real, use);
  }

  /** @param folder Its real path; everything in it, at every depth. */
  allowFolder(folder: string, use: FileUse): void {
    allow(this.folders, folder, use);
  }

  covers(place: Place, use: FileUse): boolean {
    if (place.kind !== 'disk') return false;
    const isEnough = (allowed: FileUse): boolean => allowed === 'write' || use === 'read';
    for (const [file, allowed] of this.files) {
      if (isEnough(allowed) && relativeIn(place.real, file, this.platform) === '') return true;
    }
    for (const [folder, allowed] of this.folders) {
      if (isEnough(allowed) && relativeIn(place.real, folder, this.platform) !== null) return true;
    }
    return false;
  }
}

function allow(all: Map<string, FileUse>, real: string, use: FileUse): void {
  if (all.get(real) !== 'write') all.set(real, use);
}

/** Judges which files and folders an agent may use. Where it is refused outright, a `FileFault` says why. */
export class FileAccess {
  constructor(
    private readonly parts: { readonly workspace: Workspace; readonly platform: Platform },
  ) {}

  /** Rejects with a {@link FileFault}. */
  async judge(text: string, _use: FileUse, chat: ChatReach): Promise<Verdict> {
    return { kind: 'open', place: await this.place(text, chat) };
  }

  /** The same walls for a terminal's cwd. Rejects with a {@link FileFault}. */
  async judgeFolder(text: string, chat: ChatReach): Promise<Verdict> {
    return { kind: 'open', place: await this.place(text, chat) };
  }

  private async place(text: string, chat: ChatReach): Promise<Place> {
    const folders = [...this.parts.workspace.folders(), ...chat.directories];
    const path = await insideFolders(text, folders, this.parts.platform);
    return { kind: 'disk', path, real: await realPath(path) };
  }
}
