/** What a process wrote up to a newline, or how much of it there was where it was too much to keep. */
export type OutputLine =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  | { readonly kind: 'tooLong'; readonly size: number };

const NEWLINE = 0x0a;

/** Cuts output at newlines and keeps no more than so many bytes of a line, however long it is. */
export class LineReader {
  private pieces: Buffer[] = [];
  private size = 0;

  /** @param maxBytes The longest line, without its newline, that is kept. */
  constructor(private readonly maxBytes: number) {}

  /** The lines that this piece completes, in order. */
  push(chunk: Buffer): readonly OutputLine[] {
    const lines: OutputLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      lines.push(this.take());
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return lines;
  }

  /** What came after the last newline, once nothing more will come. */
  rest(): OutputLine | undefined {
    return this.size === 0 ? undefined : this.take();
  }

  private keep(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > this.maxBytes) this.pieces = [];
    else if (piece.length > 0) this.pieces.push(piece);
  }

  private take(): OutputLine {
    const { size, pieces } = this;
    this.pieces = [];
    this.size = 0;
    return size > this.maxBytes
      ? { kind: 'tooLong', size }
      : { kind: 'line', bytes: Buffer.concat(pieces, size) };
  }
}
