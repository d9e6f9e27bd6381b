/** Text as inline code, whatever backticks and line breaks it holds. */
export function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat === '') return '` `';
  const fence = '`'.repeat(longestRun(flat) + 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${flat}${pad}${fence}`;
}

/** Text as a code block that nothing in it can close. */
export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Inline code inside a table, where a bar would end the cell. */
export function cell(text: string): string {
  return code(text).replaceAll('|', '\\|');
}

/** A file's words stay words: nothing in them becomes a heading, a link or HTML. */
export function quoted(text: string): string {
  return text.replace(/([\\`*_[\]<>#|!])/g, '\\$1');
}

/** Cuts at `max` characters, never inside a surrogate pair, and shows that it did. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isHighSurrogate(text, max - 2) ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

/** "1 file", "3 files". */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? noun : plural}`;
}

/** A size for people, in units of 1024. */
export function bytes(n: number): string {
  if (n < 1024) return count(n, 'byte');
  if (n < 1024 * 1024) return `${(n / 1024).toFixed(1)} KB`;
  return `${(n / 1024 / 1024).toFixed(1)} MB`;
}

/** What the person wrote, fit for a title: one line, no control characters, at most `max` characters. */
export function plain(text: string, max: number): string {
  const flat = text
    .slice(0, max * 8)
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return shorten(flat, max);
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
