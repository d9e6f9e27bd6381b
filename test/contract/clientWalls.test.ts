import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { FileAccess, Grants } from '../../src/client/files/access.ts';
import { rootsOf } from '../../src/client/files/walls.ts';
import { FakeWorkspace } from '../fakes/fakeWorkspace.ts';
import {
  access,
  asked,
  base,
  grants,
  inBase,
  judge,
  link,
  linuxOnly,
  platform,
  refused,
  skip,
} from './wallsFolders.ts';

test(
  'a file in a workspace folder is open, also one that does not exist yet',
  { skip },
  async () => {
    for (const name of ['w/src/a.ts', 'w2/new', 'w/new/deep/er/b.ts', 'w', 'w/src/../src/a.ts']) {
      const real = path.join(base, name);
      assert.deepEqual(await judge(name, 'write'), {
        kind: 'open',
        place: { kind: 'disk', path: real, real },
      });
    }
  },
);

test(
  'outside of the workspace the person is asked, with the folder that an answer may open',
  { skip },
  async () => {
    const verdict = await asked('outside/secret');
    assert.equal(verdict.reason, `${inBase('outside/secret')} is outside of the workspace.`);
    assert.equal(verdict.folder, inBase('outside'));
    assert.equal(verdict.once, false);
    assert.equal((await asked('w-evil/x')).place.path, inBase('w-evil/x'));
    assert.equal((await asked('w/../outside/secret')).place.path, inBase('outside/secret'));
  },
);

test('a link is judged by where it leads, at every level of the path', { skip }, async () => {
  await link('w/file', '../outside/secret');
  await link('w/folder', inBase('outside'));
  await link('w/deep/one', '../folder');
  await link('w/parent', '..');
  await link('w/chain', 'file');
  for (const name of [
    'w/file',
    'w/folder/secret',
    'w/folder/deep/x',
    'w/folder/new',
    'w/deep/one/deep/x',
  ]) {
    assert.ok((await asked(name, 'write')).reason.includes('outside of the workspace'), name);
  }
  for (const name of ['w/parent/outside/secret', 'w/chain', 'w/deep/one/not/there/yet']) {
    const { place } = await asked(name);
    assert.ok(place.kind === 'disk' && place.real.startsWith(inBase('outside/')), name);
  }
  assert.equal(
    (await asked('w/file')).reason,
    `file is a link to ${inBase('outside/secret')}, outside of the workspace.`,
  );
  // A link from outside to inside is inside, and so is one from root to root.
  await link('outside/in', inBase('w/src'));
  const { kind, place } = await judge('outside/in/a.ts', 'write');
  assert.deepEqual([kind, place.path], ['open', inBase('w/src/a.ts')]);
  await link('w/other', inBase('w2'));
  assert.equal((await judge('w/other/x', 'write')).kind, 'open');
});

test('a link to nowhere and links in a circle are refused', { skip }, async () => {
  await link('w/nowhere', '../outside/not-there');
  await link('w/a', 'b');
  await link('w/b', 'a');
  await link('w/self', 'self');
  await assert.rejects(judge('w/nowhere', 'write'), refused('refused', /does not exist/));
  await assert.rejects(judge('w/nowhere/x', 'write'), refused('refused', /does not exist/));
  for (const name of ['w/a', 'w/b/x', 'w/self']) {
    await assert.rejects(judge(name), refused('refused', /circle/));
  }
});

test(
  'a link that comes in after the judgement leads elsewhere than what was judged',
  { skip },
  async () => {
    await fs.mkdir(inBase('w/swap'), { recursive: true });
    await fs.writeFile(inBase('w/swap/secret'), '');
    const { place } = await judge('w/swap/secret');
    await link('w/swap', inBase('outside'));
    assert.ok(place.kind === 'disk');
    assert.notEqual(await fs.realpath(place.path), place.real);
    await asked('w/swap/secret');
  },
);

test('a file where a folder is wanted is judged by that file', { skip }, async () => {
  await link('w/tofile', inBase('outside/secret'));
  assert.equal((await judge('w/src/a.ts/x')).kind, 'open');
  const { place } = await asked('w/tofile/x');
  assert.ok(place.kind === 'disk' && place.real === inBase('outside/secret/x'));
});

test('views into processes lead where they lead', linuxOnly, async () => {
  const passwd = await asked('/proc/self/root/etc/passwd');
  assert.ok(passwd.place.kind === 'disk' && passwd.place.real === '/etc/passwd');
  assert.equal(passwd.folder, null);
  assert.equal(passwd.once, true);
  const cwd = await judge('/proc/self/cwd/package.json');
  assert.ok(
    cwd.place.kind === 'disk' && cwd.place.real === path.join(process.cwd(), 'package.json'),
  );
  assert.notEqual(cwd.kind, 'open');
  assert.equal((await asked('/proc/self/environ')).once, true);
  assert.equal((await asked('/dev/null', 'write')).once, true);
  const pipe = await fs.open(inBase('outside/secret'));
  try {
    const { place } = await asked(`/dev/fd/${pipe.fd}`);
    assert.ok(place.kind === 'disk' && place.real === inBase('outside/secret'));
  } finally {
    await pipe.close();
  }
  await link('w/root', '/proc/self/root');
  await asked('w/root/etc/passwd', 'write');
  assert.equal((await judge(`w/root${inBase('w/src/a.ts')}`)).kind, 'open');
});

test('case counts where the disk says so', linuxOnly, async () => {
  await asked('W/src/a.ts');
  assert.equal((await judge('w/SRC/a.ts')).kind, 'open');
});

test('a relative path is never guessed, with one folder or with many', { skip }, async () => {
  for (const folders of [['w'], ['w', 'w2'], []]) {
    for (const text of [
      'src/a.ts',
      './src/a.ts',
      '../w/src/a.ts',
      '',
      '~/notes',
      'file:///etc/passwd',
    ]) {
      const chat = { directories: [], grants };
      await assert.rejects(access(folders).judge(text, 'read', chat), refused('refused', /./));
    }
  }
});

test(
  'a workspace folder that is a link keeps the name that the editor knows',
  { skip },
  async () => {
    await link('linked', inBase('w'));
    const by = access(['linked']);
    const real = inBase('w/src/a.ts');
    for (const name of ['linked/src/a.ts', 'w/src/a.ts']) {
      const { kind, place } = await judge(name, 'write', by);
      assert.deepEqual(
        [kind, place],
        ['open', { kind: 'disk', path: inBase('linked/src/a.ts'), real }],
      );
    }
    assert.equal((await asked('linked/.git/config', 'write', by)).once, true);
  },
);

test(
  'a file is known by the innermost of nested folders, and guarded by any',
  { skip },
  async () => {
    const by = access(['w', 'w/.git']);
    assert.equal((await judge('w/src/a.ts', 'write', by)).kind, 'open');
    // Git's own folder was opened, but as a part of the outer one it stays what it is.
    assert.equal((await asked('w/.git/config', 'write', by)).once, true);
  },
);

test('a folder that is gone, or a link to nowhere, lets nothing in', { skip }, async () => {
  await link('gone', 'not-there');
  assert.deepEqual(await rootsOf([inBase('gone'), 'relative', ''], platform), []);
  await asked('w/src/a.ts', 'read', access(['gone']));
});

test(
  'a folder that is not on this disk is inside, unless one on the disk fits',
  { skip },
  async () => {
    const workspace = new FakeWorkspace([inBase('w')]);
    workspace.setVirtualFolders(['/virtual/p', inBase('w/src')]);
    const by = new FileAccess({ workspace, platform, home: inBase('home') });
    const inVirtual = await judge('/virtual/p/../p/a', 'write', by);
    assert.deepEqual(inVirtual, { kind: 'open', place: { kind: 'virtual', path: '/virtual/p/a' } });
    assert.equal((await asked('/virtual/p/.git/config', 'write', by)).once, true);
    assert.equal((await judge('/virtual/p/.git/config', 'read', by)).kind, 'open');
    assert.equal((await judge('w/src/a.ts', 'write', by)).place.kind, 'disk');
    assert.equal((await asked('/virtual/p-evil/a', 'read', by)).place.kind, 'disk');
    assert.equal((await asked('/virtual/p/../../etc/passwd', 'read', by)).place.kind, 'disk');
  },
);

test('names that are too long are refused in words', { skip }, async () => {
  await assert.rejects(judge(`w/${'a'.repeat(300)}`, 'write'), refused('refused', /too long/));
});

test('a network share on Windows is asked for before anybody looks at it', { skip }, async () => {
  const workspace = new FakeWorkspace(['C:\\w']);
  const by = new FileAccess({ workspace, platform: 'win32', home: 'C:\\Users\\u' });
  const chat = { directories: [], grants: new Grants('win32') };
  const verdict = await by.judge('\\\\?\\UNC\\evil\\share\\a\\x', 'read', chat);
  assert.ok(verdict.kind === 'ask');
  assert.deepEqual(verdict.place, {
    kind: 'disk',
    path: '\\\\evil\\share\\a\\x',
    real: '\\\\evil\\share\\a\\x',
  });
  assert.equal(verdict.folder, '\\\\evil\\share\\a');
  const folder = await by.judgeFolder('\\\\evil\\share', chat);
  assert.ok(folder.kind === 'ask' && folder.folder === null);
});

test(
  'a link to a network share is asked for on Windows before anybody follows it',
  linuxOnly,
  async (t) => {
    const before = process.cwd();
    const at = await fs.mkdtemp(inBase('windows-'));
    process.chdir(at);
    t.after(() => {
      process.chdir(before);
    });
    // Windows' paths are names in this folder. Whoever follows a link finds that there is no such place.
    await fs.mkdir('C:\\w');
    await fs.mkdir('C:\\w\\sub');
    const links = [
      ['C:\\w\\direct', '\\\\evil\\share'],
      ['C:\\w\\slashes', '//evil/share'],
      ['C:\\w\\long', '\\\\?\\UNC\\evil\\share'],
      ['C:\\w\\first', 'sub\\second'],
      ['C:\\w\\sub\\second', '..\\direct'],
    ] as const;
    for (const [name, target] of links) await fs.symlink(target, name);
    const workspace = new FakeWorkspace(['C:\\w']);
    const by = new FileAccess({ workspace, platform: 'win32', home: 'C:\\Users\\u' });
    const chat = { directories: [], grants: new Grants('win32') };
    for (const name of ['direct', 'slashes', 'long', 'first', 'sub\\second']) {
      const verdict = await by.judge(`C:\\w\\${name}\\x`, 'read', chat);
      assert.ok(verdict.kind === 'ask' && verdict.place.kind === 'disk', name);
      assert.equal(verdict.place.real, '\\\\evil\\share\\x', name);
      assert.match(verdict.reason, /link to \\\\evil\\share\\x, outside of the workspace/);
    }
    await fs.symlink('\\\\evil\\pipe', 'C:\\w\\pipe');
    const pipe = by.judge('C:\\w\\pipe\\x', 'read', chat);
    await assert.rejects(pipe, refused('refused', /holds no files/));
    await fs.symlink('C:\\w\\round', 'C:\\w\\round');
    await assert.rejects(by.judge('C:\\w\\round', 'read', chat), refused('refused', /circle/));
  },
);
