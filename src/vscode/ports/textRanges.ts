/**
 * A range of lines, each with the line end it has, so that consecutive ranges make up the file.
 * @param line 1-based first line; `null` or less than 1: the first. @param limit Count of lines; `null`: to the end.
 */
export function sliceLines(
  text: string,
  range: { readonly line: number | null; readonly limit: number | null },
): string {
  const first = Math.max(1, range.line ?? 1);
  if (first === 1 && range.limit === null) return text;
  const start = lineStart(text, 0, first - 1);
  const end = range.limit === null ? text.length : lineStart(text, start, Math.max(0, range.limit));
  return text.slice(start, end);
}

/** Where the line begins that is `count` lines after the one that begins at `from`; the end if there are not as many. */
function lineStart(text: string, from: number, count: number): number {
  const end = /\r\n|\n|\r/g;
  end.lastIndex = from;
  for (let passed = 0; passed < count; passed += 1) {
    if (end.exec(text) === null) return text.length;
  }
  return count === 0 ? from : end.lastIndex;
}

export interface Replacement {
  /** Offsets in the old text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The smallest single replacement that turns one text into another; `null` if they are equal. */
export function smallestReplacement(before: string, after: string): Replacement | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  while (start > 0 && splitsPair(before, after, start)) start -= 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  while (
    tail > 0 &&
    (isInsidePair(before, before.length - tail) || isInsidePair(after, after.length - tail))
  ) {
    tail -= 1;
  }
  return {
    start,
    end: before.length - tail,
    text: after.slice(start, after.length - tail),
  };
}

/** The text with the line ends of the file that it replaces, if that has but one kind of them. */
export function withLineEndsOf(before: string, text: string): string {
  const kinds = new Set(before.match(/\r\n|\n|\r/g));
  const [kind, ...others] = kinds;
  if (kind === undefined || others.length > 0) return text;
  return text.replace(/\r\n|\n|\r/g, kind);
}

function splitsPair(before: string, after: string, at: number): boolean {
  return isInsidePair(before, at) || isInsidePair(after, at);
}

/** Between the halves of a surrogate pair or of a CRLF: no place for an edit to begin or end. */
function isInsidePair(text: string, at: number): boolean {
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  if (left === 0x0d && right === 0x0a) return true;
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}
