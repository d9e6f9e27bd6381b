import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sessionsFolder } from '../../../../src/agent/sessions/folder.ts';

describe('the folder of the sessions', () => {
  const cases: readonly (readonly [string, NodeJS.Platform, Record<string, string>, string])[] = [
    ['is what the variable names', 'linux', { PARLEY_AGENT_SESSIONS: '/x/y' }, '/x/y'],
    ['is in the home on Linux', 'linux', {}, '/home/me/.local/state/parley-agent/sessions'],
    [
      'is in the state folder on Linux where one is set',
      'linux',
      { XDG_STATE_HOME: '/state' },
      '/state/parley-agent/sessions',
    ],
    [
      'ignores a relative state folder, as the rules want',
      'linux',
      { XDG_STATE_HOME: 'state' },
      '/home/me/.local/state/parley-agent/sessions',
    ],
    [
      'is in the Library on macOS',
      'darwin',
      {},
      '/home/me/Library/Application Support/parley-agent/sessions',
    ],
  ];
  for (const [what, platform, env, expected] of cases) {
    test(what, () => {
      assert.equal(sessionsFolder(env, platform, '/home/me'), expected);
    });
  }
});
