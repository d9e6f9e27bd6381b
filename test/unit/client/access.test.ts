import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Grants } from '../../../src/client/files/access.ts';
import type { Place } from '../../../src/client/files/place.ts';
import { placeAmong } from '../../../src/client/files/walls.ts';
import { shown } from '../../../src/client/files/shownPath.ts';

function at(real: string): Place {
  return { kind: 'disk', path: `/named${real}`, real };
}

test('a file that was allowed is allowed by its real path, and no other is', () => {
  const grants = new Grants('posix');
  grants.allowFile(at('/o/a'), 'read');
  assert.equal(grants.covers(at('/o/a'), 'read'), true);
  assert.equal(grants.covers(at('/o/a/b'), 'read'), false);
  assert.equal(grants.covers(at('/o/A'), 'read'), false);
  assert.equal(grants.covers(at('/o/a'), 'write'), false);
});

test('being allowed to write covers reading, also when reading is allowed later', () => {
  const grants = new Grants('posix');
  grants.allowFolder('/o', 'write');
  grants.allowFolder('/o', 'read');
  assert.equal(grants.covers(at('/o/a/b'), 'write'), true);
  assert.equal(grants.covers(at('/o'), 'read'), true);
});

test('a folder is compared name by name, as the platform compares', () => {
  const posix = new Grants('posix');
  posix.allowFolder('/o', 'write');
  for (const other of ['/o-evil/a', '/O/a', '/', '/x/o/a']) {
    assert.equal(posix.covers(at(other), 'read'), false, other);
  }
  const windows = new Grants('win32');
  windows.allowFolder('C:\\O', 'read');
  assert.equal(windows.covers(at('c:\\o\\a'), 'read'), true);
  assert.equal(windows.covers(at('c:\\o2\\a'), 'read'), false);
  assert.equal(windows.covers(at('D:\\o\\a'), 'read'), false);
});

test('what is not on this disk is never remembered', () => {
  const grants = new Grants('posix');
  const place: Place = { kind: 'virtual', path: '/v/a' };
  grants.allowFile(place, 'write');
  grants.allowFolder('/', 'write');
  assert.equal(grants.covers(place, 'read'), false);
});

const roots = [
  { path: '/w', real: '/w' },
  { path: '/w/inner', real: '/w/inner' },
  { path: '/link', real: '/real/root' },
];
const placed = [
  ['/w/a', '/w/a', '/w/a', '/w'],
  ['/w/inner/a', '/w/inner/a', '/w/inner/a', '/w/inner'],
  ['/link/a', '/real/root/a', '/link/a', '/link'],
  ['/real/root/a', '/real/root/a', '/link/a', '/link'],
  ['/elsewhere/x', '/w/inner/a', '/w/inner/a', '/w/inner'],
  ['/w/out', '/etc/passwd', '/w/out', null],
  ['/link', '/real/root', '/link', '/link'],
  ['/w', '/w-evil', '/w', null],
] as const;
for (const [wanted, real, path, root] of placed) {
  test(`${wanted}, really ${real}, is in ${String(root)} as ${path}`, () => {
    const found = placeAmong(wanted, real, roots, 'posix');
    assert.deepEqual(found.place, { kind: 'disk', path, real });
    assert.equal(found.root?.path ?? null, root);
  });
}

test('on Windows the real path decides, whatever the case and the drive', () => {
  const drive = [{ path: 'Z:\\w', real: '\\\\server\\share\\w' }];
  const found = placeAmong('z:\\W\\a', '\\\\SERVER\\share\\w\\a', drive, 'win32');
  assert.equal(found.root, drive[0]);
  const plain = [{ path: 'c:\\w', real: 'C:\\w' }];
  assert.equal(placeAmong('C:\\w\\a', 'C:\\Windows\\a', plain, 'win32').root, null);
});

test('a message shows no sign that turns letters around, and no endless path', () => {
  assert.equal(shown('/w/\u202egnp.sh'), '/w/\\u{202e}gnp.sh');
  assert.equal(shown('/w/\ud800'), '/w/\\u{d800}');
  assert.ok(shown('a'.repeat(9_000)).length < 600);
});
