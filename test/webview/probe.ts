import { heal } from '../../webview/markdown/heal.ts';
import { Definitions, lex } from '../../webview/markdown/lex.ts';
import { BlockRenderer } from '../../webview/markdown/nodes.ts';
import { MarkdownStream } from '../../webview/markdown/stream.ts';

/** The Markdown parts of the page, to be driven from a test without the page around them. */
export interface Probe {
  /** The DOM of a text that came in pieces, as HTML. */
  streamed(pieces: readonly string[]): string;
  /** The DOM of the whole text, drawn at once by nothing but the lexer and the renderer. */
  whole(text: string): string;
  /** What is on screen after each piece, as text. */
  seen(pieces: readonly string[]): string[];
  heal(source: string): string;
  /** Milliseconds that each piece took. */
  costs(pieces: readonly string[]): number[];
}

/** Parts are only there for the layout; runs of text may be split over text nodes. */
function flat(root: HTMLElement): string {
  for (const part of root.querySelectorAll('.part')) part.replaceWith(...part.childNodes);
  root.normalize();
  return root.innerHTML;
}

const probe: Probe = {
  streamed: (pieces) => {
    const root = document.createElement('div');
    const stream = new MarkdownStream(root);
    for (const piece of pieces) stream.append(piece);
    stream.end();
    return flat(root);
  },
  whole: (text) => {
    const root = document.createElement('div');
    const source = text.replace(/\r\n?/g, '\n');
    const definitions = new Definitions();
    // Definitions may come after their use: the first pass finds them.
    root.append(...new BlockRenderer().blocks(lex(source, definitions)));
    return flat(root);
  },
  seen: (pieces) => {
    const root = document.createElement('div');
    const stream = new MarkdownStream(root);
    return pieces.map((piece) => {
      stream.append(piece);
      return root.textContent;
    });
  },
  heal,
  costs: (pieces) => {
    const root = document.createElement('div');
    document.body.append(root);
    const stream = new MarkdownStream(root);
    return pieces.map((piece) => {
      const start = performance.now();
      stream.append(piece);
      return performance.now() - start;
    });
  },
};

Object.assign(window, { probe });
