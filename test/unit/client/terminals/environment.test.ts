import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RequestError } from '../../../../src/protocol/errors.ts';
import { overlaid, personsEnvironment } from '../../../../src/client/terminals/environment.ts';

describe('the environment of a command', () => {
  test("is the person's, without what is there only because we live in an editor", () => {
    const own = {
      PATH: '/home/me/.nvm/bin:/usr/bin',
      HOME: '/home/me',
      SHELL: '/bin/zsh',
      VSCODE_PORTABLE: '/portable',
      SNAPSHOT: 'kept',
      GONE: undefined,
    };
    const editors = {
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_NO_ASAR: '1',
      VSCODE_PID: '1',
      VSCODE_IPC_HOOK: '/x',
      VSCODE_NLS_CONFIG: '{}',
      VSCODE_ESM_ENTRYPOINT: 'x',
      SNAP: '/snap',
      SNAP_NAME: 'code',
      GDK_PIXBUF_MODULEDIR: '/x',
      NODE_OPTIONS: '--require /x/ms-vscode.js-debug/src/bootloader.js',
    };
    const kept = Object.entries(own).filter(([name]) => name !== 'GONE');
    assert.deepEqual(personsEnvironment({ ...own, ...editors }), Object.fromEntries(kept));
  });

  test("has the person's own NODE_OPTIONS, also where the editor put them aside", () => {
    const own = { NODE_OPTIONS: '--max-old-space-size=4096' };
    assert.deepEqual(personsEnvironment(own), own);
    const aside = { VSCODE_NODE_OPTIONS: own.NODE_OPTIONS };
    assert.deepEqual(personsEnvironment(aside), own);
  });

  test('is laid over with what the agent gives, and says which names changed', () => {
    const given = [
      { name: 'NEW', value: '1' },
      { name: 'SAME', value: 'same' },
      { name: 'PATH', value: '/a' },
      { name: 'PATH', value: '/b' },
      { name: 'EMPTY', value: '' },
    ];
    const { env, changed } = overlaid({ PATH: '/bin', SAME: 'same' }, given, false);
    assert.deepEqual(env, { PATH: '/b', SAME: 'same', NEW: '1', EMPTY: '' });
    assert.deepEqual(changed, ['NEW', 'PATH', 'EMPTY']);
  });

  test('tells names apart by case, but not on Windows', () => {
    const given = [{ name: 'PATH', value: 'C:\\b' }];
    assert.deepEqual(overlaid({ Path: 'C:\\a' }, given, true).env, { Path: 'C:\\b' });
    assert.deepEqual(overlaid({ Path: 'a' }, given, false).env, { Path: 'a', PATH: 'C:\\b' });
  });

  test('takes the name of a prototype for a name', () => {
    const { env } = overlaid({}, [{ name: 'constructor', value: 'x' }], false);
    assert.equal(Object.entries(env).join(), 'constructor,x');
  });

  for (const [name, value] of [
    ['', 'x'],
    ['A=B', 'x'],
    ['=C:', 'x'],
    ['A\0B', 'x'],
    ['A', 'x\0y'],
    ['A\nB', 'x'],
    ['A\u202eB', 'x'],
  ] as const) {
    test(`refuses ${JSON.stringify([name, value])}`, () => {
      assert.throws(
        () => overlaid({}, [{ name, value }], false),
        (error) => error instanceof RequestError && error.message.includes(JSON.stringify(name)),
      );
    });
  }
});
