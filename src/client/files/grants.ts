import { platformOf, relativeIn, type Platform } from './paths.ts';
import type { FileUse, Place } from './place.ts';

/**
 * What the person has allowed in one chat, remembered by real path. Being allowed to write covers reading. Guarded places
 * are asked before anybody looks here.
 */
export class Grants {
  private readonly files = new Map<string, FileUse>();
  private readonly folders = new Map<string, FileUse>();

  constructor(private readonly platform: Platform = platformOf(process.platform)) {}

  /** What is not on this disk is either open or asked each time, so it is not remembered. */
  allowFile(place: Place, use: FileUse): void {
    if (place.kind === 'disk') allow(this.files, place.real, use);
  }

  /** @param folder Its real path. Everything in it is allowed, at every depth. */
  allowFolder(folder: string, use: FileUse): void {
    allow(this.folders, folder, use);
  }

  covers(place: Place, use: FileUse): boolean {
    if (place.kind !== 'disk') return false;
    const wayFrom = (outer: string): string | null => relativeIn(place.real, outer, this.platform);
    return (
      allowedFor(use, this.files).some((file) => wayFrom(file) === '') ||
      allowedFor(use, this.folders).some((folder) => wayFrom(folder) !== null)
    );
  }
}

function allow(all: Map<string, FileUse>, real: string, use: FileUse): void {
  if (all.get(real) !== 'write') all.set(real, use);
}

function allowedFor(use: FileUse, all: ReadonlyMap<string, FileUse>): readonly string[] {
  return [...all]
    .filter(([, allowed]) => allowed === 'write' || use === 'read')
    .map(([real]) => real);
}
