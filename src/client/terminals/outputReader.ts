import type { Disposable } from '../../base/lifecycle.ts';
import type { OutputBuffer } from './outputBuffer.ts';

/** How a reader passes output on. */
export interface Pace {
  /** The least time between two pieces: milliseconds. */
  readonly every: number;
  /** The most characters of a piece. */
  readonly most: number;
  /** What has waited longest is left out where more waits than fits into a piece; else it comes piece by piece. */
  readonly skips: boolean;
}

/**
 * Passes on what comes into a buffer, the first at once, then in pieces of bounded size and number. What the buffer has
 * given up before it was read is left out.
 */
export class OutputReader implements Disposable {
  private position = 0;
  private timer: NodeJS.Timeout | undefined;
  private readAt = Number.NEGATIVE_INFINITY;
  private ending: (() => void) | undefined;

  /** @param onText `cut`: something before the text was left out. It begins outside of any escape sequence then. */
  constructor(
    private readonly buffer: OutputBuffer,
    private readonly pace: Pace,
    private readonly onText: (text: string, cut: boolean) => void,
  ) {}

  /** Something has come. */
  poke(): void {
    if (this.timer !== undefined || this.position >= this.buffer.end) return;
    const wait = this.readAt + this.pace.every - performance.now();
    if (wait <= 0) this.read();
    else this.later(wait);
  }

  /** Nothing more comes. @param onEnd Called when everything was passed on, at once if it was. */
  end(onEnd: () => void): void {
    this.ending = onEnd;
    if (this.pace.skips) this.read();
    else this.poke();
    this.finish();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.position = Number.POSITIVE_INFINITY;
    this.ending = undefined;
  }

  private later(wait: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.read();
    }, wait);
  }

  private read(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { buffer, pace } = this;
    if (this.position < buffer.end) {
      const lost = this.position < buffer.start;
      const from = lost ? buffer.safeStart(buffer.start) : this.position;
      const first = pace.skips ? buffer.lastCharacters(pace.most, from) : from;
      const to = pace.skips
        ? buffer.end
        : buffer.characterFrom(Math.min(buffer.end, first + pace.most));
      this.position = to;
      const text = buffer.text(first, to);
      const cut = lost || first > from;
      this.readAt = performance.now();
      if (text !== '' || cut) this.onText(text, cut);
      if (this.position < buffer.end) this.later(pace.every);
    }
    this.finish();
  }

  private finish(): void {
    if (this.position < this.buffer.end || this.timer !== undefined) return;
    const { ending } = this;
    this.ending = undefined;
    ending?.();
  }
}
