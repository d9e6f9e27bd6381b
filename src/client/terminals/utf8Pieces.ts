import { isUtf8 } from 'node:buffer';

const NOTHING = Buffer.alloc(0);

/** Makes whole, valid UTF-8 of the pieces of one stream. What is not UTF-8 becomes U+FFFD, as a decoder has it. */
export class Utf8Pieces {
  private begun: Buffer = NOTHING;

  /** The characters that are complete now; the bytes of one that is not wait for the next piece. */
  push(piece: Buffer): Buffer {
    const bytes = this.begun.length === 0 ? piece : Buffer.concat([this.begun, piece]);
    const whole = bytes.length - openBytes(bytes);
    this.begun = whole === bytes.length ? NOTHING : Buffer.from(bytes.subarray(whole));
    return valid(bytes.subarray(0, whole));
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
