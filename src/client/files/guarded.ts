import {
  PROGRAM_PLACES,
  PROJECT_PLACES,
  STARTUP_PLACES,
  type GuardedPlaces,
} from './guardedPlaces.ts';
import { segmentsOf, type Platform } from './paths.ts';
import { SECRET_PLACES } from './secretPlaces.ts';

interface Pattern {
  readonly names: readonly RegExp[];
  readonly fromRoot: boolean;
  /** Takes in all that is below. */
  readonly isTree: boolean;
}

interface Guard {
  readonly reason: string;
  readonly patterns: readonly Pattern[];
  readonly holdsWorktrees: boolean;
}

/** Characters that HFS+ passes over in names: `.g‌it` is `.git` there. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

const PROJECT = PROJECT_PLACES.map(compiled);
const STARTUP = STARTUP_PLACES.map(compiled);
const PROGRAM = PROGRAM_PLACES.map(compiled);
const SECRET = SECRET_PLACES.map(compiled);
const WRITES = [...PROJECT, ...STARTUP, ...PROGRAM];
const PRIVATE = [...SECRET, ...STARTUP];

/**
 * Why this place is never written without a question, in a sentence; `null` if it is not such a place. Also for what is
 * inside of the walls.
 * @param file As `readPath` gives it.
 * @param opened The folder inside which the person lets agents work, `null` outside of the walls: what makes the place
 *   guarded must lie below it. Who opens a folder in `~/.config/gh` means it.
 */
export function writeGuard(file: string, opened: string | null, platform: Platform): string | null {
  return reasonIn(WRITES, file, opened, platform);
}

/** Why this place is never used without a question, neither read nor written, where the walls end. As `writeGuard`. */
export function privateGuard(
  file: string,
  opened: string | null,
  platform: Platform,
): string | null {
  return reasonIn(PRIVATE, file, opened, platform);
}

/** Whether what the place holds is a secret, so that none of it may be shown, nor kept, because an agent names it. */
export function isSecret(file: string, opened: string | null, platform: Platform): boolean {
  return reasonIn(SECRET, file, opened, platform) !== null;
}

function reasonIn(
  guards: readonly Guard[],
  file: string,
  opened: string | null,
  platform: Platform,
): string | null {
  const names = segmentsOf(file, platform).map((name) => guardedName(name, platform));
  const above = opened === null ? 0 : segmentsOf(opened, platform).length;
  return guards.find((guard) => holds(guard, names, above))?.reason ?? null;
}

function holds(guard: Guard, names: readonly string[], above: number): boolean {
  return guard.patterns.some((pattern) => {
    const last = pattern.fromRoot ? 0 : names.length - pattern.names.length;
    for (let at = 0; at <= last; at++) {
      const end = at + pattern.names.length;
      if (end <= above || end > names.length) continue;
      if (!pattern.isTree && end !== names.length) continue;
      if (guard.holdsWorktrees && isWorktree(names, end)) continue;
      if (pattern.names.every((name, offset) => name.test(names[at + offset] ?? ''))) return true;
    }
    return false;
  });
}

function isWorktree(names: readonly string[], end: number): boolean {
  return names[end] === 'worktrees' && names.length > end + 2;
}

function compiled({ reason, patterns, holdsWorktrees = false }: GuardedPlaces): Guard {
  return { reason, patterns: patterns.map(patternOf), holdsWorktrees };
}

function patternOf(text: string): Pattern {
  const isTree = text.endsWith('/**');
  const fromRoot = text.startsWith('/');
  const names = text.slice(fromRoot ? 1 : 0, isTree ? -3 : undefined).split('/');
  return { names: names.map(nameOf), fromRoot, isTree };
}

function nameOf(glob: string): RegExp {
  const letters = glob.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${letters}$`, 'su');
}

/**
 * A name as it is looked up: whatever any of the systems takes for the same is the same here on all of them. A question
 * too many does no harm, one too few does.
 */
function guardedName(name: string, platform: Platform): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(PASSED_OVER, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[. ]+$/, '');
  // Windows' short name of `.git`.
  return platform === 'win32' && /^git~\d$/.test(plain) ? '.git' : plain;
}
