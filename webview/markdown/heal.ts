const MARKS = /\\[\s\S]|(`+)|(\*{1,3}|_{1,3}|~{1,2})|(\]\()|(!?\[)|(\])|(\))/g;
/** Where running text begins anew: no emphasis goes across. */
const BORDER = /\n(?=\s*\n|\s*(?:[-*+]|\d{1,9}[.)])\s|\s*>|#{1,6}\s|\s*\|)/g;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
/** A last line that will soon be something else: a marker without its text, an underline of a heading. */
const HALF_LINE = /(^|\n)[ \t]*(?:[-*+]|\d{1,3}[.)]|#{1,6}|>|=+|-+|`{1,2}|~{1,2})[ \t]*$/;

/**
 * What to draw for a block whose end is still to come: emphasis and code that were opened are closed, a link whose
 * address is not complete is shown as its text, and a marker without its text waits, so that words do not change their
 * look twice while they stream in. Only for drawing: the text itself stays as it is.
 */
export function heal(source: string): string {
  const shown = source.replace(HALF_LINE, '');
  let start = 0;
  for (const match of shown.matchAll(BORDER)) start = match.index + 1;
  const tail = shown.slice(start);
  if (FENCE.test(tail) || /^(?: {4}|\t)/.test(tail)) return shown;
  return shown.slice(0, start) + new Scan(tail).healed();
}

interface Open {
  readonly mark: string;
  readonly at: number;
}

class Scan {
  private readonly open: Open[] = [];
  private code: Open | null = null;
  /** Where a marker stands that has nothing after it yet. */
  private dangling: number | null = null;

  constructor(private readonly text: string) {
    for (const match of text.matchAll(MARKS)) this.see(match);
  }

  healed(): string {
    let text = this.dangling === null ? this.text : this.text.slice(0, this.dangling);
    if (this.code !== null) {
      const { mark, at } = this.code;
      text = at + mark.length < text.length ? text + mark : text.slice(0, at);
    }
    for (const { mark, at } of this.open.reverse()) {
      if (mark === '](') text = withoutAddress(text, at);
      else if (mark !== '[') text = text.trimEnd() + mark;
    }
    return text;
  }

  private see(match: RegExpExecArray): void {
    const [, ticks, stars, address, bracket, close, paren] = match;
    const at = match.index;
    if (ticks !== undefined) this.seeTicks({ mark: ticks, at });
    else if (this.code !== null) return;
    else if (stars !== undefined) this.seeEmphasis({ mark: stars, at });
    else if (address !== undefined) this.drop('[', { mark: '](', at });
    else if (bracket !== undefined) this.open.push({ mark: '[', at });
    else if (close !== undefined) this.drop('[');
    else if (paren !== undefined) this.drop('](');
  }

  private seeTicks(ticks: Open): void {
    if (this.code === null) this.code = ticks;
    else if (this.code.mark === ticks.mark) this.code = null;
  }

  private seeEmphasis(stars: Open): void {
    const before = this.text[stars.at - 1] ?? ' ';
    const after = this.text[stars.at + stars.mark.length] ?? '';
    if (!/\s/.test(before) && this.drop(stars.mark)) return;
    // Half of what closes: `**bold*`.
    if (after === '' && this.open.some(({ mark }) => mark.startsWith(stars.mark))) {
      this.dangling = stars.at;
      return;
    }
    // An opener stands before a word; `a_b` and `2 * 3` are none.
    if (/\s/.test(after) || (stars.mark.startsWith('_') && /\w/.test(before))) return;
    if (after === '') this.dangling = stars.at;
    else this.open.push(stars);
  }

  /** Takes the innermost `mark` away, and puts `next` in its place. */
  private drop(mark: string, next?: Open): boolean {
    const index = this.open.findLastIndex((one) => one.mark === mark);
    if (index === -1) return false;
    this.open.splice(index, 1);
    if (next !== undefined) this.open.push(next);
    return true;
  }
}

function withoutAddress(text: string, at: number): string {
  const bracket = text.lastIndexOf('[', at);
  return text.slice(0, bracket).replace(/!$/, '') + text.slice(bracket + 1, at);
}
