import { cut } from './json.ts';

/** A frame as it went over the wire, or a note about one that was not kept. */
export interface Frame {
  readonly direction: 'sent' | 'received' | 'note';
  /** Cut if it was long. */
  readonly text: string;
  /** Milliseconds since the check began. */
  readonly at: number;
}

/** Characters of a frame, and frames of a row, that are kept: the first ones and the last ones. */
const CHARACTERS = 600;
const FIRST = 12;
const LAST = 12;

/** The frames of one row, bounded however many there are. */
export class FrameLog {
  private readonly began = Date.now();
  private first: Frame[] = [];
  private last: Frame[] = [];
  private count = 0;

  add(direction: Frame['direction'], text: string): Frame {
    const frame = { direction, text: cut(text, CHARACTERS), at: Date.now() - this.began };
    this.count += 1;
    if (this.first.length < FIRST) this.first.push(frame);
    else {
      this.last.push(frame);
      if (this.last.length > LAST) this.last.shift();
    }
    return frame;
  }

  /** The frames since it was asked last. */
  take(): readonly Frame[] {
    const { first, last, count } = this;
    const missing = count - first.length - last.length;
    const note = {
      direction: 'note',
      text: `${missing} frames left out`,
      at: last[0]?.at ?? 0,
    } as const;
    this.first = [];
    this.last = [];
    this.count = 0;
    return missing > 0 ? [...first, note, ...last] : [...first, ...last];
  }
}
