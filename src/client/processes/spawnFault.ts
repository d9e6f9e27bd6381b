import fs from 'node:fs';
import path from 'node:path';

/** Why a process could not be started. A folder that is not there gives the same error as a program that is not there. */
export type SpawnFault =
  | 'folderGone'
  | 'folderIsFile'
  | 'notFound'
  /** The program is a script, and the program that its first line names is not there. */
  | 'noInterpreter'
  | 'notExecutable'
  | 'tooLong'
  | 'other';

/** @param cwd Where the process was to run. */
export function spawnFault(command: string, cwd: string, error: unknown): SpawnFault {
  const folder = folderFault(cwd);
  if (folder !== undefined) return folder;
  switch (codeOf(error)) {
    case 'ENOENT':
      return /[\\/]/.test(command) && fs.existsSync(path.resolve(cwd, command))
        ? 'noInterpreter'
        : 'notFound';
    case 'EACCES':
    case 'EPERM':
    case 'ENOEXEC':
    case 'EISDIR':
      return 'notExecutable';
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return 'tooLong';
    default:
      return 'other';
  }
}

/** Whether nothing can run in a folder. */
export function folderFault(cwd: string): 'folderGone' | 'folderIsFile' | undefined {
  try {
    return fs.statSync(cwd).isDirectory() ? undefined : 'folderIsFile';
  } catch {
    return 'folderGone';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
