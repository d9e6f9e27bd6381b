import { lineChanges, type LineRange } from '../../thread/lineChanges.ts';
import type { TextEdit } from '../ports.ts';
import { isInsidePair, splitLines } from './lines.ts';

/**
 * The edits that turn one text into another, sorted and apart, each as small as can be, so that cursors, breakpoints and
 * folds outside of them stay. None of them begins or ends inside a surrogate pair or a CRLF.
 */
export function minimalEdits(before: string, after: string): TextEdit[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const oldStarts = startsOf(oldLines);
  const newStarts = startsOf(newLines);
  return lineChanges(oldLines, newLines)
    .flatMap(lineByLine)
    .map(({ oldStart, oldEnd, newStart, newEnd }) => {
      const start = oldStarts[oldStart] ?? before.length;
      const old = before.slice(start, oldStarts[oldEnd] ?? before.length);
      const text = after.slice(
        newStarts[newStart] ?? after.length,
        newStarts[newEnd] ?? after.length,
      );
      return trimmed(start, old, text);
    })
    .filter(({ start, end, text }) => start !== end || text !== '');
}

/** As many lines as before: each line is changed for itself. */
function lineByLine(range: LineRange): LineRange[] {
  const count = range.oldEnd - range.oldStart;
  if (count !== range.newEnd - range.newStart) return [range];
  return Array.from({ length: count }, (_, index) => ({
    oldStart: range.oldStart + index,
    oldEnd: range.oldStart + index + 1,
    newStart: range.newStart + index,
    newEnd: range.newStart + index + 1,
  }));
}

/** Without what is the same at both ends. */
function trimmed(offset: number, old: string, text: string): TextEdit {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === text.charCodeAt(head)) head++;
  while (head > 0 && (isInsidePair(old, head) || isInsidePair(text, head))) head--;
  let tail = 0;
  while (
    tail < shorter - head &&
    old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  ) {
    tail++;
  }
  while (
    tail > 0 &&
    (isInsidePair(old, old.length - tail) || isInsidePair(text, text.length - tail))
  ) {
    tail--;
  }
  return {
    start: offset + head,
    end: offset + old.length - tail,
    text: text.slice(head, text.length - tail),
  };
}

/** Offsets at which lines begin, and the end of the last one. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  let at = 0;
  for (const line of lines) {
    at += line.length;
    starts.push(at);
  }
  return starts;
}
