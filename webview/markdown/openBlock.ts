import type { MarkedToken } from 'marked';
import type { OpenBlock } from './growing.ts';
import type { Definitions } from './lex.ts';
import type { BlockRenderer } from './nodes.ts';
import { OpenFence } from './openFence.ts';
import { OpenList } from './openList.ts';
import { OpenTable } from './openTable.ts';

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
