import type { Tokens } from 'marked';
import { element, morphChildren } from './dom.ts';
import { heal } from './heal.ts';
import { lex, outline, type Definitions } from './lex.ts';
import { startOf, type BlockRenderer } from './nodes.ts';
import type { OpenBlock } from './growing.ts';

/** A list that may go on: items before the last are drawn once. */
export class OpenList implements OpenBlock {
  readonly root: HTMLElement;
  readonly consumed = 0;
  /** Sources of the items that are drawn for good. */
  private readonly drawn: string[] = [];
  private loose = false;
  private last: readonly ChildNode[] = [];
  private outlined = 0;

  constructor(
    list: Tokens.List,
    private readonly definitions: Definitions,
    private readonly renderer: BlockRenderer,
  ) {
    this.root = element(list.ordered ? 'ol' : 'ul', startOf(list));
  }

  take(text: string, final: boolean): { text: string; closed: boolean } {
    const cut = final ? text.length : text.lastIndexOf('\n') + 1;
    let rest = text;
    if (cut > this.outlined || final) {
      const [list, ...others] = outline(text.slice(0, cut), this.definitions, true);
      if (list?.type !== 'list') return this.close(rest);
      if (list.loose) this.loosen();
      const ended = final || others.some((token) => token.type !== 'space');
      rest = this.settle(list, ended, rest);
      if (ended) return this.close(rest);
      this.outlined = rest.lastIndexOf('\n') + 1;
    }
    this.last = morphChildren(this.root, this.last, this.items(heal(rest)).slice(0, 1));
    return { text: rest, closed: false };
  }

  /** Draws the items that cannot change any more. */
  private settle(list: Tokens.List, ended: boolean, text: string): string {
    const count = ended ? list.items.length : list.items.length - 1;
    if (count <= 0) return text;
    const length = ended
      ? list.raw.length
      : list.items.slice(0, count).reduce((sum, item) => sum + item.raw.length, 0);
    const source = text.slice(0, length);
    const items = this.items(source);
    morphChildren(this.root, this.last, items.slice(0, this.last.length));
    this.root.append(...items.slice(this.last.length));
    this.last = [];
    this.drawn.push(source);
    return text.slice(length);
  }

  private close(rest: string): { text: string; closed: boolean } {
    for (const node of this.last) node.remove();
    this.last = [];
    return { text: rest, closed: true };
  }

  /** A blank line anywhere gives all items paragraphs, those drawn before too. */
  private loosen(): void {
    if (this.loose) return;
    this.loose = true;
    for (const node of this.last) node.remove();
    this.last = [];
    if (this.drawn.length > 0) this.root.replaceChildren(...this.items(this.drawn.join('')));
  }

  private items(source: string): HTMLElement[] {
    const list = lex(source, this.definitions).find((token) => token.type === 'list');
    if (list === undefined) return [];
    return this.renderer.items(this.loose ? loosened(list) : list);
  }
}

/** What marked does to each item of a loose list; the blank line may be in an item that was cut off before. */
function loosened(list: Tokens.List): Tokens.List {
  const items = list.items.map((item) => {
    if (item.loose) return item;
    const tokens = item.tokens.map((token) =>
      token.type === 'text' ? { ...token, type: 'paragraph' } : token,
    );
    return { ...item, loose: true, tokens };
  });
  return { ...list, loose: true, items };
}
