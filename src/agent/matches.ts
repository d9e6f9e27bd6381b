import { wholeWord } from './change.ts';

/** A line that holds what was looked for. */
export interface Match {
  /** 1-based. */
  readonly line: number;
  /** The line, without the space around it, cut to what can be shown. */
  readonly text: string;
  /** The line seems to declare it. */
  readonly declares: boolean;
}

const MAX_SHOWN = 160;
const DECLARES =
  /\b(?:function|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|namespace|module|record|object|table)\s+$/i;

/**
 * The lines of a text that hold the words, however they are capitalised; at most `most` of them. The words are taken
 * literally.
 */
export function matchesIn(text: string, words: string, most: number): readonly Match[] {
  const wanted = words.toLowerCase();
  const found: Match[] = [];
  if (wanted === '' || !text.toLowerCase().includes(wanted)) return found;
  let number = 0;
  for (const line of text.split(/\r\n|\n|\r/)) {
    number += 1;
    const at = line.toLowerCase().indexOf(wanted);
    if (at === -1) continue;
    found.push({
      line: number,
      text: window(line, at, words.length),
      declares: declares(line, at, words),
    });
    if (found.length === most) break;
  }
  return found;
}

/** The lines that hold a whole word, capitals and all. @param declared 1-based lines that declare it. */
export function wordsIn(
  text: string,
  word: string,
  most: number,
  declared: readonly number[],
): readonly Match[] {
  const found: Match[] = [];
  if (!text.includes(word)) return found;
  const pattern = wholeWord(word);
  text.split(/\r\n|\n|\r/).forEach((line, index) => {
    if (found.length === most) return;
    const at = line.search(pattern);
    if (at === -1) return;
    const declares = declared.includes(index + 1);
    found.push({ line: index + 1, text: window(line, at, word.length), declares });
  });
  return found;
}

/** Lines with a mark that something is still to do; such marks are written in capitals. */
export function todosIn(text: string, most: number): readonly Match[] {
  const found: Match[] = [];
  let number = 0;
  for (const line of text.split(/\r\n|\n|\r/)) {
    number += 1;
    const mark = /\b(?:TODO|FIXME|XXX|HACK)\b/.exec(line);
    if (!mark) continue;
    const { index } = mark;
    found.push({
      line: number,
      text: line.slice(index, index + MAX_SHOWN).trim(),
      declares: false,
    });
    if (found.length === most) break;
  }
  return found;
}

function declares(line: string, at: number, words: string): boolean {
  const next = line[at + words.length] ?? ' ';
  return (
    /^[\w$]+$/.test(words) &&
    !/[\w$]/.test(next) &&
    DECLARES.test(line.slice(Math.max(0, at - 40), at))
  );
}

/** The part of a line around the find, so that it is seen in a long line too. */
function window(line: string, at: number, length: number): string {
  if (line.length <= MAX_SHOWN) return line.trim();
  const start = Math.max(0, Math.min(at - 40, line.length - MAX_SHOWN));
  const end = Math.max(start + MAX_SHOWN, Math.min(at + length, start + 2 * MAX_SHOWN));
  return `${start > 0 ? '…' : ''}${line.slice(start, end).trim()}${end < line.length ? '…' : ''}`;
}
