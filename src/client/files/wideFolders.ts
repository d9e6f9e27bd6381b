import { segmentsOf, type Platform } from './paths.ts';

/**
 * Folders that hold what belongs to many programs or people, or all of a disk: by names below the root of the file system,
 * `*` for any one name. Whoever allows one file in such a folder does not mean all the others.
 */
const WIDE: Readonly<Record<Platform, readonly string[]>> = {
  posix: [
    '*',
    'home/*',
    'home/*/.config',
    'home/*/.cache',
    'home/*/.local',
    'home/*/.local/*',
    'mnt/*',
    // The disk of Windows, in its subsystem for Linux.
    'mnt/*/Users',
    'mnt/*/Users/*',
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
    'Users/*/Library',
    'Users/*/Library/*',
    'Volumes/*',
    'Volumes/*/Users',
    'Volumes/*/Users/*',
    'private/*',
    'private/var/*',
    'private/var/folders/*',
    'private/var/folders/*/*',
    'private/var/folders/*/*/*',
    'System/Volumes/*',
    'usr/*',
  ],
  win32: [
    '*',
    'Users/*',
    'Users/*/AppData',
    'Users/*/AppData/*',
    'Users/*/AppData/Local/Temp',
    'Windows/*',
  ],
};

/** Shares that Windows itself makes: of a whole disk, and of a Linux in its subsystem. */
const DISK_SHARE = /^\\\\[^\\]+\\[a-z]\$$/i;
const LINUX_SHARE = /^\\\\wsl(?:\.localhost|\$)\\/i;

/** Whether one answer would open too much with this folder, wherever the person's own folders are. */
export function isWide(folder: string, platform: Platform): boolean {
  const [first, ...rest] = segmentsOf(folder, platform);
  if (first === undefined) return true;
  // The drive or share is the root on Windows; what lies in a share is what somebody has chosen to share.
  const names = platform === 'win32' ? rest : [first, ...rest];
  if (names.length === 0) return true;
  const rules = platform === 'win32' ? rulesIn(first) : platform;
  return rules !== null && WIDE[rules].some((each) => fits(names, each.split('/')));
}

/** By which rules the folders of a drive or share are judged. @param root As `segmentsOf` has it. */
function rulesIn(root: string): Platform | null {
  if (root.endsWith(':') || DISK_SHARE.test(root)) return 'win32';
  return LINUX_SHARE.test(root) ? 'posix' : null;
}

/** Whatever the case: some disks do not tell it apart, on every platform. */
function fits(names: readonly string[], pattern: readonly string[]): boolean {
  return (
    names.length === pattern.length &&
    pattern.every((part, at) => part === '*' || part.toLowerCase() === names[at]?.toLowerCase())
  );
}
