import { Definitions, lex, outline } from './lex.ts';
import { morphChildren } from './dom.ts';
import { heal } from './heal.ts';
import { BlockRenderer, START } from './nodes.ts';
import type { OpenBlock } from './growing.ts';
import { openBlock } from './openBlock.ts';

/** Characters per part. A part that is full may be skipped by the browser while it is out of view. */
const PART = 3_000;

/**
 * Markdown that grows at its end, drawn so that a piece more costs what the open block costs, however long the text is.
 * Block borders are decided on complete lines; blocks that ended are drawn once and never touched again.
 */
export class MarkdownStream {
  private readonly renderer = new BlockRenderer();
  private readonly definitions = new Definitions();
  /** All text so far, with `\n` as the only line end. */
  private text = '';
  /** What is not drawn for good yet: from the start of the open block. */
  private tail = '';
  private half = '';
  /** The tail's length when block borders were last looked for. */
  private outlined = 0;
  private open: OpenBlock | null = null;
  /** Where in the text the open block begins. */
  private openedAt = 0;
  private live: readonly ChildNode[] = [];
  private part: HTMLElement | null = null;
  private partSize = 0;

  constructor(private readonly root: HTMLElement) {}

  /** Takes in more text and draws it. */
  append(text: string): void {
    this.takeIn(text);
    this.draw(false);
  }

  /** Draws the rest for good, and everything again if a link was defined after its use. */
  end(): void {
    if (this.half !== '') this.takeIn('\n');
    this.draw(true);
    if (!this.definitions.late) return;
    this.clear();
    this.definitions.late = false;
    this.tail = this.text;
    this.draw(true);
  }

  /** A carriage return at the end waits: the line feed of the pair may be in the next piece. */
  private takeIn(text: string): void {
    const whole = this.half + text;
    this.half = whole.endsWith('\r') ? '\r' : '';
    const taken = this.half === '' ? whole : whole.slice(0, -1);
    const lines = taken.includes('\r') ? taken.replace(/\r\n?/g, '\n') : taken;
    this.text += lines;
    this.tail += lines;
  }

  private clear(): void {
    this.root.replaceChildren();
    this.live = [];
    this.part = null;
    this.partSize = 0;
    this.outlined = 0;
    this.open = null;
    this.renderer.outline = START;
  }

  private draw(final: boolean): void {
    for (;;) {
      if (this.open !== null) {
        const rest = this.open.take(this.tail, final);
        this.tail = rest.text;
        if (!rest.closed) return;
        this.leaveOpenBlock();
      } else if (!this.drawBlocks(final)) return;
    }
  }

  /** @returns True when an open block took over and wants the rest. */
  private drawBlocks(final: boolean): boolean {
    const cut = final ? this.tail.length : this.tail.lastIndexOf('\n') + 1;
    if (cut > this.outlined || final) {
      const tokens = outline(this.tail.slice(0, cut), this.definitions, this.drawnLength > 0);
      const last = final ? tokens.length : lastBlock(tokens);
      const settled = tokens.slice(0, last).reduce((length, token) => length + token.raw.length, 0);
      if (final) {
        this.commit(this.tail);
        this.tail = '';
        this.outlined = 0;
        return false;
      }
      this.commit(this.tail.slice(0, settled));
      this.tail = this.tail.slice(settled);
      this.outlined = cut - settled;
      const token = tokens[last];
      this.open =
        token === undefined ? null : openBlock(token, this.tail, this.definitions, this.renderer);
      if (this.open !== null) {
        this.tail = this.tail.slice(this.open.consumed);
        this.adopt(this.open.root);
        return true;
      }
    }
    this.drawLive();
    return false;
  }

  private commit(source: string): void {
    if (source === '') return;
    for (const token of lex(source, this.definitions)) {
      this.put(this.renderer.blocks([token]), token.raw.length);
    }
  }

  private adopt(root: HTMLElement): void {
    for (const node of this.live) node.remove();
    this.live = [];
    this.roomFor().append(root);
    this.openedAt = this.drawnLength;
  }

  private leaveOpenBlock(): void {
    this.open = null;
    this.outlined = 0;
    this.partSize += this.drawnLength - this.openedAt;
  }

  private get drawnLength(): number {
    return this.text.length - this.tail.length;
  }

  /** Draws what may still change, changing as little as possible. */
  private drawLive(): void {
    const { outline: before } = this.renderer;
    const nodes =
      this.tail === '' ? [] : this.renderer.blocks(lex(heal(this.tail), this.definitions));
    this.renderer.outline = before;
    this.live = morphChildren(this.roomFor(), this.live, nodes);
  }

  private put(nodes: readonly ChildNode[], size: number): void {
    // The first of the live nodes are mostly what is now drawn for good: they stay.
    const kept = this.live.slice(0, nodes.length);
    for (const node of this.live.slice(nodes.length)) node.remove();
    const part = this.roomFor();
    if (kept.length > 0) morphChildren(part, kept, nodes.slice(0, kept.length));
    part.append(...nodes.slice(kept.length));
    this.live = [];
    this.partSize += size;
  }

  /** The part that takes the next nodes. */
  private roomFor(): HTMLElement {
    if (this.part !== null && (this.partSize <= PART || this.live.length > 0)) return this.part;
    this.part?.classList.add('settled');
    this.part = document.createElement('div');
    this.part.className = 'part';
    this.partSize = 0;
    this.root.append(this.part);
    return this.part;
  }
}

function lastBlock(tokens: readonly { readonly type: string }[]): number {
  let last = tokens.length - 1;
  while (last > 0 && tokens[last]?.type === 'space') last--;
  return Math.max(last, 0);
}
