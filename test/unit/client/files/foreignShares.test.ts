import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayLookAt } from '../../../../src/client/files/foreignShares.ts';

const LINKS: Readonly<Record<string, string>> = {
  'C:\\w\\out': '\\\\evil\\share',
  'C:\\w\\tool.exe': '\\\\evil\\share\\tool.exe',
  'C:\\w\\chain': 'folder\\more',
  'C:\\w\\folder\\more': '..\\out',
  'C:\\w\\home': '\\\\Own\\share\\home',
  'C:\\w\\circle': 'circle',
  'C:\\w\\beside': 'folder',
  'C:\\w\\device': '\\\\.\\pipe\\name',
};
const FOLDERS = ['C:\\w', 'C:\\w\\folder', '\\\\own\\share', '\\\\own\\share\\home'];
const KNOWN = ['C:\\w', '\\\\own\\share\\project'];

function looked(file: string): { readonly may: boolean; readonly at: readonly string[] } {
  const at: string[] = [];
  const may = mayLookAt(file, KNOWN, 'win32', (each) => {
    at.push(each);
    return LINKS[each] ?? (FOLDERS.includes(each) ? null : undefined);
  });
  return { may, at };
}

for (const file of ['out\\tool.exe', 'tool.exe', 'chain\\tool.exe', 'circle', 'device']) {
  test(`a command of Windows is not looked up through the link ${file}`, () => {
    const { may, at } = looked(`C:\\w\\${file}`);
    assert.equal(may, false);
    assert.ok(!at.some((each) => each.includes('evil')), at.join(' '));
  });
}

for (const file of ['C:\\w\\beside\\tool.exe', 'C:\\w\\none.exe', 'C:\\w\\home\\tool.exe']) {
  test(`a command of Windows is looked up where no foreign server is asked: ${file}`, () => {
    assert.equal(looked(file).may, true);
  });
}

test('a command on a foreign server is not looked up, and elsewhere than on Windows every one is', () => {
  assert.equal(looked('\\\\evil\\share\\tool.exe').may, false);
  assert.equal(mayLookAt('/w/tool', ['/w'], 'posix'), true);
});
