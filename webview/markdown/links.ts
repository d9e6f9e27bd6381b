/** Where a link of an agent may lead. Anything else is text. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string }
  /** `line` is 1-based. The host checks that the path is in the workspace. */
  | { readonly kind: 'file'; readonly path: string; readonly line: number | null };

const WEB = /^(?:https?|mailto):/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const DRIVE = /^[a-z]:[\\/]/i;
/** `a.ts:12` is a file and a line, though it reads like a scheme. */
const NAME_AND_LINE = /^[^/\\:?#]+\.[a-z]\w*:\d+(?::\d+)?$/i;
const LINE = /(?::(\d{1,9})(?:[:-]\d{1,9})?|#L(\d{1,9})(?:-L?\d{1,9})?)$/;
/** Something with a folder and an extension, or a name with an extension and a line. */
const CODE_PATH =
  /^(?:(?:[a-z]:[\\/]|\.{0,2}[\\/])?(?:[\w@.+~()[\]-]+[\\/])+[\w@+~()[\]-][\w@.+~()[\]-]*\.[a-z]\w{0,9}|[\w@+~-][\w@.+~-]*\.[a-z]\w{0,9}(?=:\d))(?::\d{1,9}(?:[:-]\d{1,9})?)?$/i;

/** Reads the destination of a Markdown link. `null`: not to be followed (scripts, commands, data, other programs). */
export function linkTarget(href: string): LinkTarget | null {
  const text = href.trim();
  if (hasControls(text)) return null;
  if (WEB.test(text)) return URL.canParse(text) ? { kind: 'web', href: text } : null;
  if (/^file:/i.test(text)) return fileUri(text);
  if (SCHEME.test(text) && !DRIVE.test(text) && !NAME_AND_LINE.test(text)) return null;
  // Another machine's share, or a web address without its scheme.
  if (/^(?:\/\/|\\\\)/.test(text)) return null;
  return filePath(decode(text));
}

/** A code span that names a file, such as `src/a.ts:12`. */
export function codePath(text: string): LinkTarget | null {
  return text.length <= 400 && CODE_PATH.test(text) ? filePath(text) : null;
}

function fileUri(href: string): LinkTarget | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  if (url.host !== '' && url.host !== 'localhost') return null;
  return filePath(decode(url.pathname).replace(/^\/([a-z]:)/i, '$1') + url.hash);
}

function filePath(text: string): LinkTarget | null {
  const match = LINE.exec(text);
  const path = (match === null ? text : text.slice(0, match.index)).replace(/#.*$/, '');
  if (path === '' || hasControls(path)) return null;
  const digits = match?.[1] ?? match?.[2];
  const line = digits === undefined ? null : Number(digits);
  return { kind: 'file', path, line: line === 0 ? null : line };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hasControls(text: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(text);
}
