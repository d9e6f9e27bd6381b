import type { TerminalExit, ToolCallEntry } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';

/** How a command stands. */
export interface CommandState {
  readonly exit: TerminalExit | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
}

export interface ExitWords {
  readonly icon: string | null;
  readonly words: string;
  readonly bad: boolean;
}

/** An end in words; `null` exit: it runs. */
export function exitWords(exit: TerminalExit | null): ExitWords {
  if (exit === null) return { icon: 'loading', words: S.running, bad: false };
  const { code, signal } = exit;
  if (signal !== null) return { icon: 'error', words: S.endedBy(signal.slice(0, 40)), bad: true };
  if (code === null) return { icon: 'debug-disconnect', words: S.endUnseen, bad: false };
  return code === 0
    ? { icon: null, words: S.exitCode(0), bad: false }
    : { icon: 'error', words: S.exitCode(code), bad: true };
}

/** How the command of a terminal that the agent runs itself stands, as far as the agent tells. */
export function agentCommand(entry: ToolCallEntry): CommandState | null {
  const open = entry.state === 'running' || entry.state === 'pending';
  // What ended without a word about how is told by the state of the call.
  if (entry.exit === null && !open) return null;
  if (entry.exit?.code === null && entry.exit.signal === null) return null;
  return { exit: entry.exit, startedAt: entry.at, endedAt: entry.endedAt };
}

/** A place, as short as it can be told: the rest of the path in a folder of the workspace, `''` for the folder. */
export function placeIn(folders: readonly string[], cwd: string): string {
  for (const folder of folders) {
    const root = folder.replace(/[\\/]+$/, '');
    if (cwd === folder || cwd === root) return '';
    if (cwd.startsWith(root) && /^[\\/]/.test(cwd.slice(root.length))) {
      return cwd.slice(root.length + 1);
    }
  }
  return cwd;
}
