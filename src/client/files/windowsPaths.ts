/** A path that names one place, or a sentence that tells a model why the text does not. */
export type PathReading =
  | { readonly path: string; readonly problem: null }
  | { readonly path: null; readonly problem: string };

/** Names that Windows takes for a device in every folder, also with an extension or blanks behind them. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:[.:]|$)/i;

/** Characters that no file name has. */
const FORBIDDEN = /[<>"|?*]/;

/** What a share of these names gives are pipes and mail slots, not files. */
const NOT_FILES = new Set(['pipe', 'mailslot', 'ipc$']);

interface Split {
  /** `C:` or `\\server\share`. */
  readonly root: string;
  readonly rest: string;
}

/**
 * Windows' part of `readPath`. Own code and not Node's: Windows takes dots and blanks from the end of names, Node does
 * not, and with the prefix that Node puts before long paths neither does Windows. Such names are refused.
 */
export function readWindowsPath(text: string): PathReading {
  const split = splitRoot(text);
  if (typeof split === 'string') return { path: null, problem: split };
  const names: string[] = [];
  for (const name of split.rest.split(/[\\/]+/)) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      names.pop();
      continue;
    }
    const problem = nameProblem(name);
    if (problem !== null) return { path: null, problem };
    names.push(name);
  }
  const isDrive = split.root.endsWith(':');
  const path = names.length === 0 && !isDrive ? split.root : `${split.root}\\${names.join('\\')}`;
  return { path, problem: null };
}

/** The root and what follows it, or why there is none. */
function splitRoot(text: string): Split | string {
  const prefix = /^[\\/]{2}([?.])[\\/]/.exec(text);
  if (prefix === null) return splitPlain(text);
  const rest = text.slice(prefix[0].length);
  if (prefix[1] === '?') {
    const plain = rest.replace(/^UNC[\\/]+/i, '\\\\');
    if (/^[A-Za-z]:[\\/]/.test(rest) || plain !== rest) return splitPlain(plain);
  }
  return 'The path names a device, not a file';
}

function splitPlain(text: string): Split | string {
  const [, drive, onDrive] = /^([A-Za-z]:)[\\/](.*)$/s.exec(text) ?? [];
  if (drive !== undefined) return { root: drive, rest: onDrive ?? '' };
  const [, server, share, onShare] =
    /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(?:[\\/](.*))?$/s.exec(text) ?? [];
  if (server === undefined || share === undefined) {
    return 'The path must be absolute, with a drive or a share';
  }
  if (/^[.?]+$/.test(server) || nameProblem(server) !== null || nameProblem(share) !== null) {
    return 'The path names no share of files';
  }
  if (NOT_FILES.has(share.toLowerCase())) return 'The path names a pipe, not a file';
  return { root: `\\\\${server}\\${share}`, rest: onShare ?? '' };
}

function nameProblem(name: string): string | null {
  if (name.includes(':')) return 'The path names a stream inside a file';
  if (FORBIDDEN.test(name)) return 'The path has characters that Windows does not allow in names';
  if (/[. ]$/.test(name)) return 'A name in the path ends with a dot or a blank';
  if (DEVICE.test(name)) return 'The path names a device, not a file';
  return null;
}
