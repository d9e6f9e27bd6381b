import type { Place } from './place.ts';

/** Characters (UTF-16 units) that are kept over all files of a chat. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** What an agent believes that a file holds. */
export interface KnownText {
  /** What it last read or wrote. */
  readonly text: string;
  /**
   * What saving made of the text that it wrote, where a formatter or the like changed it and nothing else did: a file
   * that still holds this was not changed by the person. `null` where the text was saved as it was.
   */
  readonly saved: string | null;
}

/**
 * The whole texts that a chat's agent last read or wrote, by the file's real place. What is not here any more counts as
 * never read. Bounded: 64 Mi characters in all, the least recently used go first.
 */
export class KnownTexts {
  /** In the order of use. */
  private readonly texts = new Map<string, KnownText>();
  private characters = 0;

  get(place: Place): KnownText | undefined {
    const key = keyOf(place);
    const known = this.texts.get(key);
    if (known === undefined) return undefined;
    this.texts.delete(key);
    this.texts.set(key, known);
    return known;
  }

  /** @param saved See `KnownText.saved`. */
  set(place: Place, text: string, saved: string | null = null): void {
    this.forget(place);
    const known = { text, saved };
    if (lengthOf(known) > MAX_CHARACTERS) return;
    this.texts.set(keyOf(place), known);
    this.characters += lengthOf(known);
    for (const [key, oldest] of this.texts) {
      if (this.characters <= MAX_CHARACTERS) return;
      this.texts.delete(key);
      this.characters -= lengthOf(oldest);
    }
  }

  forget(place: Place): void {
    const key = keyOf(place);
    const known = this.texts.get(key);
    if (known === undefined) return;
    this.texts.delete(key);
    this.characters -= lengthOf(known);
  }
}

/** One name for a file, however it was reached. */
export function keyOf(place: Place): string {
  return place.kind === 'disk' ? `disk:${place.real}` : `virtual:${place.path}`;
}

function lengthOf({ text, saved }: KnownText): number {
  return text.length + (saved?.length ?? 0);
}
