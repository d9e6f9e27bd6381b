import path from 'node:path';
import { readWindowsPath, type PathReading } from './windowsPaths.ts';

/** What decides how paths compare: a parameter, so that each platform's rules are tested on every one. */
export type Platform = 'posix' | 'darwin' | 'win32';

/** The rules of the machine that we run on. */
export function platformOf(platform: NodeJS.Platform): Platform {
  if (platform === 'win32') return 'win32';
  return platform === 'darwin' ? 'darwin' : 'posix';
}

/** Longer than any system takes: UTF-16 units on Windows, bytes elsewhere. */
const LONGEST = { units: 32_767, bytes: 4_096 };

/** Files by number, ways of looking paths up, and parts of files: a second name for what has one. */
const NO_FILES_ON_MAC = /^\/\.(?:vol|file|nofollow|resolve)(?:\/|$)|\/\.\.namedfork(?:\/|$)/i;

const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Surrogate}/u;
const URI = /^(?:file:|[a-z][a-z0-9+.-]+:\/\/)/i;

/**
 * An agent's path as the file layer may take it: absolute, with no `.`, `..` or end separator left in it. Nothing is
 * guessed or expanded, and what names a device, a stream, or two places at once is none. On Windows `\\?\` before a drive
 * or a share is taken away: what it names has a plain name, too.
 */
export function readPath(text: string, platform: Platform): PathReading {
  const problem = textProblem(text, platform);
  if (problem !== null) return { path: null, problem };
  if (platform === 'win32') return readWindowsPath(text);
  if (!text.startsWith('/')) return { path: null, problem: 'The path must be absolute' };
  const normal = path.posix.normalize(text);
  const whole = normal === '/' || !normal.endsWith('/') ? normal : normal.slice(0, -1);
  if (platform === 'darwin' && NO_FILES_ON_MAC.test(whole)) {
    return { path: null, problem: 'The path names a part of the file system that is not a file' };
  }
  return { path: whole, problem: null };
}

/** As `readPath`; `null` if the text is no such path. */
export function normalPath(text: string, platform: Platform): string | null {
  return readPath(text, platform).path;
}

function textProblem(text: string, platform: Platform): string | null {
  if (text === '') return 'The path is empty';
  const isTooLong =
    text.length > LONGEST.units ||
    (platform !== 'win32' && Buffer.byteLength(text) > LONGEST.bytes - 1);
  if (isTooLong) return 'The path is too long';
  if (CONTROL.test(text)) return 'The path has control characters in it';
  // Node would write U+FFFD instead: two names for one file.
  if (LONE_SURROGATE.test(text)) return 'The path is not well-formed Unicode';
  if (text.startsWith('~')) return 'The path must be absolute; ~ is not expanded';
  if (URI.test(text)) return 'This is a URI; give an absolute path instead';
  return null;
}

/**
 * The parts of a path as `readPath` gives it: names, and before them on Windows the drive (`C:`) or the share
 * (`\\server\share`).
 */
export function segmentsOf(file: string, platform: Platform): readonly string[] {
  if (platform !== 'win32') return file === '/' ? [] : file.slice(1).split('/');
  const share = /^\\\\[^\\]+\\[^\\]+/.exec(file)?.[0];
  if (share === undefined) return file.split('\\').filter((part) => part !== '');
  return [share, ...file.slice(share.length + 1).split('\\')].filter((part) => part !== '');
}

/** The folder that a file or folder is in; the root of a file system is its own. */
export function parentOf(file: string, platform: Platform): string {
  return pathsOf(platform).dirname(file);
}

/** The name of a file or folder; `''` for the root of a file system. */
export function nameOf(file: string, platform: Platform): string {
  return pathsOf(platform).basename(file);
}

/** The path of what lies in `folder` at `rest`, which `relativeIn` gave. */
export function pathIn(folder: string, rest: string, platform: Platform): string {
  return rest === '' ? folder : pathsOf(platform).join(folder, rest);
}

function pathsOf(platform: Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/**
 * The way from `folder` to `inner`, `''` for the folder itself; `null` if it is not inside. Both as `readPath` gives them;
 * compared name by name, so that `/w-evil` is not in `/w`.
 */
export function relativeIn(inner: string, folder: string, platform: Platform): string | null {
  const names = segmentsOf(inner, platform);
  const outer = segmentsOf(folder, platform);
  if (outer.length > names.length) return null;
  for (const [at, name] of outer.entries()) {
    if (!isSameName(names[at] ?? '', name, platform)) return null;
  }
  return names.slice(outer.length).join(platform === 'win32' ? '\\' : '/');
}

/** Whether one path begins with the other as it is spelled, where the platform would take other spellings, too. */
export function beginsWith(inner: string, folder: string, platform: Platform): boolean {
  const names = segmentsOf(inner, platform);
  return segmentsOf(folder, platform).every((name, at) => names[at] === name);
}

/** Whether the file system takes two names for one. */
function isSameName(one: string, other: string, platform: Platform): boolean {
  return one === other || foldedName(one, platform) === foldedName(other, platform);
}

/**
 * A name as the disk compares it. Windows and macOS do not tell case apart, macOS not how accents are composed. Where the
 * systems and Unicode differ (the Kelvin sign, ß, ı), names stay different: taken for one, two folders would be one wall.
 */
export function foldedName(name: string, platform: Platform): string {
  if (platform === 'posix') return name;
  const composed = platform === 'darwin' ? name.normalize('NFC') : name;
  return composed.replaceAll(/./gsu, (char) => {
    // NTFS knows no case beyond the first 65,536 characters.
    if (platform === 'win32' && char.length > 1) return char;
    const lower = char.toLowerCase();
    const isOneToOne = lower.length === char.length && lower.toUpperCase() === char.toUpperCase();
    return isOneToOne ? lower : char;
  });
}
