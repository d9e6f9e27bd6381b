import path from 'node:path';

/** What decides how paths compare: a parameter, so that each platform's rules are tested on every one. */
export type Platform = 'posix' | 'darwin' | 'win32';

/** The rules of the machine that we run on. */
export function platformOf(platform: NodeJS.Platform): Platform {
  if (platform === 'win32') return 'win32';
  return platform === 'darwin' ? 'darwin' : 'posix';
}

/**
 * An agent's path as the file layer may take it: absolute, with no `.` or `..` left in it; `null` if it is not a path
 * that names one place (relative, empty, with a NUL, a device or a drive's current folder).
 */
export function normalPath(text: string, platform: Platform): string | null {
  if (text === '' || text.includes('\0')) return null;
  if (platform !== 'win32') {
    return path.posix.isAbsolute(text) ? withoutEnd(path.posix.normalize(text), '/') : null;
  }
  // A drive or a share; `\foo` counts from the current drive, `\\?\` and `\\.\` step past the rules.
  const normal = path.win32.normalize(text);
  if (!/^([A-Za-z]:\\|\\\\[^\\?.][^\\]*\\[^\\]+)/.test(normal)) return null;
  // A colon after the drive names a stream inside a file.
  if (normal.slice(2).includes(':')) return null;
  return withoutEnd(normal, '\\');
}

/**
 * The way from `folder` to `inner`, `''` for the folder itself; `null` if it is not inside. Both as `normalPath` gives
 * them.
 */
export function relativeIn(inner: string, folder: string, platform: Platform): string | null {
  const separator = platform === 'win32' ? '\\' : '/';
  const prefix = folder.endsWith(separator) ? folder : folder + separator;
  const key = comparable(inner, platform);
  if (key === comparable(folder, platform)) return '';
  if (!key.startsWith(comparable(prefix, platform))) return null;
  return inner.slice(prefix.length);
}

/** Windows and macOS do not tell case apart. Folding keeps the length, so that positions stay what they are. */
function comparable(text: string, platform: Platform): string {
  if (platform === 'posix') return text;
  return text.replaceAll(/./gsu, (char) => {
    const lower = char.toLowerCase();
    return lower.length === char.length ? lower : char;
  });
}

function withoutEnd(text: string, separator: string): string {
  const isRoot = text === '/' || /^[A-Za-z]:\\$/.test(text);
  return text.endsWith(separator) && !isRoot ? text.slice(0, -1) : text;
}
