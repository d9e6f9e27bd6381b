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
  if (quoted !== undefined && looksLikePath(cleanPath(quoted))) return cleanPath(quoted);
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
    /^(?:Makefile|Dockerfile|LICENSE|Gemfile|Rakefile|Procfile)$/i.test(word)
  );
}
