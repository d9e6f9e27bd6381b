import { Parser, type Target } from './parser.ts';
import { Row } from './row.ts';
import { PLAIN, restyled, type TextStyle } from './style.ts';
import { columnsOf, NARROW } from './width.ts';

/** Columns of a row; what is longer goes on in the next one, and is one line all the same. */
export const COLUMNS = 1000;
/** Rows from the end that the cursor can go back to: what is before them is final. */
export const REACH = 500;
/** Rows that absolute places count in, and that "clear" clears: what programs take a terminal for that tells no size. */
const HEIGHT = 24;
/** Blanks that cursor jumps may make: at first, and more for each character of input. */
const FIRST_BLANKS = 65_536;
const BLANKS_PER_CHARACTER = 2;

/** Half a character, which must not become a whole one with what is written beside it. */
const HALF = /^[\ud800-\udfff]$/;

export interface Cursor {
  readonly row: number;
  readonly column: number;
  readonly style: TextStyle;
}

/**
 * A terminal without a size: as wide as its lines, as long as its output. A line feed also goes to the first column, as
 * it does where a terminal stands between a program and its screen. Whatever comes in, a character costs a bounded time,
 * and rows out of reach are given away.
 */
export class Screen implements Target {
  /** The rows in reach, and a bounded count of those before. Never empty. */
  readonly rows: Row[] = [new Row()];
  private readonly parser = new Parser(this);
  private at = 0;
  private column = 0;
  private style = PLAIN;
  private saved: Cursor | null = null;
  private blanks = FIRST_BLANKS;

  /** @param onFinal Takes the rows that can no longer change, from the first one on. */
  constructor(private readonly onFinal: (row: Row) => void) {}

  write(text: string): void {
    this.blanks += text.length * BLANKS_PER_CHARACTER;
    this.parser.write(text);
  }

  get cursor(): Cursor {
    return { row: this.at, column: this.column, style: this.style };
  }

  get savedCursor(): Cursor | null {
    return this.saved;
  }

  /** The beginning of a sequence that did not end yet. */
  get unfinished(): string {
    return this.parser.rest();
  }

  print(text: string): void {
    if (NARROW.test(text)) this.printNarrow(text);
    else for (const character of text) this.printOne(character.replace(HALF, '\ufffd'));
  }

  control(code: number): void {
    switch (code) {
      case 0x08:
        this.column = Math.max(0, this.column - 1);
        return;
      case 0x09:
        this.tab();
        return;
      case 0x0a:
      case 0x0b:
      case 0x0c:
      case 0x85:
        this.lineFeed(0);
        return;
      case 0x0d:
        this.column = 0;
    }
  }

  escape(final: string): void {
    switch (final) {
      case '7':
        this.saved = this.cursor;
        return;
      case '8':
        this.restore();
        return;
      case 'D':
        this.leaveEdge();
        this.lineFeed(this.column);
        return;
      case 'E':
        this.lineFeed(0);
        return;
      case 'M':
        this.up(1);
        return;
      case 'c':
        this.style = PLAIN;
        this.eraseRows(this.top, this.rows.length);
        this.goTo(0, 0);
    }
  }

  csi(params: string, final: string): void {
    const [first = 0, second = 0] = params.split(/[;:]/, 2).map(numberOf);
    const count = Math.max(1, first);
    switch (final) {
      case 'A':
        this.up(count);
        return;
      case 'B':
      case 'e':
        this.down(count);
        return;
      case 'C':
      case 'a':
        this.toColumn(this.column + count);
        return;
      case 'D':
        this.toColumn(this.column - count);
        return;
      case 'E':
        this.down(count);
        this.column = 0;
        return;
      case 'F':
        this.up(count);
        this.column = 0;
        return;
      case 'G':
      case '`':
        this.toColumn(count - 1);
        return;
      case 'd':
        this.goTo(count - 1, this.column);
        return;
      case 'H':
      case 'f':
        this.goTo(count - 1, Math.max(1, second) - 1);
        return;
      case 'J':
        this.eraseDisplay(first);
        return;
      case 'K':
        this.eraseLine(first);
        return;
      case 'X':
        this.erase(this.column, this.column + count);
        return;
      case 'm':
        this.style = restyled(this.style, params);
        return;
      case 's':
        this.saved = this.cursor;
        return;
      case 'u':
        this.restore();
    }
  }

  private get row(): Row {
    const row = this.rows[this.at];
    if (row === undefined) throw new RangeError(`no row ${this.at}`);
    return row;
  }

  private get top(): number {
    return Math.max(0, this.rows.length - HEIGHT);
  }

  private printNarrow(text: string): void {
    for (let from = 0; from < text.length;) {
      this.makeRoom(1);
      const piece = text.slice(from, from + COLUMNS - this.column);
      this.row.put(this.column, piece, this.style);
      this.column += piece.length;
      from += piece.length;
    }
  }

  private printOne(character: string): void {
    const columns = columnsOf(character);
    if (columns === null) return;
    if (columns === 0) {
      this.row.mark(this.column, character);
      return;
    }
    this.makeRoom(columns);
    this.row.putWide(this.column, character, columns, this.style);
    this.column += columns;
  }

  /** There is room for so many columns at the cursor, and no gap before it that would cost too much. */
  private makeRoom(columns: number): void {
    const gap = this.column - this.row.width;
    if (gap > 0) {
      if (gap > this.blanks) this.column = this.row.width;
      else this.blanks -= gap;
    }
    if (this.column + columns <= COLUMNS) return;
    // A wide character that does not fit leaves a blank, so that a row that goes on is a full one.
    if (this.column < COLUMNS) this.row.putWide(this.column, ' ', 1, PLAIN);
    const full = this.row.width === COLUMNS;
    this.lineFeed(0);
    this.row.wrapped = full;
  }

  /** At the end of a row a tab is a character; elsewhere it only moves. */
  private tab(): void {
    const next = Math.min(COLUMNS - 1, (Math.floor(this.column / 8) + 1) * 8);
    if (next <= this.column) return;
    if (this.column === this.row.width) {
      this.row.putWide(this.column, '\t', next - this.column, this.style);
    }
    this.column = next;
  }

  private lineFeed(column: number): void {
    this.at++;
    if (this.at === this.rows.length) this.rows.push(new Row());
    this.column = column;
    if (this.rows.length < 2 * REACH) return;
    const final = this.rows.splice(0, this.rows.length - REACH);
    this.at -= final.length;
    if (this.saved !== null) this.saved = { ...this.saved, row: this.saved.row - final.length };
    for (const row of final) this.onFinal(row);
  }

  private up(count: number): void {
    this.leaveEdge();
    this.at = Math.max(this.at - count, 0, this.rows.length - REACH);
  }

  private down(count: number): void {
    this.toRow(this.at + count);
  }

  private toRow(row: number): void {
    this.leaveEdge();
    this.at = Math.min(row, Math.max(this.rows.length, HEIGHT) - 1);
    while (this.rows.length <= this.at) this.rows.push(new Row());
  }

  /** Behind the last column stands only who has just written there. */
  private leaveEdge(): void {
    this.column = Math.min(this.column, COLUMNS - 1);
  }

  private toColumn(column: number): void {
    this.column = Math.max(0, Math.min(column, COLUMNS - 1));
  }

  /** By a place on the last rows, as if they were all there is. */
  private goTo(row: number, column: number): void {
    const { top } = this;
    this.toRow(top + Math.min(row, HEIGHT - 1));
    this.toColumn(column);
  }

  private restore(): void {
    const { row, column, style } = this.saved ?? { row: this.top, column: 0, style: PLAIN };
    this.at = Math.min(Math.max(row, 0, this.rows.length - REACH), this.rows.length - 1);
    this.column = column;
    this.style = style;
    if (this.row.width < COLUMNS) this.leaveEdge();
  }

  private eraseDisplay(part: number): void {
    if (part === 0) {
      this.eraseLine(0);
      this.eraseRows(this.at + 1, this.rows.length);
    } else if (part === 1) {
      this.eraseRows(this.top, this.at);
      this.row.wrapped = false;
      this.eraseLine(1);
    } else if (part === 2) this.eraseRows(this.top, this.rows.length);
    // What has scrolled away stays: the person may want to read it.
  }

  private eraseRows(from: number, to: number): void {
    this.leaveEdge();
    for (let at = from; at < to; at++) this.rows[at] = new Row();
  }

  private eraseLine(part: number): void {
    if (part === 0) this.erase(this.column, COLUMNS);
    else if (part === 1) this.erase(0, this.column + 1);
    else if (part === 2) this.erase(0, COLUMNS);
  }

  private erase(from: number, to: number): void {
    const before = this.row.width;
    this.row.erase(from, to);
    this.leaveEdge();
    const next = this.rows[this.at + 1];
    if (next !== undefined && this.row.width < before) next.wrapped = false;
    if (this.row.width === 0) this.row.wrapped = false;
  }
}

function numberOf(text: string): number {
  // More digits than any screen has places.
  return Math.min(Number(text.slice(0, 6)), 99_999);
}
