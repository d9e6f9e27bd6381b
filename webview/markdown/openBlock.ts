import type { MarkedToken } from 'marked';
import type { Definitions } from './lex.ts';
import type { BlockRenderer } from './nodes.ts';
import { OpenFence } from './openFence.ts';
import { OpenList } from './openList.ts';
import { OpenTable } from './openTable.ts';

/** A block that grows item by item, so that only its last item is read again. */
export interface OpenBlock {
  readonly root: HTMLElement;
  /** Characters of the block's source that it has drawn when it is made. */
  readonly consumed: number;
  /**
   * Draws what it can of `text`.
   * @returns What it has not drawn for good, and whether the block has ended there.
   */
  take(text: string, final: boolean): { readonly text: string; readonly closed: boolean };
}

/** The growing form of the last block of a text, where it has one. `source` begins with the block. */
export function openBlock(
  token: MarkedToken,
  source: string,
  definitions: Definitions,
  renderer: BlockRenderer,
): OpenBlock | null {
  switch (token.type) {
    case 'code':
      return OpenFence.from(source);
    case 'list':
      return token.items.length > 1 ? new OpenList(token, definitions, renderer) : null;
    case 'table':
      return token.rows.length > 2 ? OpenTable.from(source, definitions, renderer) : null;
    default:
      return null;
  }
}
