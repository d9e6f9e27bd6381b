interface Replacement {
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
