import path from 'node:path';
import { grammarFor } from './grammars.ts';

/** A small change to a text: the new text and the line, 1-based, where it differs. */
export interface SmallChange {
  readonly text: string;
  readonly line: number;
  readonly summary: string;
}

const MARK = 'Edited by the Parley reference agent';

/** How a comment is written in files that have no grammar of their own, or where it is written otherwise. */
const COMMENTS: readonly (readonly [endings: string, before: string, after: string])[] = [
  ['.jsonc .proto .zig', '//', ''],
  ['.pl .r .jl .ex .exs .tf .cmake .mk .nix .gitignore .dockerignore .editorconfig .env', '#', ''],
  ['dockerfile makefile', '#', ''],
  ['.lua .hs .elm .ada', '--', ''],
  ['.xml .svg', '<!--', '-->'],
  ['.ini .lisp .clj .el .asm', ';', ''],
  ['.tex .erl .m', '%', ''],
];

/**
 * A change that is easy to see and harmless: a comment line that counts how often the file was edited. Files that
 * know no comments get what fits them: JSON another indentation, plain text a last line. The line endings, a
 * byte-order mark and a `#!` line stay as they are. Undefined where no change is sure to be harmless.
 */
export function smallChange(name: string, text: string): SmallChange | undefined {
  const comment = commentFor(name);
  if (comment) return markWith(text, comment);
  if (path.extname(name).toLowerCase() !== '.json') return lastLine(text);
  // JSON with comments, as many tools read it.
  return /^\s*\/[/*]/m.test(text) ? markWith(text, (words) => `// ${words}`) : reindent(text);
}

/**
 * Every whole word `from` replaced by `to`, and where the first one was. A word behind a slash in quotes stays: it is
 * part of a path, and files keep their names. Undefined when there is none.
 */
export function renameWord(
  text: string,
  from: string,
  to: string,
): (SmallChange & { readonly times: number }) | undefined {
  const word = new RegExp(`(?<!["'\`][\\w./@-]{0,200}/)${wholeWord(from).source}`, 'gu');
  const first = text.search(word);
  if (first === -1 || from === to) return undefined;
  let times = 0;
  const renamed = text.replace(word, () => {
    times += 1;
    return to;
  });
  const line = text.slice(0, first).split('\n').length;
  return { text: renamed, line, times, summary: '' };
}

/** Finds a word where no letter, digit, `_` or `$` touches it. The word is taken literally. */
export function wholeWord(word: string): RegExp {
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${literal}(?![\\p{L}\\p{N}_$])`, 'gu');
}

/** How a comment line is written in a file of this name; undefined where none is known. */
export function commentFor(name: string): ((words: string) => string) | undefined {
  const base = path.basename(name).toLowerCase();
  const ending = path.extname(base) || base;
  const row = COMMENTS.find(([endings]) => endings.split(' ').includes(ending));
  const { lineComment = '', blockComment = [lineComment, ''] } = grammarFor(name);
  const [before, after] = row?.slice(1) ?? (lineComment === '' ? blockComment : [lineComment, '']);
  if (!before) return undefined;
  return (words) => `${before} ${words} ${after}`.trimEnd();
}

function markWith(text: string, comment: (words: string) => string): SmallChange {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(eol);
  const marked = lines.findIndex((line) => line.includes(MARK));
  if (marked !== -1) {
    const times = Number(/\((\d{1,9}) times\)/.exec(lines[marked] ?? '')?.[1] ?? 1) + 1;
    lines[marked] = comment(`${MARK} (${times} times)`);
    return {
      text: lines.join(eol),
      line: marked + 1,
      summary: 'The comment counts one edit more.',
    };
  }
  const bom = lines[0]?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  const start = /^(\uFEFF?#!|<\?|<!doctype)/i.test(lines[0] ?? '') ? 1 : 0;
  if (start === 0 && bom !== '') lines[0] = (lines[0] ?? '').slice(1);
  lines.splice(start, 0, `${start === 0 ? bom : ''}${comment(MARK)}`);
  return { text: lines.join(eol), line: start + 1, summary: 'It has one comment line more.' };
}

/** JSON knows no comments: the same value, indented by four instead of two, or by two instead of anything else. */
function reindent(text: string): SmallChange | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // What JavaScript reads differently (a long number, a key twice) must not be lost on the way.
  const bare = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  if (bare !== JSON.stringify(value)) return undefined;
  const end = text.endsWith('\n') ? '\n' : '';
  const two = `${JSON.stringify(value, null, 2)}${end}`;
  const four = `${JSON.stringify(value, null, 4)}${end}`;
  const [next, by] = text === two ? [four, 4] : [two, 2];
  return next === text
    ? undefined
    : { text: next, line: 1, summary: `It is indented by ${by} spaces; its value is the same.` };
}

function lastLine(text: string): SmallChange {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
  const line = start.split('\n').length;
  return { text: `${start}${MARK}.${eol}`, line, summary: 'It has one line more at its end.' };
}
