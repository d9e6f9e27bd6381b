/**
 * What a terminal would show of raw output: text in styles, as plain JSON. All that is not text or known to change how
 * text looks is swallowed; links keep their words. Pure, and bounded whatever comes in.
 */
import type { Row, ScreenSpan } from './screen/row.ts';
import { MAX_SEQUENCE } from './screen/parser.ts';
import { Screen } from './screen/screen.ts';

export type { ScreenSpan } from './screen/row.ts';
export { squash } from './screen/squash.ts';
export { type TextColor, type TextStyle } from './screen/style.ts';

/** One line, as spans from left to right; none if it is blank. */
export type ScreenLine = readonly ScreenSpan[];

export interface ShownLines {
  readonly lines: readonly ScreenLine[];
  /** How many rows before these were left out. */
  readonly omitted: number;
}

/**
 * The last lines that a terminal would show, without the blank ones at the end.
 * @param limit Rows that are kept at most, of up to 1,000 columns.
 */
export function screenLines(raw: string, limit: number): ShownLines {
  let final: Row[] = [];
  let omitted = 0;
  const keep = (): void => {
    const excess = final.length - limit;
    if (excess <= 0) return;
    omitted += excess;
    final = final.slice(excess);
  };
  const screen = new Screen((row) => {
    final.push(row);
    if (final.length > 2 * limit) keep();
  });
  screen.write(raw);
  final = withoutBlankEnd([...final, ...screen.rows]);
  keep();
  return { lines: linesOf(final), omitted };
}

/**
 * What a terminal would show, as text without a style: for an editor, or to be copied. Its time and length are linear in
 * the length of `raw`.
 */
export function plainText(raw: string): string {
  if (!NEEDS_SCREEN.test(raw)) return raw.replace(/\r\n/g, '\n').trimEnd();
  const pieces: string[] = [];
  let batch: string[] = [];
  const take = (row: Row): void => {
    if (pieces.length + batch.length > 0 && !row.wrapped) batch.push('\n');
    batch.push(row.text());
    if (batch.length < 1000) return;
    pieces.push(batch.join(''));
    batch = [];
  };
  const screen = new Screen(take);
  screen.write(raw);
  screen.rows.forEach(take);
  return (pieces.join('') + batch.join('')).trimEnd();
}

/**
 * The end of output, from a place where neither a character nor a sequence is cut. Its time is bounded by `limit`,
 * whatever the length of `raw`.
 */
export function outputEnd(raw: string, limit: number): string {
  if (raw.length <= limit) return raw;
  const from = raw.length - limit;
  const line = raw.indexOf('\n', from);
  // A line feed ends every sequence.
  if (line !== -1 && line < from + limit / 2) return raw.slice(line + 1);
  // Begun with the sequence that may reach into it, it is whole.
  const sequence = raw.slice(Math.max(0, from - MAX_SEQUENCE), from + 1).lastIndexOf('\u001b');
  if (sequence !== -1) return raw.slice(Math.max(0, from - MAX_SEQUENCE) + sequence);
  return raw.slice(from).replace(/^[\udc00-\udfff]/, '');
}

/** All but ASCII text and line ends. */
const NEEDS_SCREEN = /[^\u0020-\u007e\t\n\r]|\r(?!\n)/;

function withoutBlankEnd(rows: readonly Row[]): Row[] {
  const last = rows.findLastIndex((row) => spansOf(row).some(isVisible));
  return rows.slice(0, last + 1);
}

function isVisible({ text, style }: ScreenSpan): boolean {
  return text.trim() !== '' || (style !== null && (style.bg !== null || style.inverse));
}

function spansOf(row: Row): ScreenSpan[] {
  const spans: ScreenSpan[] = [];
  row.addTo(spans);
  return spans;
}

function linesOf(rows: readonly Row[]): readonly ScreenLine[] {
  const lines: ScreenSpan[][] = [];
  for (const row of rows) {
    const line = row.wrapped ? lines.at(-1) : undefined;
    if (line === undefined) lines.push(spansOf(row));
    else row.addTo(line);
  }
  return lines;
}
