import type { MarkedToken, Token, Tokens } from 'marked';
import { S } from '../strings.ts';
import { codeBlock } from './codeBlock.ts';
import { element, icon } from './dom.ts';
import { decodeEntities } from './entities.ts';
import { known } from './lex.ts';
import { codePath, linkTarget, type LinkTarget } from './links.ts';

/** The level of the heading above an answer: each turn has a hidden one. */
const TURN_HEADING = 2;
const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]/i;

/** What one block's look depends on from the blocks before it. */
export interface Outline {
  /** Level of the last heading, so that none is skipped for a screen reader. */
  readonly heading: number;
}

export const START: Outline = { heading: TURN_HEADING };

/** Draws blocks. `outline` is kept up to date, so that blocks drawn later continue where these end. */
export class BlockRenderer {
  outline: Outline = START;

  blocks(tokens: readonly Token[]): ChildNode[] {
    return known(tokens).flatMap((token) => this.block(token));
  }

  items(list: Tokens.List): HTMLElement[] {
    return list.items.map((item) => this.item(item));
  }

  rows(table: Tokens.Table): HTMLElement[] {
    return table.rows.map((row) =>
      element(
        'tr',
        {},
        row.map((cell) => element('td', align(cell), inline(cell.tokens))),
      ),
    );
  }

  private block(token: MarkedToken): ChildNode[] {
    switch (token.type) {
      case 'space':
      case 'def':
        return [];
      case 'paragraph':
        return [element('p', { dir: 'auto' }, inline(token.tokens))];
      case 'heading':
        return [this.heading(token)];
      case 'code':
        return [codeBlock(token.lang ?? '', token.text)];
      case 'blockquote':
        return [element('blockquote', {}, this.blocks(token.tokens))];
      case 'list':
        return [this.list(token)];
      case 'table':
        return [this.table(token)];
      case 'hr':
        return [element('hr')];
      case 'html':
        return [element('p', { class: 'raw', dir: 'auto' }, [token.raw.trimEnd()])];
      default:
        return inlineNode(token);
    }
  }

  private heading(token: Tokens.Heading): HTMLElement {
    const level = Math.min(token.depth + TURN_HEADING, this.outline.heading + 1, 6);
    this.outline = { heading: level };
    const name = HEADINGS[level - TURN_HEADING - 1] ?? 'h6';
    return element(
      name,
      { class: `h${Math.min(token.depth, 4)}`, dir: 'auto' },
      inline(token.tokens),
    );
  }

  private list(token: Tokens.List): HTMLElement {
    return element(token.ordered ? 'ol' : 'ul', startOf(token), this.items(token));
  }

  private item(item: Tokens.ListItem): HTMLElement {
    const content = known(item.tokens).filter((token) => token.type !== 'checkbox');
    const blocks = this.blocks(content);
    trimEnd(blocks.at(-1));
    if (!item.task) return element('li', { dir: 'auto' }, blocks);
    const box =
      item.checked === true ? icon('pass-filled', S.taskDone) : icon('circle-large', S.taskOpen);
    const body = element('div', { class: 'grow' }, blocks);
    return element('li', { class: 'task', dir: 'auto' }, [box, body]);
  }

  private table(token: Tokens.Table): HTMLElement {
    const head = token.header.map((cell) => element('th', align(cell), inline(cell.tokens)));
    return element('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': S.table }, [
      element('table', {}, [
        element('thead', {}, [element('tr', {}, head)]),
        element('tbody', {}, this.rows(token)),
      ]),
    ]);
  }
}

const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;

/** Blanks at the end of an item are kept or not depending on what follows it: they never count. */
function trimEnd(node: ChildNode | undefined): void {
  if (node instanceof Text) node.data = node.data.trimEnd();
}

/** The attributes of a list that does not count from 1. */
export function startOf(list: Tokens.List): Record<string, string> {
  return list.ordered && list.start !== '' && list.start !== 1 ? { start: String(list.start) } : {};
}

function align(cell: Tokens.TableCell): Record<string, string> {
  const side = cell.align === 'right' ? 'num' : cell.align === 'center' ? 'center' : '';
  return side === '' ? { dir: 'auto' } : { dir: 'auto', class: side };
}

function inline(tokens: readonly Token[]): ChildNode[] {
  return known(tokens).flatMap(inlineNode);
}

function inlineNode(token: MarkedToken): ChildNode[] {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? text(decodeEntities(token.text)) : inline(token.tokens);
    case 'escape':
      return text(token.text);
    case 'strong':
      return [element('strong', {}, inline(token.tokens))];
    case 'em':
      return [element('em', {}, inline(token.tokens))];
    case 'del':
      return [element('s', {}, inline(token.tokens))];
    case 'codespan':
      return [codeSpan(token.text)];
    case 'br':
      return [element('br')];
    case 'checkbox':
      return [];
    case 'link':
      return link(token.autolink === true ? token.href : decodeEntities(token.href), token);
    case 'image':
      return image(token);
    default:
      // Raw HTML, and whatever a newer lexer may bring, is text.
      return text(token.raw);
  }
}

function text(value: string): ChildNode[] {
  return value === '' ? [] : [document.createTextNode(value)];
}

function codeSpan(value: string): HTMLElement {
  const code = element('code', {}, [value]);
  const target = codePath(value);
  return target === null ? code : anchor(target, [code]);
}

/** A link that must not be followed is shown as its text. */
function link(href: string, token: Tokens.Link): ChildNode[] {
  const content = inline(token.tokens);
  const target = linkTarget(href);
  return target === null ? content : [anchor(target, content)];
}

/** Pictures inside the text only where the bytes are in it: nothing is fetched. */
function image(token: Tokens.Image): ChildNode[] {
  const alt = decodeEntities(token.text);
  if (IMAGE.test(token.href)) return [element('img', { src: token.href, alt, class: 'inline' })];
  const target = linkTarget(decodeEntities(token.href));
  return target === null ? text(alt) : [anchor(target, [alt === '' ? token.href : alt])];
}

/** Links are followed by `followLink`, never by the browser. */
function anchor(target: LinkTarget, content: readonly (Node | string)[]): HTMLElement {
  if (target.kind === 'web') {
    return element('a', { href: target.href, title: target.href }, content);
  }
  const place = target.line === null ? target.path : `${target.path}:${target.line}`;
  const line: Record<string, string> =
    target.line === null ? {} : { 'data-line': String(target.line) };
  return element('a', { href: '#', title: place, 'data-path': target.path, ...line }, content);
}
