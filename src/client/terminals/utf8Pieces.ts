import { isUtf8 } from 'node:buffer';

const NOTHING = Buffer.alloc(0);

/** Makes whole, valid UTF-8 of the pieces of one stream. What is not UTF-8 becomes U+FFFD, as a decoder has it. */
export class Utf8Pieces {
  private begun: Buffer = NOTHING;

  /**
   * The characters that are complete now, first one that was begun before; the bytes of one that is not wait for the next
   * piece. Nothing large is copied.
   */
  push(piece: Buffer): readonly Buffer[] {
    if (this.begun.length === 0) return this.take(piece);
    const more = continued(this.begun, piece);
    const first = Buffer.concat([this.begun, piece.subarray(0, more)]);
    if (more === piece.length) return this.take(first);
    this.begun = NOTHING;
    return [valid(first), ...this.take(piece.subarray(more))];
  }

  private take(bytes: Buffer): readonly Buffer[] {
    const whole = bytes.length - openBytes(bytes);
    this.begun = whole === bytes.length ? NOTHING : Buffer.from(bytes.subarray(whole));
    return whole === 0 ? [] : [valid(bytes.subarray(0, whole))];
  }

  /** What is left at the end of the stream. */
  end(): Buffer {
    const rest = valid(this.begun);
    this.begun = NOTHING;
    return rest;
  }
}

function valid(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8'), 'utf8');
}

/** How many bytes at the beginning of a piece go on with the character that was begun. */
function continued(begun: Buffer, piece: Buffer): number {
  const lead = begun[0] ?? 0;
  const missing = (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2) - begun.length;
  let count = 0;
  while (count < missing && count < piece.length && ((piece[count] ?? 0) & 0xc0) === 0x80) {
    count += 1;
  }
  return count;
}

/** How many bytes at the end may be the beginning of a character. */
function openBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return byte >= needs(back) && byte < 0xf8 ? back : 0;
  }
  return 0;
}

/** The least first byte of a character that is longer than `bytes`. */
function needs(bytes: number): number {
  return bytes === 1 ? 0xc0 : bytes === 2 ? 0xe0 : 0xf0;
}
