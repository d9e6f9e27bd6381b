/**
 * Where in its escape sequences a stream of bytes is. `operatingSystem`: the string of an OSC, which also BEL ends;
 * `string`: that of DCS, SOS, PM and APC.
 */
export type EscapeState =
  'ground' | 'escape' | 'intermediate' | 'control' | 'operatingSystem' | 'string';

export const ESCAPE = 0x1b;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
const BELL = 0x07;

/** The state after a byte, as ECMA-48 and xterm have it. Bytes outside ASCII end no sequence. */
export function step(state: EscapeState, byte: number): EscapeState {
  if (byte === ESCAPE) return 'escape';
  if (byte === CANCEL || byte === SUBSTITUTE) return 'ground';
  switch (state) {
    case 'ground':
      return 'ground';
    case 'escape':
      return afterEscape(byte);
    case 'intermediate':
      return byte >= 0x30 && byte <= 0x7e ? 'ground' : 'intermediate';
    case 'control':
      return byte >= 0x40 && byte <= 0x7e ? 'ground' : 'control';
    case 'operatingSystem':
      return byte === BELL ? 'ground' : 'operatingSystem';
    case 'string':
      return 'string';
  }
}

function afterEscape(byte: number): EscapeState {
  switch (byte) {
    case 0x5b: // [
      return 'control';
    case 0x5d: // ]
      return 'operatingSystem';
    case 0x50: // P
    case 0x58: // X
    case 0x5e: // ^
    case 0x5f: // _
      return 'string';
    default:
      if (byte >= 0x20 && byte <= 0x2f) return 'intermediate';
      return byte >= 0x30 && byte <= 0x7e ? 'ground' : 'escape';
  }
}

/**
 * Reads on until the ground is reached, or the end.
 * @returns The state, and how many bytes were read.
 */
export function toGround(
  bytes: Uint8Array,
  from: number,
  state: EscapeState,
): { readonly state: EscapeState; readonly at: number } {
  let at = from;
  let now = state;
  while (now !== 'ground' && at < bytes.length) {
    now = step(now, bytes[at] ?? 0);
    at += 1;
  }
  return { state: now, at };
}
