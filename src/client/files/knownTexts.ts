import type { Place } from './place.ts';

/** Characters (UTF-16 units) that are kept over all files of a chat. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * The whole texts that a chat's agent last read or wrote, by the file's real place. What is not here any more counts as
 * never read. Bounded: 64 Mi characters in all, the least recently used go first.
 */
export class KnownTexts {
  /** In the order of use. */
  private readonly texts = new Map<string, string>();
  private characters = 0;

  get(place: Place): string | undefined {
    const text = this.texts.get(keyOf(place));
    if (text !== undefined) this.set(place, text);
    return text;
  }

  set(place: Place, text: string): void {
    this.forget(place);
    if (text.length > MAX_CHARACTERS) return;
    this.texts.set(keyOf(place), text);
    this.characters += text.length;
    for (const [key, oldest] of this.texts) {
      if (this.characters <= MAX_CHARACTERS) return;
      this.texts.delete(key);
      this.characters -= oldest.length;
    }
  }

  forget(place: Place): void {
    const key = keyOf(place);
    this.characters -= this.texts.get(key)?.length ?? 0;
    this.texts.delete(key);
  }
}

/** One name for a file, however it was reached. */
export function keyOf(place: Place): string {
  return place.kind === 'disk' ? `disk:${place.real}` : `virtual:${place.path}`;
}
