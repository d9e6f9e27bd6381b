/** How an encoding writes `\n` and `\r`: as one byte, or as two in either order. */
export type UnitKind = 'byte' | 'littleEndian' | 'bigEndian';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Finds where a range of lines lies in bytes that come in pieces. In every encoding that it is used for, the bytes of a
 * line end stand for nothing else: the second bytes of Shift-JIS, GBK and the like begin at 0x30.
 */
export class LineScanner {
  private start: number | null = null;
  private end: number | null = null;
  /** Line ends that were passed. */
  private lines = 0;
  private afterCarriageReturn = false;
  private offset = 0;
  private readonly width: number;

  /**
   * @param first Lines before the range.
   * @param last Lines before the end of the range; `Infinity`: to the end.
   */
  constructor(
    private readonly first: number,
    private readonly last: number,
    private readonly kind: UnitKind,
  ) {
    this.width = kind === 'byte' ? 1 : 2;
    if (first === 0) this.start = 0;
    if (last === 0) this.end = 0;
  }

  /** @param piece The next bytes; of two-byte encodings whole units, but for the last piece. */
  feed(piece: Buffer): void {
    if (this.hasNoEnds(piece)) this.offset += piece.length;
    else if (this.width === 1) this.feedBytes(piece);
    else this.feedUnits(piece);
  }

  /** There are no more bytes. */
  finish(): void {
    if (this.afterCarriageReturn) this.endLine(this.offset);
    this.start ??= this.offset;
    this.end ??= this.offset;
  }

  /** The byte at which the range begins, and the one behind its last line; each `null` until it is found. */
  found(): { readonly start: number | null; readonly end: number | null } {
    return { start: this.start, end: this.end };
  }

  private hasNoEnds(piece: Buffer): boolean {
    return !this.afterCarriageReturn && !piece.includes(LF) && !piece.includes(CR);
  }

  private feedBytes(piece: Buffer): void {
    for (let i = 0; i < piece.length; i++) {
      const unit = piece[i] ?? 0;
      // Nearly all bytes of a text are larger.
      if (unit > CR && !this.afterCarriageReturn) continue;
      this.take(unit, this.offset + i);
      if (this.end !== null) return;
    }
    this.offset += piece.length;
  }

  private feedUnits(piece: Buffer): void {
    const [low, high] = this.kind === 'littleEndian' ? [0, 1] : [1, 0];
    for (let i = 0; i + 1 < piece.length; i += 2) {
      const unit = piece[i + high] === 0 ? (piece[i + low] ?? 0) : 0xff;
      if (unit > CR && !this.afterCarriageReturn) continue;
      this.take(unit, this.offset + i);
      if (this.end !== null) return;
    }
    this.offset += piece.length;
  }

  private take(unit: number, at: number): void {
    if (this.afterCarriageReturn) {
      this.afterCarriageReturn = false;
      if (unit === LF) {
        this.endLine(at + this.width);
        return;
      }
      this.endLine(at);
      if (this.end !== null) return;
    }
    if (unit === LF) this.endLine(at + this.width);
    else if (unit === CR) this.afterCarriageReturn = true;
  }

  private endLine(next: number): void {
    this.lines++;
    if (this.lines === this.first) this.start = next;
    if (this.lines === this.last) this.end = next;
  }
}
