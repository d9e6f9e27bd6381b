import { lineChanges } from '../../thread/lineChanges.ts';
import { endOf, splitLines } from './lines.ts';

/**
 * A text with the line ends of the file that it replaces. A file with one kind keeps it. In a file with several, lines
 * that did not change keep theirs, and new ones take the end of the line above, else of the line below, else the most
 * frequent one. A last line
 * without an end stays so, and a file without any line end says nothing: the text is then what it was.
 * @param before The file's text, line ends as they are.
 */
export function withLineEndsOf(before: string, text: string): string {
  const [kind, ...others] = kindsOf(before);
  if (kind === undefined) return text;
  if (others.length === 0) return withEnds(text, kind);
  return mixed(splitLines(before), splitLines(text));
}

/** The text with one kind of line end throughout. */
export function withEnds(text: string, kind: string): string {
  if (kind === '\n' && !text.includes('\r')) return text;
  return text.replaceAll(/\r\n|\n|\r/g, kind);
}

/** Without a list of all of them: files may have millions. */
function kindsOf(text: string): readonly string[] {
  if (!text.includes('\r')) return text.includes('\n') ? ['\n'] : [];
  return [
    ...(text.includes('\r\n') ? ['\r\n'] : []),
    ...(/(?<!\r)\n/.test(text) ? ['\n'] : []),
    ...(/\r(?!\n)/.test(text) ? ['\r'] : []),
  ];
}

function mixed(oldLines: readonly string[], newLines: readonly string[]): string {
  const oldTexts = oldLines.map(withoutEnd);
  const newTexts = newLines.map(withoutEnd);
  /** For each new line the end of the old line that it is; `''` where it is a new one. */
  const ends = newLines.map(() => '');
  let oldDone = 0;
  let newDone = 0;
  const keep = (until: number): void => {
    for (; newDone < until; newDone++, oldDone++) ends[newDone] = endOf(oldLines[oldDone] ?? '');
  };
  for (const change of lineChanges(oldTexts, newTexts)) {
    keep(change.newStart);
    newDone = change.newEnd;
    oldDone = change.oldEnd;
  }
  keep(newLines.length);
  fillFromNeighbours(ends, mostFrequent(oldLines));
  return newLines
    .map((line, index) => (endOf(line) === '' ? line : withoutEnd(line) + (ends[index] ?? '\n')))
    .join('');
}

/** From above, and where nothing is above from below. @param otherwise For a file none of whose lines is left. */
function fillFromNeighbours(ends: string[], otherwise: string): void {
  let above = ends.find((end) => end !== '') ?? otherwise;
  for (const [index, end] of ends.entries()) {
    if (end === '') ends[index] = above;
    else above = end;
  }
}

function mostFrequent(lines: readonly string[]): string {
  const count = (kind: string): number => lines.filter((line) => endOf(line) === kind).length;
  return ['\n', '\r\n', '\r'].toSorted((one, other) => count(other) - count(one))[0] ?? '\n';
}

function withoutEnd(line: string): string {
  return line.slice(0, line.length - endOf(line).length);
}
