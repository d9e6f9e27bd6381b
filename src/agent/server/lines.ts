/** One line of input, or what is left of one that was longer than allowed: how it began. */
export type Line = { readonly kind: 'line' | 'tooLong'; readonly bytes: Buffer };

const NEWLINE = 0x0a;
/** How much is kept of a line that is too long, in bytes: enough to see which request it was meant to answer. */
const HEAD_BYTES = 128;
/** So many pieces become one. */
const JOINED = 1_000;

/**
 * Cuts a stream of bytes at newlines. Bytes are kept in the pieces in which they came, very many small ones joined, until
 * their line is complete; of a line longer than the limit only the beginning is kept.
 */
export class LineSplitter {
  private pieces: Buffer[] = [];
  /** Pieces that were not joined yet. */
  private small = 0;
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
    this.pieces.push(piece);
    this.size += piece.length;
    this.small += 1;
    // A client that sends byte by byte: each piece costs far more than its bytes.
    if (this.small === JOINED) {
      this.pieces.push(Buffer.concat(this.pieces.splice(-JOINED)));
      this.small = 0;
    }
    if (this.size <= this.maxBytes) return;
    this.skipping = true;
    // A copy, so that the chunk itself can be let go.
    const head = Buffer.from(Buffer.concat(this.pieces, Math.min(HEAD_BYTES, this.size)));
    this.pieces = [head];
    this.size = head.length;
  }

  private take(): Line {
    const kind = this.skipping ? 'tooLong' : 'line';
    const line: Line = { kind, bytes: Buffer.concat(this.pieces, this.size) };
    this.pieces = [];
    this.small = 0;
    this.size = 0;
    this.skipping = false;
    return line;
  }
}
