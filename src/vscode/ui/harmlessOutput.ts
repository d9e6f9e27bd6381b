/**
 * What a command prints, for a real terminal that must take no harm from it: agents choose the commands. Colours, moves
 * of the cursor and erasing go through; everything that asks the terminal for an answer, names links, sets the clipboard
 * or the title, or switches the keyboard or the mouse does not.
 */

/** Final bytes of control sequences without a prefix that only move, erase or colour. */
const HARMLESS = new Set('@ABCDEFGHIJKLMPSTXZ`adefmrsu');

/** Modes of `CSI ? … h` and `l` that only change what is seen: wrapping, the cursor, the second screen. */
const VISIBLE_MODES = new Set(['7', '25', '47', '1047', '1049']);

/** Single characters after ESC that only move the cursor. */
const MOVES = new Set('78DEM');

/** A longer control sequence is not one that anybody needs. */
const SEQUENCE = 256;

type State =
  | { readonly kind: 'text' }
  /** After ESC. */
  | { readonly kind: 'escape' }
  /** After `ESC (` and the like: one character more. */
  | { readonly kind: 'skip' }
  /** In a control sequence, with what came of it; too long a one is `null`. */
  | { readonly kind: 'sequence'; readonly body: string | null }
  /** In a string (title, link, clipboard, device control) that nobody hears. */
  | { readonly kind: 'string' };

const TEXT: State = { kind: 'text' };

/** Filters a stream of text; a sequence may be split over pieces. */
export class HarmlessOutput {
  private state: State = TEXT;
  private afterReturn = false;

  /** @returns What may go to the terminal, with `\r\n` for a bare line feed. */
  filter(text: string): string {
    let out = '';
    for (const char of text) out += this.take(char);
    return out;
  }

  private take(char: string): string {
    const code = char.codePointAt(0) ?? 0;
    // Both end whatever sequence is open.
    if (code === 0x18 || code === 0x1a) return this.become(TEXT);
    if (code >= 0x80 && code <= 0x9f) {
      // The one-character forms of ESC and a letter.
      this.become({ kind: 'escape' });
      return this.take(String.fromCharCode(code - 0x40));
    }
    switch (this.state.kind) {
      case 'text':
        return this.inText(char, code);
      case 'escape':
        return this.afterEscape(char);
      case 'skip':
        return this.become(TEXT);
      case 'sequence':
        return this.inSequence(this.state.body, char, code);
      case 'string':
        if (code === 0x07) return this.become(TEXT);
        // `ESC \` ends it; anything else after ESC ends it, too, and begins anew.
        return code === 0x1b ? this.become({ kind: 'escape' }) : '';
    }
  }

  private inText(char: string, code: number): string {
    if (code === 0x1b) return this.become({ kind: 'escape' });
    const afterReturn = this.afterReturn;
    this.afterReturn = char === '\r';
    if (char === '\n') return afterReturn ? '\n' : '\r\n';
    const isControl = code < 0x20 || code === 0x7f;
    return isControl && char !== '\r' && char !== '\t' && char !== '\b' ? '' : char;
  }

  private afterEscape(char: string): string {
    if (char === '[') return this.become({ kind: 'sequence', body: '' });
    if (']PX^_'.includes(char)) return this.become({ kind: 'string' });
    if ('()*+-./# %'.includes(char)) return this.become({ kind: 'skip' });
    if (char === '\u001B') return '';
    this.become(TEXT);
    return MOVES.has(char) ? `\u001B${char}` : '';
  }

  private inSequence(body: string | null, char: string, code: number): string {
    if (code === 0x1b) return this.become({ kind: 'escape' });
    if (code < 0x20 || code > 0x7e) return '';
    if (code < 0x40) {
      const next = body === null || body.length >= SEQUENCE ? null : body + char;
      return this.become({ kind: 'sequence', body: next });
    }
    this.become(TEXT);
    return body !== null && isHarmless(body, char) ? `\u001B[${body}${char}` : '';
  }

  private become(state: State): '' {
    this.state = state;
    this.afterReturn = false;
    return '';
  }
}

function isHarmless(body: string, final: string): boolean {
  if (/^[\d;:]*$/.test(body)) return HARMLESS.has(final);
  if ((final !== 'h' && final !== 'l') || !body.startsWith('?')) return false;
  return body
    .slice(1)
    .split(';')
    .every((mode) => VISIBLE_MODES.has(mode));
}
