import type { Grammar } from './grammars.ts';
import { grammarFor } from './grammars.ts';

/** Something that a file declares. */
export interface Declaration {
  /** In the language's own word: function, class, def, heading. */
  readonly kind: string;
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  readonly exported: boolean;
}

/** What can be said about a file by reading it line by line. */
export interface Outline {
  readonly language: string;
  readonly lines: number;
  readonly blank: number;
  readonly comments: number;
  readonly imports: readonly string[];
  readonly declarations: readonly Declaration[];
  /** The file's own words about itself: its first comment that is not about its licence, or its first paragraph. */
  readonly about: string;
  /** 1-based lines that hold TODO, FIXME, XXX or HACK. */
  readonly todos: readonly number[];
}

/** Longer lines are looked at only this far: patterns must not be slow on what machines have written. */
const MAX_COLUMNS = 400;
const MAX_ABOUT = 400;
const TODO = /\b(?:TODO|FIXME|XXX|HACK)\b/;
const LICENCE = /copyright|licen[sc]e|spdx|all rights reserved/i;
const NOT_METHODS = new Set(
  'if for while switch catch return function constructor super await'.split(' '),
);

/** Reads a file's outline. Pure: the name tells the language, nothing else is looked at. */
export function outline(name: string, text: string): Outline {
  const grammar = grammarFor(name);
  const lines = splitLines(text);
  const reader = new CommentReader(grammar);
  const imports = new Set<string>();
  const declarations: Declaration[] = [];
  const todos: number[] = [];
  let blank = 0;
  let inClass = false;
  lines.forEach((full, at) => {
    const line = full.slice(0, MAX_COLUMNS);
    if (TODO.test(line)) todos.push(at + 1);
    if (line.trim() === '') blank += 1;
    if (reader.read(line)) return;
    const source = importedFrom(grammar, line);
    if (source !== undefined) imports.add(source);
    const found = declarationIn(grammar, line, at + 1);
    if (!found) return;
    if (found.kind === 'method' && (!inClass || NOT_METHODS.has(found.name))) return;
    if (found.kind !== 'method')
      inClass = /class|impl|interface|struct|trait|object/.test(found.kind);
    declarations.push(found);
  });
  return {
    language: grammar.language,
    lines: lines.length,
    blank,
    comments: reader.lines,
    imports: [...imports],
    declarations,
    about: grammar.language === 'Markdown' ? firstParagraph(lines) : reader.first,
    todos,
  };
}

/** The lines of a text; a newline at its end begins no further one. */
export function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function importedFrom(grammar: Grammar, line: string): string | undefined {
  for (const pattern of grammar.imports ?? []) {
    const source = pattern.exec(line)?.groups?.['source'];
    if (source !== undefined) return source.trim();
  }
  return undefined;
}

function declarationIn(grammar: Grammar, line: string, at: number): Declaration | undefined {
  for (const [fixed, pattern] of grammar.declarations ?? []) {
    const groups = pattern.exec(line)?.groups;
    const name = groups?.['name'];
    if (!groups || name === undefined) continue;
    const kind = fixed ?? groups['kind'] ?? 'declaration';
    return { kind, name: name.trim(), line: at, exported: groups['exported'] !== undefined };
  }
  return undefined;
}

function firstParagraph(lines: readonly string[]): string {
  const start = lines.findIndex(
    (line) => /^[\p{L}\p{N}*_`"'[(]/u.test(line) && !line.startsWith('[!['),
  );
  if (start === -1) return '';
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => line.trim() === '');
  return rest
    .slice(0, end === -1 ? undefined : end)
    .join(' ')
    .slice(0, MAX_ABOUT);
}

/** Follows comments from line to line: counts them, and keeps the first that is worth quoting. */
class CommentReader {
  lines = 0;
  first = '';
  private block = false;
  private words: string[] = [];
  private done = false;

  constructor(private readonly grammar: Grammar) {}

  /** Whether the line is nothing but comment. */
  read(line: string): boolean {
    const bare = line.trim();
    const comment = this.block || this.opens(bare);
    if (comment) {
      this.lines += 1;
      this.keep(bare);
    } else if (this.words.length > 0) {
      this.finish();
    }
    return comment;
  }

  private opens(bare: string): boolean {
    const { lineComment, blockComment } = this.grammar;
    if (lineComment !== undefined && bare.startsWith(lineComment)) return !bare.startsWith('#!');
    if (blockComment === undefined || !bare.startsWith(blockComment[0])) return false;
    const [open, close] = blockComment;
    this.block = !bare.slice(open.length).includes(close);
    return true;
  }

  private keep(bare: string): void {
    const close = this.grammar.blockComment?.[1];
    const ends = this.block && close !== undefined && !this.isOpening(bare) && bare.includes(close);
    if (ends) this.block = false;
    if (this.done) return;
    const text = bare.replace(/^(?:\/\*+!?|\*+\/?|\/\/+!?|#+|--+|<!--+|"""|;+)\s?/, '');
    this.words.push(text.replace(/\s*(?:\*+\/|-->|""")$/, ''));
    if (ends || (!this.block && this.grammar.blockComment && this.isOpening(bare))) this.finish();
  }

  private isOpening(bare: string): boolean {
    const open = this.grammar.blockComment?.[0];
    if (open === undefined || !bare.startsWith(open)) return false;
    return this.words.length === 0 || open !== this.grammar.blockComment?.[1];
  }

  private finish(): void {
    const text = this.words.join(' ').replace(/\s+/g, ' ').trim();
    this.words = [];
    if (text === '' || LICENCE.test(text) || this.done) return;
    this.first = text.slice(0, MAX_ABOUT);
    this.done = true;
  }
}
