import { foldedName, segmentsOf, type Platform } from './paths.ts';

/**
 * Folders that hold what belongs to many programs or people, or all of a disk: by names below the root of the file system,
 * `*` for any one name. Whoever allows one file in such a folder does not mean all the others.
 */
const WIDE: Readonly<Record<Platform, readonly string[]>> = {
  posix: [
    '*',
    'home/*',
    'mnt/*',
    'media/*',
    'media/*/*',
    'run/media',
    'run/media/*',
    'run/media/*/*',
    'run/user',
    'run/user/*',
    'var/*',
    'usr/*',
  ],
  darwin: [
    '*',
    'Users/*',
    'Volumes/*',
    'private/*',
    'private/var/*',
    'private/var/folders/*/*/*',
    'System/Volumes/*',
    'usr/*',
  ],
  win32: ['*', 'Users/*'],
};

/** Whether one answer would open too much with this folder, wherever the person's own folders are. */
export function isWide(folder: string, platform: Platform): boolean {
  const [first, ...rest] = segmentsOf(folder, platform);
  if (first === undefined) return true;
  // The drive or share is the root on Windows; what lies in a share is what somebody has chosen to share.
  const names = platform === 'win32' ? rest : [first, ...rest];
  if (names.length === 0) return true;
  if (platform === 'win32' && !first.endsWith(':')) return false;
  return WIDE[platform].some((pattern) => fits(names, pattern.split('/'), platform));
}

function fits(names: readonly string[], pattern: readonly string[], platform: Platform): boolean {
  return (
    names.length === pattern.length &&
    pattern.every(
      (part, at) =>
        part === '*' || foldedName(part, platform) === foldedName(names[at] ?? '', platform),
    )
  );
}
