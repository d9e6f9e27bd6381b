import { UNSEEN } from '../../src/bridge/words.ts';

/** Text in which nothing is hidden: what cannot be seen is written as its code. For what a person decides on. */
export function reveal(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSEEN, (character) => {
    if (character === '\n' || character === '\t') return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** One line: line ends become blanks. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}

/** What a line of the page shows of a text: no screen is that wide, and an agent may send megabytes. */
const LINE_LIMIT = 2_000;

/** The beginning of a text that is to stand on one line. The whole of it must be elsewhere, if it matters. */
export function beginning(text: string): string {
  return text.length <= LINE_LIMIT ? text : `${text.slice(0, LINE_LIMIT)}…`;
}

/** The end of a path: enough to recognise it. The whole path belongs into a tooltip. */
export function shortPath(path: string): string {
  if (!/^(?:[a-z]:)?[\\/]/i.test(path)) return path;
  return path
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .slice(-2)
    .join('/');
}
