/** What a terminal does with what it reads. */
export interface Target {
  /** Characters to be shown: no controls among them, no half ones but what came as such. */
  print(text: string): void;
  /** A control character, by its code. */
  control(code: number): void;
  /** `ESC [ params final`, without private markers and intermediates: those are swallowed. */
  csi(params: string, final: string): void;
  /** `ESC final`. */
  escape(final: string): void;
}

const ESC = '\u001b';
/** Characters of a sequence. A longer one means nothing, and is swallowed. */
export const MAX_SEQUENCE = 256;
const SHOWN = /[^\u0000-\u001f\u007f-\u009f]+/y;
/** DCS, SOS, OSC, PM and APC of 8 bits. */
const STRING_BEGINNING = /[\u0090\u0098\u009d-\u009f]/;
const STRING_END = /[\u0007\u000a\u0018\u001a\u001b\u0080-\u009f]/g;
/** What ends a string and is looked at again: it does something of its own. */
const BREAKS_OFF = /[\u000a\u0080-\u009b\u009d-\u009f]/;

/**
 * Takes a terminal's output apart, in pieces of any size: what is unfinished at the end of a piece is held back, in
 * bounded space. A line feed ends every sequence, so the beginning of a line is never inside of one; a title that is
 * never closed hides one line and no more.
 */
export class Parser {
  private held = '';
  /** Inside of a string (title, link, picture), of which nothing is shown or kept. */
  private inString = false;

  constructor(private readonly target: Target) {}

  write(text: string): void {
    const input = this.held + text;
    this.held = '';
    let at = 0;
    while (at < input.length) {
      if (this.inString) at = this.swallow(input, at);
      else {
        SHOWN.lastIndex = at;
        const shown = SHOWN.exec(input)?.[0];
        at = shown === undefined ? this.control(input, at) : this.print(shown, at, input.length);
      }
    }
  }

  /** A short text after which a fresh parser stands where this one stands. */
  rest(): string {
    return (this.inString ? `${ESC}]` : '') + this.held;
  }

  private print(shown: string, at: number, length: number): number {
    const half = at + shown.length === length && /[\ud800-\udbff]$/.test(shown);
    if (half) this.held = shown.slice(-1);
    const text = half ? shown.slice(0, -1) : shown;
    if (text !== '') this.target.print(text);
    return at + shown.length;
  }

  private control(input: string, at: number): number {
    const code = input.charCodeAt(at);
    if (code === 0x9b) return this.csi(input, at, at + 1);
    if (STRING_BEGINNING.test(input.charAt(at))) {
      this.inString = true;
      return at + 1;
    }
    if (code !== 0x1b) {
      this.target.control(code);
      return at + 1;
    }
    const next = input.charAt(at + 1);
    if (next === '[') return this.csi(input, at, at + 2);
    if (next !== '' && ']PX^_'.includes(next)) {
      this.inString = true;
      return at + 2;
    }
    return this.escape(input, at);
  }

  private csi(input: string, start: number, from: number): number {
    const end = skip(input, from, 0x20, 0x3f);
    if (end === input.length) return this.hold(input, start);
    const final = input.charCodeAt(end);
    if (final < 0x40 || final > 0x7e) return end;
    const params = input.slice(from, Math.min(end, from + MAX_SEQUENCE));
    if (end - start < MAX_SEQUENCE && /^[\d;:]*$/.test(params)) {
      this.target.csi(params, input.charAt(end));
    }
    return end + 1;
  }

  private escape(input: string, start: number): number {
    const end = skip(input, start + 1, 0x20, 0x2f);
    if (end === input.length) return this.hold(input, start);
    const final = input.charCodeAt(end);
    if (final < 0x30 || final > 0x7e) return end;
    if (end === start + 1) this.target.escape(input.charAt(end));
    return end + 1;
  }

  private swallow(input: string, at: number): number {
    STRING_END.lastIndex = at;
    const end = STRING_END.exec(input)?.index;
    if (end === undefined) return input.length;
    const sign = input.charAt(end);
    if (sign === ESC && end + 1 === input.length) return this.hold(input, end);
    this.inString = false;
    if (sign === ESC) return input.charAt(end + 1) === '\\' ? end + 2 : end;
    return BREAKS_OFF.test(sign) ? end : end + 1;
  }

  private hold(input: string, start: number): number {
    this.held = input.slice(start, start + MAX_SEQUENCE + 1);
    return input.length;
  }
}

/** The first place from `at` where the code is not between `low` and `high`. */
function skip(input: string, at: number, low: number, high: number): number {
  let end = at;
  while (end < input.length) {
    const code = input.charCodeAt(end);
    if (code < low || code > high) break;
    end++;
  }
  return end;
}
