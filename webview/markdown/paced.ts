import { MarkdownStream } from './stream.ts';

/** Milliseconds that one update may take before updates are spaced out. */
const CHEAP = 4;
/** A costly update is followed by a pause of this many times its cost, so that the page stays usable. */
const PAUSE = 3;

/** Feeds a growing text to a stream, less often where a huge open block makes an update costly. */
export class PacedStream {
  private stream: MarkdownStream;
  private shown = '';
  private wanted = '';
  private ended = false;
  private pausedUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly root: HTMLElement) {
    this.stream = new MarkdownStream(root);
  }

  /** Shows `text`. `growing`: it is not complete yet. */
  show(text: string, growing: boolean): void {
    this.wanted = text;
    clearTimeout(this.timer);
    const wait = growing ? this.pausedUntil - performance.now() : 0;
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.update(true);
      }, wait);
    } else this.update(growing);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private update(growing: boolean): void {
    const start = performance.now();
    const grown = this.wanted.length >= this.shown.length && this.startsAsShown();
    // Text after its end, or another text: from the start.
    if (!grown || (this.ended && this.wanted.length > this.shown.length)) this.restart();
    const more = this.wanted.slice(this.shown.length);
    this.shown = this.wanted;
    if (more !== '') this.stream.append(more);
    if (!growing && !this.ended) {
      this.stream.end();
      this.ended = true;
    }
    const cost = performance.now() - start;
    this.pausedUntil = cost > CHEAP ? start + cost * (1 + PAUSE) : 0;
  }

  /** Compared as slices, which the engine does at memory speed. */
  private startsAsShown(): boolean {
    return this.wanted.slice(0, this.shown.length) === this.shown;
  }

  private restart(): void {
    this.stream = new MarkdownStream(this.root);
    this.root.replaceChildren();
    this.shown = '';
    this.ended = false;
  }
}
