import { COLUMNS, Screen, type Cursor } from './screen.ts';
import type { Row, ScreenSpan } from './row.ts';
import { PLAIN, sameStyle, styleSequence } from './style.ts';

/** What writes over what is there, or moves elsewhere. Where it is not in a text, all of that is still to be seen. */
const OVERWRITES = /[\u0008\u001b\u0090\u0098\u009b\u009d-\u009f]|\r(?!\n)/;

/**
 * A text that is not longer and after which a terminal looks the same and goes on the same, whatever comes next: what
 * was overwritten or erased is gone.
 */
export function squash(raw: string): string {
  if (!OVERWRITES.test(raw)) return raw;
  const squashed = written(played(raw), Infinity);
  return squashed.text.length < raw.length ? squashed.text : raw;
}

/**
 * The end of what a terminal shows after `raw`, as a text that begins at a row, and after which it goes on as after
 * `raw`, as far as nobody goes back to what was cut.
 * @param limit Characters, at least 32,768: more than any row takes.
 */
export function squashedEnd(
  raw: string,
  limit: number,
): { readonly text: string; readonly cut: boolean } {
  return written(played(raw), limit);
}

interface Played {
  readonly screen: Screen;
  /** All rows, those out of reach too. */
  readonly rows: readonly Row[];
  /** How many of them are out of reach. */
  readonly final: number;
}

function played(raw: string): Played {
  const final: Row[] = [];
  const screen = new Screen((row) => final.push(row));
  screen.write(raw);
  return { screen, rows: [...final, ...screen.rows], final: final.length };
}

function written(
  { screen, rows, final }: Played,
  limit: number,
): { readonly text: string; readonly cut: boolean } {
  const pieces: string[] = [];
  let room = limit;
  let first = rows.length;
  while (first > 0) {
    const row = rows[first - 1];
    if (row === undefined) break;
    const end = rows[first]?.wrapped === false ? '\n' : '';
    const piece = rowText(row) + end;
    room -= piece.length;
    if (room < 0 && first < rows.length) break;
    // One row alone is too much: without its colours it is not.
    pieces.push(room < 0 ? row.text() + end : piece);
    first--;
    if (room < 0) break;
  }
  const { cursor, savedCursor } = screen;
  const moves = [
    savedCursor === null
      ? ''
      : `${toCursor(rows, rows.length - 1, savedCursor, final)}\u001b7${styleSequence(PLAIN)}`,
    toCursor(rows, (savedCursor?.row ?? screen.rows.length - 1) + final, cursor, final),
  ];
  const text = pieces.reverse().join('') + moves.join('') + screen.unfinished;
  return { text, cut: first > 0 };
}

/** A row as text that begins and ends in the plain style. */
function rowText(row: Row): string {
  const spans: ScreenSpan[] = [];
  row.addTo(spans);
  return spans
    .map(({ text, style }) =>
      style === null ? text : `${styleSequence(style)}${text}${styleSequence(PLAIN)}`,
    )
    .join('');
}

/** From the end of what was written, or from another row, to a cursor, in its style. */
function toCursor(rows: readonly Row[], from: number, cursor: Cursor, final: number): string {
  const to = cursor.row + final;
  const row = rows[to];
  if (row === undefined) return '';
  let moves = '';
  if (to < from) moves = `\u001b[${from - to}A`;
  else if (to > from) moves = `\u001b[${to - from}B`;
  const style = sameStyle(cursor.style, PLAIN) ? '' : styleSequence(cursor.style);
  if (cursor.column < COLUMNS) return `${moves}\u001b[${cursor.column + 1}G${style}`;
  // Behind the last column stands only who has just written there.
  const last = row.last();
  const again = styleSequence(last.style) + last.text;
  const column = COLUMNS - last.columns + 1;
  return `${moves}\u001b[${column}G${again}${styleSequence(cursor.style)}`;
}
