/** A path as people write it: without the quotes, backticks, the @ of a mention, or a full stop behind it. */
export function cleanPath(words: string): string {
  const bare = words
    .trim()
    .replace(/^["'`“”‘’<(]+/, '')
    .replace(/["'`“”‘’>)]+[.,;:?!]*$/, '')
    .replace(/^@(?=[\w./])/, '');
  return bare.replace(/[,;:?!]+$|(?<=[^./])\.+$/, '').trim();
}

/** What looks like a path in a sentence: something quoted, with a slash, or with an ending. */
export function pathIn(sentence: string): string | undefined {
  const quoted = /[`"“']([^`"”'\n]{1,400})[`"”']/.exec(sentence)?.[1];
  if (quoted !== undefined) {
    const path = cleanPath(quoted);
    if (looksLikePath(path) || /\S\.[A-Za-z]\w{0,9}$/.test(path)) return path;
  }
  return sentence
    .split(/\s+/)
    .map(cleanPath)
    .find((word) => looksLikePath(word));
}

/** Without the quotes around it, if it has any. */
export function unquoted(words: string): string {
  const bare = words.trim();
  const quoted = /^(["'`“‘])(.*)(["'`”’])[.?!]?$/s.exec(bare)?.[2];
  return (quoted ?? bare.replace(/[?!.]+$/, '')).trim();
}

function looksLikePath(word: string): boolean {
  if (/^https?:/i.test(word)) return false;
  return (
    /^[^\s]*[\w-]\.[A-Za-z][\w]{0,9}$/.test(word) ||
    /^\.[\w-]{2,}$/.test(word) ||
    /^(?:\.{1,2}|~)?[/\\]\S+$/.test(word) ||
    /^[\w.@-]+(?:[/\\][\w.@ -]+)+$/.test(word) ||
    /^(?:Makefile|Dockerfile|LICEN[CS]E|README|CHANGELOG|CONTRIBUTING|Gemfile|Rakefile|Procfile)$/i.test(
      word,
    )
  );
}

const SMALL_WORDS = new Set(
  'about after again code delete display explain files find help just list read show tell time against because before could does doing from have into make please should some that their them then there these they this what when where which while with would write your'.split(
    ' ',
  ),
);

/** The word of a sentence that is most worth looking up: the longest that is not a small one. Empty if none is. */
export function keyword(sentence: string): string {
  return sentence
    .split(/[^\p{L}\p{N}_$]+/u)
    .filter((part) => part.length > 3 && part.length < 60 && !SMALL_WORDS.has(part.toLowerCase()))
    .reduce((best, part) => (part.length > best.length ? part : best), '');
}
