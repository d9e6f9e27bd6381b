import type { BigIntStats } from 'node:fs';
import fs from 'node:fs/promises';
import { FileFault, type TextCodec, type VirtualFiles } from '../ports.ts';
import { readWhole, TooLargeFault } from './diskFile.ts';
import { codeOf, faultOf } from './faults.ts';
import { orCancelled, stopIfAborted, type FileQueue } from './fileQueue.ts';
import type { DiskPlace, VirtualPlace } from './place.ts';
import { leadsTo, openFile } from './realFolder.ts';
import { refuseReadOnly, replaceFile, type Replacing } from './replaceFile.ts';
import type { LineSpan } from './lines.ts';
import { readRange } from './streamedRange.ts';

/** What is saved in a place. */
export interface Saved {
  readonly bytes: Uint8Array;
  /** Which state of the file that is; `null` where the place does not tell. */
  readonly stat: BigIntStats | null;
}

/** The bytes of one place. Errors are `FileFault`s, in the agent's words for the file. */
export interface Store {
  /** `null`: there is no file. Rejects with a `TooLargeFault` for more than the settings allow. */
  read(signal: AbortSignal): Promise<Saved | null>;
  /** A range of lines of a file that is too large for `read`. */
  readRange(span: LineSpan, signal: AbortSignal): Promise<string>;
  /**
   * @param isCurrent Asked at the last moment.
   * @returns False if something else than `before` is there by now, or `isCurrent` says no: nothing was changed then.
   */
  write(
    bytes: Uint8Array,
    before: Saved | null,
    isCurrent: () => boolean,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Rejects if the editor must not save a document here: the file is read-only, or the path leads elsewhere by now. */
  admitSaving(file: string): Promise<void>;
}

export class DiskStore implements Store {
  constructor(
    private readonly place: DiskPlace,
    private readonly parts: {
      readonly codec: TextCodec;
      /** By real path: what is being written now. */
      readonly writing: FileQueue;
      readonly replacing: Replacing;
      /** Bytes. */
      readonly maxBytes: number;
    },
  ) {}

  async read(signal: AbortSignal): Promise<Saved | null> {
    const { place, parts } = this;
    const { footing } = parts.replacing;
    try {
      // Where a file can only be overwritten, half of it is there for a moment.
      const writing = parts.writing.idle(place.real);
      if (writing !== null) await orCancelled(writing, signal);
      return await readWhole(place.real, place.path, { maxBytes: parts.maxBytes, footing }, signal);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw faultOf(error, place.path, 'read');
    }
  }

  async readRange(span: LineSpan, signal: AbortSignal): Promise<string> {
    const { place, parts } = this;
    try {
      const opened = await openFile(place.real, parts.replacing.footing);
      try {
        const request = { ...span, path: place.path, maxBytes: parts.maxBytes };
        return await readRange(opened, request, parts.codec, signal);
      } finally {
        await opened.handle.close();
      }
    } catch (error) {
      throw faultOf(error, place.path, 'read');
    }
  }

  async write(
    bytes: Uint8Array,
    before: Saved | null,
    isCurrent: () => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { place, parts } = this;
    const { stat } = before ?? { stat: null };
    const found = before === null || stat === null ? null : { bytes: before.bytes, stat };
    const work = (): Promise<boolean> =>
      replaceFile(place.real, bytes, found, isCurrent, parts.replacing);
    try {
      return await parts.writing.run(place.real, work, signal);
    } catch (error) {
      throw faultOf(error, place.path, 'written');
    }
  }

  async admitSaving(file: string): Promise<void> {
    const { place, parts } = this;
    try {
      if (!(await leadsTo(file, place.real))) {
        throw new FileFault(
          'refused',
          `The path leads to another file than a moment ago, so it was not written: ${place.path}`,
        );
      }
      const stat = await fs.lstat(place.real, { bigint: true });
      await refuseReadOnly(place.real, stat, parts.replacing.platform);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw faultOf(error, place.path, 'written');
    }
  }
}

/** A place that only the editor reaches. */
export class VirtualStore implements Store {
  constructor(
    private readonly place: VirtualPlace,
    private readonly parts: {
      readonly virtual: VirtualFiles;
      /** Bytes. */
      readonly maxBytes: number;
    },
  ) {}

  async read(signal: AbortSignal): Promise<Saved | null> {
    const { place, parts } = this;
    try {
      const bytes = await orCancelled(parts.virtual.read(place.path, parts.maxBytes), signal);
      // It may have grown since its file system told its size, or have been told too small.
      if (bytes.length > parts.maxBytes) {
        throw new TooLargeFault(place.path, bytes.length, parts.maxBytes);
      }
      return { bytes, stat: null };
    } catch (error) {
      if (error instanceof FileFault && error.kind === 'notFound') return null;
      throw error;
    }
  }

  readRange(): Promise<string> {
    return Promise.reject(
      new FileFault(
        'failed',
        `The file is too large to be read, and not on this disk, so it cannot be read in parts: ${this.place.path}`,
      ),
    );
  }

  async write(
    bytes: Uint8Array,
    before: Saved | null,
    isCurrent: () => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { path } = this.place;
    await this.admitSaving(path);
    const now = await this.read(signal);
    const same = now === null ? before === null : before !== null && sameBytes(now, before);
    stopIfAborted(signal);
    if (!same || !isCurrent()) return false;
    await this.parts.virtual.write(path, bytes);
    return true;
  }

  admitSaving(file: string): Promise<void> {
    if (this.parts.virtual.writable(file)) return Promise.resolve();
    return Promise.reject(
      new FileFault('refused', `The file is on a read-only file system: ${this.place.path}`),
    );
  }
}

function sameBytes(one: Saved, other: Saved): boolean {
  return Buffer.compare(one.bytes, other.bytes) === 0;
}
