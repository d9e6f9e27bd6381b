/** A range of lines. */
export interface LineSpan {
  /** 1-based first line; `null` or less than 1: from the start. */
  readonly line: number | null;
  /** Count of lines; `null`: to the end. */
  readonly limit: number | null;
}

/** The text with `\n` at the end of each line, whatever stood there. */
export function withSoftEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
}

/** The same text but for its line ends. */
export function softlyEqual(one: string, other: string): boolean {
  return one === other || withSoftEnds(one) === withSoftEnds(other);
}

/** The lines of a text, each with the end (`\n`, `\r\n`, `\r`) that it has; a last line may have none. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = nextLine(text, start);
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** The line end that a line has; `''` for a last line without one. */
export function endOf(line: string): '\r\n' | '\n' | '\r' | '' {
  if (line.endsWith('\r\n')) return '\r\n';
  if (line.endsWith('\n')) return '\n';
  return line.endsWith('\r') ? '\r' : '';
}

/**
 * A range of lines, each with the line end it has, so that consecutive ranges make up the file; `''` for a range past
 * the end.
 */
export function sliceLines(text: string, { line, limit }: LineSpan): string {
  const start = lineStart(text, 0, Math.max(1, line ?? 1) - 1);
  const end = limit === null ? text.length : lineStart(text, start, Math.max(0, limit));
  return text.slice(start, end);
}

/**
 * Between the halves of a surrogate pair or of a CRLF: no place for an edit to begin or end.
 * @param at An offset into the text.
 */
export function isInsidePair(text: string, at: number): boolean {
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  if (left === 0x0d && right === 0x0a) return true;
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}

/** Where the line begins that is `count` lines after the one that begins at `from`; the end if there are not as many. */
function lineStart(text: string, from: number, count: number): number {
  let start = from;
  for (let passed = 0; passed < count && start < text.length; passed++) {
    start = nextLine(text, start);
  }
  return start;
}

function nextLine(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x0a) return i + 1;
    if (unit === 0x0d) return text.charCodeAt(i + 1) === 0x0a ? i + 2 : i + 1;
  }
  return text.length;
}
