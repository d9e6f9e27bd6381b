import { PLAIN, sameStyle, type TextStyle } from './style.ts';

/** Text in one style. */
export interface ScreenSpan {
  readonly text: string;
  /** `null`: as the theme has it. */
  readonly style: TextStyle | null;
}

/** Marks that one character may carry: more are not shown. */
const MAX_MARKS = 8;

/** One row of a screen. What is wider than a column stands in its first cell; the others behind it are empty. */
export class Row {
  /** It goes on where the row before it was full. */
  wrapped = false;
  /** Most rows are only written from left to right: cells are made when that does not do any more. */
  private readonly runs: { text: string; readonly style: TextStyle }[] = [];
  private length = 0;
  private cells: { readonly texts: string[]; readonly styles: TextStyle[] } | null = null;

  get width(): number {
    return this.cells === null ? this.length : this.cells.texts.length;
  }

  /** Writes text that takes one column for each unit. */
  put(column: number, text: string, style: TextStyle): void {
    if (this.cells === null && column === this.length) {
      const last = this.runs.at(-1);
      if (last !== undefined && sameStyle(last.style, style)) last.text += text;
      else this.runs.push({ text, style });
      this.length += text.length;
      return;
    }
    for (let at = 0; at < text.length; at++) this.putWide(column + at, text.charAt(at), 1, style);
  }

  /** Writes one character that takes `columns`. */
  putWide(column: number, character: string, columns: number, style: TextStyle): void {
    const { texts, styles } = this.expanded();
    while (texts.length < column) {
      texts.push(' ');
      styles.push(PLAIN);
    }
    this.split(column);
    this.split(column + columns);
    for (let at = 0; at < columns; at++) {
      texts[column + at] = at === 0 ? character : '';
      styles[column + at] = style;
    }
  }

  /** Puts a mark onto the character that ends before `column`, if there is one. */
  mark(column: number, mark: string): void {
    const { texts } = this.expanded();
    let at = Math.min(column, texts.length) - 1;
    while (at > 0 && texts[at] === '') at--;
    const base = texts[at];
    if (base !== undefined && base.length < MAX_MARKS) texts[at] = base + mark;
  }

  /** Blanks the columns from `from` to before `to`. */
  erase(from: number, to: number): void {
    if (from >= this.width) return;
    const { texts, styles } = this.expanded();
    this.split(from);
    this.split(to);
    if (to >= texts.length) {
      texts.length = from;
      styles.length = from;
      return;
    }
    texts.fill(' ', from, to);
    styles.fill(PLAIN, from, to);
  }

  /** The last character, and the columns that it takes. */
  last(): { readonly text: string; readonly style: TextStyle; readonly columns: number } {
    const { texts, styles } = this.expanded();
    let at = texts.length - 1;
    while (at > 0 && texts[at] === '') at--;
    return { text: texts[at] ?? '', style: styles[at] ?? PLAIN, columns: texts.length - at };
  }

  text(): string {
    if (this.cells !== null) return this.cells.texts.join('');
    return this.runs.map(({ text }) => text).join('');
  }

  /** Appends what stands in the row to a line. */
  addTo(line: ScreenSpan[]): void {
    if (this.cells === null) {
      for (const { text, style } of this.runs) add(line, text, style);
      return;
    }
    const { texts, styles } = this.cells;
    let from = 0;
    for (let at = 1; at <= texts.length; at++) {
      const style = styles[from] ?? PLAIN;
      const next = styles[at];
      if (next !== undefined && sameStyle(next, style)) continue;
      add(line, texts.slice(from, at).join(''), style);
      from = at;
    }
  }

  private expanded(): { readonly texts: string[]; readonly styles: TextStyle[] } {
    if (this.cells === null) {
      const texts = this.text().split('');
      const styles = this.runs.flatMap(({ text, style }) => text.split('').map(() => style));
      this.cells = { texts, styles };
      this.runs.length = 0;
    }
    return this.cells;
  }

  /** Nothing wide lies across the left edge of `column`: halves become blanks. */
  private split(column: number): void {
    const { texts } = this.expanded();
    if (texts[column] !== '') return;
    let from = column;
    while (from > 0 && texts[from] === '') from--;
    for (let at = from; at < texts.length && (at === from || texts[at] === ''); at++) {
      texts[at] = ' ';
    }
  }
}

function add(line: ScreenSpan[], text: string, style: TextStyle): void {
  const last = line.at(-1);
  if (last !== undefined && sameStyle(last.style ?? PLAIN, style)) {
    line[line.length - 1] = { text: last.text + text, style: last.style };
  } else {
    line.push({ text, style: sameStyle(style, PLAIN) ? null : style });
  }
}
