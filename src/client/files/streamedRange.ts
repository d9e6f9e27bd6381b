import { FileFault, type TextCodec } from '../ports.ts';
import { readBytes } from './boundedRead.ts';
import { sizeInWords } from './faults.ts';
import { stopIfAborted } from './fileQueue.ts';
import { LineScanner, type UnitKind } from './lineScanner.ts';
import { sliceLines, type LineSpan } from './lines.ts';
import type { OpenedFile } from './realFolder.ts';
import { decoded } from './textBytes.ts';

/** What an editor looks at to tell a file's encoding, in bytes. */
const HEAD = 64 * 1024;
const PIECE = 256 * 1024;

/** What is read of a file, and what for. */
export interface RangeRequest extends LineSpan {
  /** As the agent knows it. */
  readonly path: string;
  /** Bytes of the range, at most. */
  readonly maxBytes: number;
}

/**
 * A range of lines of a file of any size, with memory for the range alone. The lines are counted in the bytes; only what
 * is asked for is decoded, behind the beginning of the file, which tells the encoding. Rejects with a `FileFault` for a
 * range that is too large, and for an encoding in which a part cannot be read for itself.
 */
export async function readRange(
  { handle, stat }: OpenedFile,
  request: RangeRequest,
  codec: TextCodec,
  signal: AbortSignal,
): Promise<string> {
  const { path } = request;
  const size = Number(stat.size);
  const start = await readBytes(handle, { start: 0, end: HEAD, size }, signal);
  const opening = await openingOf(start, codec, path);
  const range = await find(handle, request, opening.kind, signal);
  const part = await readBytes(handle, { ...range, size: range.end }, signal);
  if (range.start < opening.bytes.length) {
    const before = start.subarray(0, range.start);
    const { text } = await decoded(codec, Buffer.concat([before, part]), path);
    return sliceLines(text, request);
  }
  if (opening.bytes.length === 0) throw inParts(path);
  const whole = await decoded(codec, Buffer.concat([opening.bytes, part]), path);
  if (whole.encoding !== opening.encoding || !whole.text.startsWith(opening.text)) {
    throw inParts(path);
  }
  return whole.text.slice(opening.text.length);
}

/** The beginning of a file, cut where nothing is cut in two. */
interface Opening {
  readonly bytes: Buffer;
  readonly text: string;
  readonly encoding: string;
  readonly kind: UnitKind;
}

async function openingOf(head: Buffer, codec: TextCodec, path: string): Promise<Opening> {
  const { encoding } = await decoded(codec, head, path);
  const kind = unitKindOf(encoding);
  if (kind === null) throw inParts(path);
  const bytes = head.subarray(0, lastCut(head, kind, /^utf-?8/i.test(encoding) ? 0x80 : 0x30));
  const { text } = bytes.length === 0 ? { text: '' } : await decoded(codec, bytes, path);
  return { bytes, text, encoding, kind };
}

/** `null` where a byte's meaning depends on what came long before it, or units are of another width. */
function unitKindOf(encoding: string): UnitKind | null {
  if (/utf-?16-?be/i.test(encoding)) return 'bigEndian';
  if (/utf-?16/i.test(encoding)) return 'littleEndian';
  return /utf-?(7|32)|iso-?2022|^hz/i.test(encoding) ? null : 'byte';
}

/** Behind the last unit that is below `bound`: such a unit is always a character for itself. */
function lastCut(bytes: Buffer, kind: UnitKind, bound: number): number {
  if (kind === 'byte') return bytes.findLastIndex((byte) => byte < bound) + 1;
  const [low, high] = kind === 'littleEndian' ? [0, 1] : [1, 0];
  for (let i = bytes.length - (bytes.length % 2) - 2; i >= 0; i -= 2) {
    if (bytes[i + high] === 0 && (bytes[i + low] ?? bound) < bound) return i + 2;
  }
  return 0;
}

async function find(
  handle: OpenedFile['handle'],
  { path, line, limit, maxBytes }: RangeRequest,
  kind: UnitKind,
  signal: AbortSignal,
): Promise<{ readonly start: number; readonly end: number }> {
  const first = Math.max(1, line ?? 1) - 1;
  const last = limit === null ? Infinity : first + Math.max(0, limit);
  const scanner = new LineScanner(first, last, kind);
  const piece = Buffer.allocUnsafe(PIECE);
  let offset = 0;
  for (;;) {
    const { start, end } = scanner.found();
    refuseLarge(start, end ?? offset, maxBytes, path);
    // Where the file ends before the range, both are its end.
    if (end !== null) return { start: Math.min(start ?? end, end), end };
    stopIfAborted(signal);
    const { bytesRead } = await handle.read(piece, 0, PIECE, offset);
    if (bytesRead === 0) scanner.finish();
    else scanner.feed(piece.subarray(0, bytesRead));
    offset += bytesRead;
  }
}

function refuseLarge(start: number | null, end: number, maxBytes: number, path: string): void {
  if (start === null || end - start <= maxBytes) return;
  throw new FileFault(
    'failed',
    `These lines are more than the ${sizeInWords(maxBytes)} that can be read at once. Ask for fewer lines with a smaller limit: ${path}`,
  );
}

function inParts(path: string): FileFault {
  return new FileFault(
    'failed',
    `The file is too large to be read as a whole, and its encoding does not allow reading it in parts: ${path}`,
  );
}
