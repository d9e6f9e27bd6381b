import { deflateSync } from 'node:zlib';

const SIDE = 96;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits a channel, red green blue, and the defaults for the rest. */
const TRUE_COLOUR = [8, 2, 0, 0, 0];

/** A small PNG: a speech bubble on a gradient. Always the same bytes. */
export function picture(): Buffer {
  const rows: number[] = [];
  for (let y = 0; y < SIDE; y += 1) {
    // Each row begins with its filter; 0 is none.
    rows.push(0);
    for (let x = 0; x < SIDE; x += 1) {
      rows.push(...(isBubble(x, y) ? [250, 250, 250] : [40 + x, 60 + y, 200]));
    }
  }
  const header = Buffer.alloc(8);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, Buffer.from(TRUE_COLOUR)])),
    // Stored, not compressed: every version of zlib writes the same.
    chunk('IDAT', deflateSync(Buffer.from(rows), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function isBubble(x: number, y: number): boolean {
  const isBody = ((x - 48) / 36) ** 2 + ((y - 42) / 24) ** 2 <= 1;
  const isTail = y > 52 && y < 80 && x > 28 && x < 28 + (80 - y) / 1.4;
  const isDot = [34, 48, 62].some((dot) => (x - dot) ** 2 + (y - 42) ** 2 < 16);
  return (isBody || isTail) && !isDot;
}

/** Length, kind, content, and the checksum of kind and content. */
function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** The checksum of PNG (ISO 3309); Node's own came only with version 22. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
