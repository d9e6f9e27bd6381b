/** Characters of a path that a message shows. */
const SHOWN = 500;

/**
 * A path as a message shows it: bounded, and with nothing in it that changes the order in which letters are seen, so that
 * nobody reads another path than the one that is meant.
 */
export function shown(file: string): string {
  const short = file.length > SHOWN ? `${file.slice(0, SHOWN)}…` : file;
  return short.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
