import { lineChanges, type LineRange } from './lineChanges.ts';
import type { DiffRow } from './thread.ts';

/** A diff by lines, ready to be drawn. */
export interface LineDiff {
  /** Count of lines, over the whole diff. */
  readonly added: number;
  readonly removed: number;
  /** See `DiffContent.rows`. */
  readonly rows: readonly DiffRow[];
  readonly omittedRows: number;
}

/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 3;
const MAX_ROWS = 400;
const MAX_ROW_LENGTH = 1000;

/**
 * What changed from one text to another, line by line; a last line with and without a line end are different lines.
 * `oldText` is `null` for a new file. At most 50 ms for any two files of 10,000 lines.
 */
export function diffLines(oldText: string | null, newText: string): LineDiff {
  const oldLines = linesOf(oldText ?? '');
  const newLines = linesOf(newText);
  const changes = lineChanges(oldLines, newLines);
  const rows = new Rows(oldLines, newLines);
  for (const [index, change] of changes.entries()) {
    rows.addChange(change, changes[index + 1]);
  }
  return {
    added: changes.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
    removed: changes.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
    rows: rows.rows,
    omittedRows: rows.omitted,
  };
}

/**
 * The lines of a text without their ends. A last line that has no end is another line than the same one with an end: it
 * is marked by a line end before it, which no line can hold.
 */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  if (last !== undefined && last !== '') lines.push(`\n${last}`);
  return lines;
}

class Rows {
  readonly rows: DiffRow[] = [];
  omitted = 0;
  /** The first old line that is in no row yet. */
  private oldDone = 0;

  constructor(
    private readonly oldLines: readonly string[],
    private readonly newLines: readonly string[],
  ) {}

  /** A change with the lines before it that are not shown yet, and the lines after it as far as the next one. */
  addChange(change: LineRange, next: LineRange | undefined): void {
    const shift = change.newStart - change.oldStart;
    const first = Math.max(this.oldDone, change.oldStart - CONTEXT_LINES);
    for (let i = first; i < change.oldStart; i++) this.addSame(i, i + shift);
    for (let i = change.oldStart; i < change.oldEnd; i++) this.add('del', i, null);
    for (let j = change.newStart; j < change.newEnd; j++) this.add('add', null, j);
    const end = Math.min(
      change.oldEnd + CONTEXT_LINES,
      next === undefined ? this.oldLines.length : next.oldStart,
    );
    for (let i = change.oldEnd; i < end; i++) this.addSame(i, i + change.newEnd - change.oldEnd);
    this.oldDone = end;
  }

  private addSame(oldIndex: number, newIndex: number): void {
    this.add('same', oldIndex, newIndex);
  }

  private add(kind: DiffRow['kind'], oldIndex: number | null, newIndex: number | null): void {
    if (this.rows.length === MAX_ROWS) {
      this.omitted++;
      return;
    }
    const line = newIndex === null ? this.oldLines[oldIndex ?? 0] : this.newLines[newIndex];
    this.rows.push({
      kind,
      oldLine: oldIndex === null ? null : oldIndex + 1,
      newLine: newIndex === null ? null : newIndex + 1,
      text: shown(line ?? ''),
    });
  }
}

function shown(line: string): string {
  const text = line.replace(/^\n|\r$/g, '');
  return text.length <= MAX_ROW_LENGTH ? text : `${text.slice(0, MAX_ROW_LENGTH - 1)}…`;
}
