/**
 * Where in its escape sequences a stream of bytes is. `operatingSystem`: the string of an OSC, which also BEL ends;
 * `string`: that of DCS, SOS, PM and APC.
 */
export type EscapeState =
  'ground' | 'escape' | 'intermediate' | 'control' | 'operatingSystem' | 'string';

const ESCAPE = 0x1b;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;
const BELL = 0x07;

/** The first byte of the C1 controls (U+0080 to U+009F) in UTF-8: the second one is the control itself. */
export const C1_LEAD = 0xc2;

/** The state after a byte, as ECMA-48 and xterm have it. Bytes outside ASCII end no sequence. */
function step(state: EscapeState, byte: number): EscapeState {
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

/** A control of 8 bits breaks off what is open; `undefined` for a byte that is none. */
function afterC1(byte: number): EscapeState | undefined {
  switch (byte) {
    case 0x9b:
      return 'control';
    case 0x9d:
      return 'operatingSystem';
    case 0x90:
    case 0x98:
    case 0x9e:
    case 0x9f:
      return 'string';
    default:
      return byte >= 0x80 && byte <= 0x9f ? 'ground' : undefined;
  }
}

/** The beginning of a sequence: where it is, where what follows it is, and the state there. */
export interface Introducer {
  readonly at: number;
  readonly after: number;
  readonly state: EscapeState;
}

/** The last one among the first bytes, ESC or a control of 8 bits: what was open before is over there. */
export function lastIntroducer(bytes: Buffer, length: number): Introducer | undefined {
  const escape = length === 0 ? -1 : bytes.lastIndexOf(ESCAPE, length - 1);
  // Searched natively first: most text has none, or an ESC near the end.
  let at = escape + 1 + bytes.subarray(escape + 1, length).lastIndexOf(C1_LEAD);
  for (; at > escape; at -= 1) {
    if (bytes[at] !== C1_LEAD || at + 1 >= length) continue;
    const state = afterC1(bytes[at + 1] ?? 0);
    if (state !== undefined && state !== 'ground') return { at, after: at + 2, state };
  }
  return escape < 0 ? undefined : { at: escape, after: escape + 1, state: 'escape' };
}

/**
 * Reads on until the ground is reached, or the end. The bytes end with no half of a control of 8 bits.
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
    const byte = bytes[at] ?? 0;
    const broken = byte === C1_LEAD ? afterC1(bytes[at + 1] ?? 0) : undefined;
    now = broken ?? step(now, byte);
    at += broken === undefined ? 1 : 2;
  }
  return { state: now, at };
}
