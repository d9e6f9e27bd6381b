import {
  Lexer,
  Tokenizer,
  type MarkedToken,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';

/** Quotes, lists and emphasis nested deeper than this are shown as the text they are. */
const MAX_DEPTH = 24;

/**
 * Running text longer than this (characters, one paragraph, item or cell) is not searched for emphasis and links: some
 * of marked's rules take quadratic time on text that is made for it.
 */
const MAX_INLINE = 20_000;

/** The same for the marks that those rules look at. */
const MAX_MARKS = 1_200;
const MARKS = /[*_~`[\]<\\&!|]/g;

const KINDS: ReadonlySet<string> = new Set([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
] satisfies MarkedToken['type'][]);

/** Narrows tokens to marked's own kinds; there are no extensions, so nothing is lost. */
export function known(tokens: readonly Token[]): readonly MarkedToken[] {
  return tokens.filter((token): token is MarkedToken => KINDS.has(token.type));
}

/** Link definitions (`[name]: url`), shared by all pieces of one text. */
export class Definitions {
  readonly links = new Map<string, TokensList['links'][string]>();
  /** True when a definition came after text that may have used it had already been drawn. */
  late = false;
}

/** The blocks of a text without their inline contents: enough to see where one ends. Takes note of definitions. */
export function outline(source: string, definitions: Definitions, drawn: boolean): MarkedToken[] {
  const lexer = newLexer(definitions);
  const tokens = guarded(source, () => lexer.blockTokens(source, []));
  for (const [name, link] of Object.entries(lexer.tokens.links)) {
    if (definitions.links.has(name)) continue;
    definitions.links.set(name, link);
    if (drawn) definitions.late = true;
  }
  return [...known(tokens)];
}

/** The blocks of a text with all that is in them. */
export function lex(source: string, definitions: Definitions): readonly MarkedToken[] {
  return known(guarded(source, () => newLexer(definitions).lex(source)));
}

function newLexer(definitions: Definitions): BoundedLexer {
  const lexer = new BoundedLexer({ gfm: true, silent: true, tokenizer: new LiteralTags() });
  for (const [name, link] of definitions.links) lexer.tokens.links[name] = link;
  return lexer;
}

function hasTooManyMarks(text: string): boolean {
  return text.length > MAX_MARKS && (text.match(MARKS)?.length ?? 0) > MAX_MARKS;
}

/** Whatever a text does to the lexer, the person still sees the text. */
function guarded(source: string, run: () => Token[]): Token[] {
  try {
    return run();
  } catch {
    return [paragraph(source)];
  }
}

function paragraph(source: string): Tokens.Paragraph {
  const text: Tokens.Text = { type: 'text', raw: source, text: source };
  return { type: 'paragraph', raw: source, text: source, tokens: [text] };
}

/** Raw HTML is text here, so a tag changes nothing about what follows it. */
class LiteralTags extends Tokenizer {
  override tag(src: string): Tokens.Tag | undefined {
    const { inLink, inRawBlock } = this.lexer.state;
    const token = super.tag(src);
    this.lexer.state.inLink = inLink;
    this.lexer.state.inRawBlock = inRawBlock;
    return token;
  }
}

/** Recursion has a floor: hostile nesting ends as text instead of in an overflowing stack. */
class BoundedLexer extends Lexer {
  private depth = 0;

  override blockTokens(src: string, tokens?: Token[], clipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, clipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], clipped = false): Token[] {
    if (this.depth >= MAX_DEPTH) {
      tokens.push(paragraph(src));
      return tokens;
    }
    return this.deeper(() => super.blockTokens(src, tokens, clipped));
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.depth >= MAX_DEPTH || src.length > MAX_INLINE || hasTooManyMarks(src)) {
      tokens.push({ type: 'text', raw: src, text: src });
      return tokens;
    }
    return this.deeper(() => super.inlineTokens(src, tokens));
  }

  private deeper(run: () => Token[]): Token[] {
    this.depth++;
    try {
      return run();
    } finally {
      this.depth--;
    }
  }
}
