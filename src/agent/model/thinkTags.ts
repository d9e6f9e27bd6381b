const OPEN = '<think>';
const CLOSE = '</think>';

/** A piece of an answer, by the voice that says it. */
export interface Spoken {
  readonly voice: 'text' | 'thought';
  readonly text: string;
}

/**
 * Tells the thoughts of local models from their words: those write `<think>…</think>` before the answer. Only there:
 * later such a tag is part of what the answer is about.
 */
export class ThinkTags {
  private state: 'start' | 'inside' | 'after' | 'rest' = 'start';
  private held = '';

  /** A piece as it came; what may still become a tag is held back. */
  push(piece: string): readonly Spoken[] {
    if (this.state === 'rest') return spoken('text', piece);
    this.held += piece;
    if (this.state === 'start') {
      const text = this.held.trimStart();
      if (OPEN.startsWith(text.slice(0, OPEN.length)) && text.length < OPEN.length) return [];
      if (!text.startsWith(OPEN)) return this.release('text');
      this.state = 'inside';
      this.held = text.slice(OPEN.length);
    }
    return this.state === 'inside' ? this.think() : this.afterThought();
  }

  /** What is still held when the answer has ended. */
  end(): readonly Spoken[] {
    return this.release(this.state === 'inside' ? 'thought' : 'text');
  }

  private think(): readonly Spoken[] {
    const end = this.held.indexOf(CLOSE);
    if (end === -1) {
      const keep = beginningOfTag(this.held);
      const thought = this.held.slice(0, this.held.length - keep);
      this.held = this.held.slice(this.held.length - keep);
      return spoken('thought', thought);
    }
    const thought = this.held.slice(0, end);
    this.held = this.held.slice(end + CLOSE.length);
    this.state = 'after';
    return [...spoken('thought', thought), ...this.afterThought()];
  }

  /** The blank lines between the thought and the answer belong to neither. */
  private afterThought(): readonly Spoken[] {
    this.held = this.held.trimStart();
    return this.held === '' ? [] : this.release('text');
  }

  private release(voice: Spoken['voice']): readonly Spoken[] {
    const text = this.held;
    this.held = '';
    this.state = 'rest';
    return spoken(voice, text);
  }
}

function spoken(voice: Spoken['voice'], text: string): readonly Spoken[] {
  return text === '' ? [] : [{ voice, text }];
}

/** How many characters at the end may be the beginning of the closing tag. */
function beginningOfTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(CLOSE.slice(0, length))) return length;
  }
  return 0;
}
