/** One line of input, or the news that a line was longer than allowed and has been dropped. */
export type Line = { readonly kind: 'line'; readonly bytes: Buffer } | { readonly kind: 'tooLong' };

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes at newlines. Bytes are kept in the pieces in which they came until their line is complete;
 * of a line longer than the limit nothing is kept.
 */
export class LineSplitter {
  private pieces: Buffer[] = [];
  private size = 0;
  private skipping = false;

  /** @param maxBytes The longest line, without its newline, that is passed on. */
  constructor(private readonly maxBytes: number) {}

  /** The lines that this piece completes, in order. */
  push(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.keep(chunk.subarray(start, end));
      lines.push(this.take());
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return lines;
  }

  /** What came after the last newline, if anything did. */
  flush(): readonly Line[] {
    return this.size > 0 || this.skipping ? [this.take()] : [];
  }

  private keep(piece: Buffer): void {
    if (this.skipping || piece.length === 0) return;
    if (this.size + piece.length > this.maxBytes) {
      this.skipping = true;
      this.pieces = [];
      this.size = 0;
      return;
    }
    this.pieces.push(piece);
    this.size += piece.length;
  }

  private take(): Line {
    const line: Line = this.skipping
      ? { kind: 'tooLong' }
      : { kind: 'line', bytes: Buffer.concat(this.pieces, this.size) };
    this.pieces = [];
    this.size = 0;
    this.skipping = false;
    return line;
  }
}
