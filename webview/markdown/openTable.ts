import { element, morphChildren } from './dom.ts';
import { heal } from './heal.ts';
import { lex, outline, type Definitions } from './lex.ts';
import type { BlockRenderer } from './nodes.ts';
import type { OpenBlock } from './growing.ts';

/** A table that may go on: rows before the last are drawn once. */
export class OpenTable implements OpenBlock {
  readonly root: HTMLElement;
  readonly consumed: number;
  private readonly body: HTMLElement;
  private last: readonly ChildNode[] = [];
  private outlined = 0;

  private constructor(
    /** Header and delimiter row, each with its line end. */
    private readonly head: string,
    root: HTMLElement,
    private readonly definitions: Definitions,
    private readonly renderer: BlockRenderer,
  ) {
    this.root = root;
    this.consumed = head.length;
    this.body = root.querySelector('tbody') ?? element('tbody');
  }

  static from(source: string, definitions: Definitions, renderer: BlockRenderer): OpenTable | null {
    const head = source.slice(0, source.indexOf('\n', source.indexOf('\n') + 1) + 1);
    const [root] = renderer.blocks(lex(head, definitions));
    if (!(root instanceof HTMLElement)) return null;
    return new OpenTable(head, root, definitions, renderer);
  }

  take(text: string, final: boolean): { text: string; closed: boolean } {
    const cut = final ? text.length : text.lastIndexOf('\n') + 1;
    let rest = text;
    if (cut > this.outlined || final) {
      const [table, ...others] = outline(this.head + text.slice(0, cut), this.definitions, true);
      const raw = table?.raw.slice(this.head.length) ?? '';
      const ended = final || others.length > 0 || /\n\s*\n$/.test(table?.raw ?? '');
      const length = ended ? raw.length : raw.replace(/\n+$/, '').lastIndexOf('\n') + 1;
      this.settle(text.slice(0, length));
      rest = text.slice(length);
      if (ended) return { text: rest, closed: true };
      this.outlined = rest.lastIndexOf('\n') + 1;
    }
    const rows = rest.trim() === '' ? [] : this.rows(heal(rest)).slice(0, 1);
    this.last = morphChildren(this.body, this.last, rows);
    return { text: rest, closed: false };
  }

  private settle(source: string): void {
    const rows = source === '' ? [] : this.rows(source);
    const kept = Math.min(this.last.length, rows.length);
    morphChildren(this.body, this.last, rows.slice(0, kept));
    this.body.append(...rows.slice(kept));
    this.last = [];
  }

  private rows(source: string): HTMLElement[] {
    const table = lex(this.head + source, this.definitions).find((token) => token.type === 'table');
    return table === undefined ? [] : this.renderer.rows(table);
  }
}
