const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;
const NOTHING = Buffer.alloc(0);
/** A buffer that grew beyond this is let go after its line. */
const KEEP_BYTES = 1 << 20;
const FIRST_BYTES = 1 << 16;
/** What fits into one JavaScript string, with room to spare. */
const MAX_BYTES = 500 << 20;

/** What a `LineSplitter` finds, in the stack of `push`. */
export interface LineSink {
  /** A line without its end; never blank. */
  line(text: string): void;
  /** A line was over the limit and is gone. `bytes`: how many of it had come when that was seen. */
  dropped(bytes: number): void;
}

/**
 * Cuts a stream of bytes into lines of text. Lines end at byte 0x0A and nowhere else: agents send U+2028 raw, and a
 * piece of the stream may end inside a UTF-8 sequence. CRLF, blank lines and byte-order marks are tolerated.
 *
 * A line over several pieces is copied once into a buffer that doubles as it grows, so cost is linear and memory is at
 * most the limit.
 */
export class LineSplitter {
  private held: Buffer = NOTHING;
  private length = 0;
  private dropping = false;

  private readonly maxLineBytes: number;

  constructor(
    maxLineBytes: number,
    private readonly sink: LineSink,
  ) {
    this.maxLineBytes = Math.min(maxLineBytes, MAX_BYTES);
  }

  push(piece: Buffer): void {
    let start = 0;
    let end = piece.indexOf(LINE_FEED);
    while (end !== -1) {
      this.finish(piece, start, end);
      start = end + 1;
      end = piece.indexOf(LINE_FEED, start);
    }
    if (start < piece.length) this.hold(piece, start, piece.length);
  }

  /** The stream has ended: what is left is a line too. */
  end(): void {
    this.finish(NOTHING, 0, 0);
  }

  private finish(piece: Buffer, start: number, end: number): void {
    if (this.length === 0 && !this.dropping && end - start <= this.maxLineBytes) {
      this.emit(piece, start, end);
      return;
    }
    this.hold(piece, start, end);
    const line = this.held;
    const length = this.length;
    this.length = 0;
    this.dropping = false;
    if (line.length > KEEP_BYTES) this.held = NOTHING;
    this.emit(line, 0, length);
  }

  private hold(piece: Buffer, start: number, end: number): void {
    if (this.dropping) return;
    const length = this.length + end - start;
    if (length > this.maxLineBytes) {
      this.dropping = true;
      this.length = 0;
      this.held = NOTHING;
      this.sink.dropped(length);
      return;
    }
    if (length > this.held.length) this.grow(length);
    piece.copy(this.held, this.length, start, end);
    this.length = length;
  }

  private grow(length: number): void {
    const doubled = Math.max(length, this.held.length * 2, FIRST_BYTES);
    const larger = Buffer.allocUnsafeSlow(Math.max(length, Math.min(doubled, this.maxLineBytes)));
    this.held.copy(larger, 0, 0, this.length);
    this.held = larger;
  }

  private emit(bytes: Buffer, start: number, end: number): void {
    const stop = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (stop <= start) return;
    const text = bytes.toString('utf8', start, stop);
    const line = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
    // Only what begins with white space can be blank, and messages do not.
    if (line.charCodeAt(0) <= 0x20 && line.trim() === '') return;
    if (line !== '') this.sink.line(line);
  }
}
