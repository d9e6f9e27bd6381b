import type { DecodedText } from '../ports.ts';
import { keyOf } from './knownTexts.ts';
import type { Place } from './place.ts';

/** Bytes that are kept over all files; their texts, which chats know as well, come on top. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Fewer bytes are decoded again in no time. */
const WORTH_KEEPING = 16 * 1024;

interface Kept extends DecodedText {
  readonly bytes: Uint8Array;
}

/**
 * What files held when they were last read or written, and the text that it is. While a file holds the very same bytes,
 * they need not be decoded again to change it, which would take longer than all the rest. Bounded: 64 MiB and their texts,
 * the least recently used go first.
 */
export class SavedTexts {
  /** In the order of use. */
  private readonly files = new Map<string, Kept>();
  private size = 0;

  /** The text of these bytes, if the place held them when it was last read or written. */
  get(place: Place, bytes: Uint8Array): DecodedText | undefined {
    const kept = this.files.get(keyOf(place));
    return kept !== undefined && Buffer.compare(kept.bytes, bytes) === 0 ? kept : undefined;
  }

  set(place: Place, bytes: Uint8Array, { text, encoding }: DecodedText): void {
    const key = keyOf(place);
    this.forget(key);
    if (bytes.length < WORTH_KEEPING || bytes.length > MAX_BYTES) return;
    this.files.set(key, { bytes, text, encoding });
    this.size += bytes.length;
    for (const oldest of this.files.keys()) {
      if (this.size <= MAX_BYTES) return;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.size -= this.files.get(key)?.bytes.length ?? 0;
    this.files.delete(key);
  }
}
