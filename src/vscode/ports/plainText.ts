import { UNSEEN } from '../../thread/unseen.ts';

/**
 * Words that an agent chose, made safe for VS Code's own widgets: in some places `$(name)` draws an icon and
 * `[text](command:...)` a link, and control or direction characters can make a label read as another one.
 */

/** VS Code's own idea of an icon in a label: anything else that begins with `$(` stays text. */
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

/** One line in which every character can be seen. For places that show text as it is: titles, placeholders. */
export function escapeLine(text: string): string {
  return text.replace(UNSEEN, visible);
}

/** As `escapeLine`, for labels, descriptions and details of quick picks, where `$(name)` would draw an icon. */
export function escapeLabel(text: string): string {
  return escapeLine(text).replace(ICON, '\\$&');
}

/** As `escapeLine`, for notifications, where `[text](target)` would become a link, even one that runs a command. */
export function escapeNotice(text: string): string {
  return escapeLine(text).replaceAll('](', '] (');
}

/** Several lines, line ends kept, in which every other character can be seen. For documents. */
export function escapeLines(text: string): string {
  return splitLines(text).map(escapeLine).join('\n');
}

/** The lines of a text, without their ends. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** At most `length` characters, the last of which is then an ellipsis. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\t') return ' ';
  if (character === '\n') return '↵';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `\\u{${code.toString(16)}}`;
}
