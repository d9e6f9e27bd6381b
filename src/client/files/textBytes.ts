/// <reference lib="es2024.string" />
import { FileFault, type DecodedText, type TextCodec } from '../ports.ts';

/** Where a file is looked at to tell text from other things, in bytes. */
const LOOKED_AT = 8 * 1024;
/** Where VS Code looks for the pattern of UTF-16 without a mark, in bytes. */
const PATTERN = 512;
const QUESTION_MARK = 0x3f;

/**
 * Whether bytes are no text: a NUL among the first 8 KB, unless they are UTF-16, by their mark or by the pattern that
 * Latin text makes in it (every other byte is 0), as the editor tells it.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, LOOKED_AT);
  if (!head.includes(0)) return false;
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return false;
  return !alternates(head.subarray(0, PATTERN));
}

function alternates(bytes: Uint8Array): boolean {
  const zeroFirst = bytes[0] === 0;
  if (bytes.length < 2) return false;
  return bytes.every((byte, index) => (byte === 0) === ((index % 2 === 0) === zeroFirst));
}

/** Rejects with a `FileFault` for what is no text. */
export async function decoded(
  codec: TextCodec,
  bytes: Uint8Array,
  file: string,
): Promise<DecodedText> {
  if (isBinary(bytes)) throw new FileFault('failed', `This is a binary file, not text: ${file}`);
  return codec.decode(bytes, file);
}

/**
 * The bytes of a text. Rejects with a `FileFault` unless they are read as the same text again: nothing is written that
 * an encoding has mangled.
 * @param encoding `null` for a new file. A U+FEFF in front is the byte-order mark of a new file; a file that is there
 *   keeps what it has.
 */
export async function encoded(
  codec: TextCodec,
  text: string,
  file: string,
  encoding: string | null,
): Promise<Uint8Array> {
  const marked = text.startsWith('\ufeff');
  const plain = marked ? text.slice(1) : text;
  const wanted = encoding ?? (marked ? 'utf8bom' : null);
  if (plain.slice(0, LOOKED_AT).includes('\0')) {
    throw new FileFault(
      'failed',
      `The text has NUL characters, which would make it a binary file, so nothing was written: ${file}`,
    );
  }
  const bytes = await codec.encode(plain, file, wanted);
  if (!(await holds(codec, bytes, plain, file, wanted))) {
    const named = wanted === null ? '' : ` (${wanted})`;
    throw new FileFault(
      'failed',
      `The text has characters that the file's encoding${named} cannot hold, so nothing was written: ${file}`,
    );
  }
  return bytes;
}

async function holds(
  codec: TextCodec,
  bytes: Uint8Array,
  text: string,
  file: string,
  encoding: string | null,
): Promise<boolean> {
  const isUtf8 = encoding !== null && /^utf-?8/i.test(encoding);
  if (isUtf8 && isWellFormed(text) && isAsLong(bytes, text)) return true;
  if (bytes.length === text.length && isAscii(bytes, text)) return true;
  const back = await codec.decode(bytes, file).catch(() => null);
  if (back === null) return false;
  if (back.text === text) return true;
  // An editor that guesses encodings may take these bytes for another one, which says nothing about this one; then what
  // an encoder puts in the place of a character that it lacks is looked for.
  if (back.encoding === encoding || text.includes('\0') || !isWellFormed(text)) return false;
  return count(bytes, QUESTION_MARK) <= count(Buffer.from(text, 'utf8'), QUESTION_MARK);
}

/**
 * Whether there is no half of a character in a text: UTF-8 holds everything but these. To look for them is many times
 * quicker than to decode again and compare.
 */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Whether there are as many bytes as the text has in UTF-8, a byte-order mark not counted. */
function isAsLong(bytes: Uint8Array, text: string): boolean {
  const [first, second, third] = bytes;
  const marked = first === 0xef && second === 0xbb && third === 0xbf;
  return bytes.length - (marked ? 3 : 0) === Buffer.byteLength(text, 'utf8');
}

function isAscii(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(text, 'utf8').equals(bytes);
}

function count(bytes: Uint8Array, wanted: number): number {
  return bytes.reduce((sum, byte) => (byte === wanted ? sum + 1 : sum), 0);
}
