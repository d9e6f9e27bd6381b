/** UTF-8 and UTF-16, done here: exact in both ways, and without a question to VS Code. */

import { isWellFormed } from '../../client/files/textBytes.ts';

type Unicode = 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be' | Unmarked;
type Unmarked = (typeof UNMARKED)[number];

/** UTF-16 without a byte-order mark. VS Code reads it, but has no name for it: when it saves, it adds the mark. */
export const UNMARKED = ['utf16le-unmarked', 'utf16be-unmarked'] as const;

const MARKS: readonly { readonly encoding: Unicode; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf8bom', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf16be', bytes: [0xfe, 0xff] },
];

/** The encoding that a byte-order mark tells. */
export function markedAs(bytes: Uint8Array): string | undefined {
  return MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte))?.encoding;
}

/** The text without its mark; `undefined` for other encodings, and for bytes that are none of this encoding. */
export function decodeUnicode(bytes: Uint8Array, encoding: string): string | undefined {
  const mark = MARKS.find((candidate) => candidate.encoding === encoding)?.bytes ?? [];
  const isMarked = mark.every((byte, index) => bytes[index] === byte);
  const body = isMarked ? bytes.subarray(mark.length) : bytes;
  switch (encoding) {
    case 'utf8':
    case 'utf8bom':
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
      } catch {
        return undefined;
      }
    case 'utf16le':
    case 'utf16le-unmarked':
      return body.length % 2 === 0 ? Buffer.from(body).toString('utf16le') : undefined;
    case 'utf16be':
    case 'utf16be-unmarked':
      return body.length % 2 === 0 ? Buffer.from(body).swap16().toString('utf16le') : undefined;
    default:
      return undefined;
  }
}

/** The bytes, with the mark that belongs to the encoding; `undefined` for other encodings. */
export function encodeUnicode(text: string, encoding: string): Uint8Array | undefined {
  const mark = MARKS.find((candidate) => candidate.encoding === encoding)?.bytes ?? [];
  switch (encoding) {
    case 'utf8':
    case 'utf8bom':
      return Buffer.concat([Buffer.from(mark), Buffer.from(text, 'utf8')]);
    case 'utf16le':
    case 'utf16le-unmarked':
      return Buffer.concat([Buffer.from(mark), Buffer.from(text, 'utf16le')]);
    case 'utf16be':
    case 'utf16be-unmarked':
      return Buffer.concat([Buffer.from(mark), Buffer.from(text, 'utf16le').swap16()]);
    default:
      return undefined;
  }
}

/** Whether one of these encodings holds the text: UTF-8 all but halves of characters, UTF-16 also these. */
export function holdsAll(text: string, encoding: string): boolean {
  return !encoding.startsWith('utf8') || isWellFormed(text);
}
