import os from 'node:os';
import path from 'node:path';

const NAME = path.join('parley-agent', 'sessions');

/**
 * Where the sessions are kept: the folder that `PARLEY_AGENT_SESSIONS` names, else one of the agent's own where the platform
 * keeps the state of programs.
 *
 * @returns An absolute path. The folder need not exist.
 */
export function sessionsFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home: string = os.homedir(),
): string {
  const named = env['PARLEY_AGENT_SESSIONS'];
  if (named !== undefined && named.trim() !== '') return path.resolve(named);
  return path.join(stateFolder(env, platform, home), NAME);
}

function stateFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  if (platform === 'win32') {
    return absolute(env['LOCALAPPDATA']) ?? path.join(home, 'AppData', 'Local');
  }
  return absolute(env['XDG_STATE_HOME']) ?? path.join(home, '.local', 'state');
}

/** The rules for these variables say that a relative path is to be ignored. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}
