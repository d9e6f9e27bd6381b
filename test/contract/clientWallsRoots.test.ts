import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { test } from 'node:test';
import {
  access,
  asked,
  grants,
  inBase,
  judge,
  link,
  linuxOnly,
  refused,
  skip,
} from './wallsFolders.ts';

test(
  'a workspace folder that is linked elsewhere lets in what it leads to now',
  { skip },
  async () => {
    await link('moving', inBase('w'));
    const by = access(['moving']);
    const { place } = await judge('moving/src/a.ts', 'write', by);
    assert.ok(place.kind === 'disk' && place.real === inBase('w/src/a.ts'));
    await link('moving', inBase('w2'));
    await asked('w/src/a.ts', 'write', by);
    assert.equal((await judge('w2/x', 'write', by)).kind, 'open');
    const now = await judge('moving/src/a.ts', 'write', by);
    assert.ok(now.place.kind === 'disk' && now.place.real === inBase('w2/src/a.ts'));
  },
);

test(
  'of two folders, one linked into the other, both let in and both guard',
  { skip },
  async () => {
    await fs.mkdir(inBase('w/inner/.git'), { recursive: true });
    await link('inner-link', inBase('w/inner'));
    const by = access(['w', 'inner-link']);
    const inner = await judge('inner-link/a', 'write', by);
    assert.deepEqual(
      [inner.kind, inner.place],
      ['open', { kind: 'disk', path: inBase('inner-link/a'), real: inBase('w/inner/a') }],
    );
    // Named by the outer folder it keeps the name that the person sees there.
    assert.equal((await judge('w/inner/a', 'write', by)).place.path, inBase('w/inner/a'));
    for (const name of ['inner-link/.git/config', 'w/inner/.git/config']) {
      assert.equal((await asked(name, 'write', by)).once, true, name);
    }
  },
);

test(
  'a guarded name that leads to an open file is guarded, in another folder, too',
  { skip },
  async () => {
    await link('w/.vscode/tasks.json', inBase('w2/tasks.json'));
    await fs.writeFile(inBase('w2/tasks.json'), '');
    assert.equal((await asked('w/.vscode/tasks.json', 'write')).once, true);
    // And an open name that leads to a guarded file there.
    await fs.mkdir(inBase('w2/.git'), { recursive: true });
    await fs.writeFile(inBase('w2/.git/config'), '');
    await link('w/readme', inBase('w2/.git/config'));
    const verdict = await asked('w/readme', 'write');
    assert.equal(verdict.once, true);
    assert.match(verdict.reason, /readme is a link to .*w2\/\.git\/config\. This belongs to Git/);
  },
);

test('what leads to a secret by whatever name is a secret', { skip }, async () => {
  assert.equal((await asked('home/.ssh/id_rsa')).secret, true);
  await link('w/notes', inBase('home/.ssh/id_rsa'));
  await link('outside/keys', inBase('home/.ssh'));
  for (const name of ['w/notes', 'outside/keys/id_rsa', 'outside/keys/new']) {
    const verdict = await asked(name);
    assert.deepEqual([verdict.secret, verdict.once, verdict.folder], [true, true, null], name);
    // No answer that was given before opens it.
    grants.allowFile(verdict.place, 'write');
    grants.allowFolder(inBase('home'), 'write');
    assert.equal((await asked(name)).secret, true, name);
  }
  assert.equal((await asked('outside/secret')).secret, false);
  // Also where the home folder is opened by a link.
  await link('my-home', inBase('home'));
  assert.equal((await asked('my-home/.ssh/id_rsa', 'read', access(['my-home']))).secret, true);
});

test('a folder above home that is opened does not open its keys', { skip }, async () => {
  const by = access(['.']);
  assert.equal((await judge('outside/secret', 'read', by)).kind, 'open');
  assert.equal((await asked('home/.ssh/id_rsa', 'read', by)).secret, true);
});

test('what is guarded outside is not read to ask, be it a secret or not', linuxOnly, async () => {
  for (const name of [
    '/proc/self/environ',
    '/proc/thread-self/environ',
    '/etc/shadow',
    '/etc/hosts',
  ]) {
    const verdict = await asked(name);
    assert.deepEqual([verdict.secret, verdict.once], [true, true], name);
  }
});

test('separators at the end and in a row change nothing', { skip }, async () => {
  await link('w/away', inBase('outside'));
  for (const name of ['w/away/', 'w//away//secret', 'w/./away/./deep/']) {
    const { place } = await asked(name, 'write');
    assert.ok(place.kind === 'disk' && place.real.startsWith(inBase('outside')), name);
    assert.ok(!place.real.endsWith('/') && !place.path.includes('//'), name);
  }
});

test(
  'dots after a link are taken as they are written, so that one place is judged',
  { skip },
  async () => {
    await link('w/deep-link', inBase('outside/deep'));
    // The system would go to `outside`; what is judged, and then opened, is the path without dots.
    const { kind, place } = await judge('w/deep-link/../src/a.ts', 'write');
    assert.deepEqual(
      [kind, place],
      ['open', { kind: 'disk', path: inBase('w/src/a.ts'), real: inBase('w/src/a.ts') }],
    );
  },
);

test('a chain of links that is longer than the system follows is refused', { skip }, async () => {
  await fs.writeFile(inBase('w/c0'), '');
  for (let at = 1; at <= 60; at++) await link(`w/c${at}`, `c${at - 1}`);
  await assert.rejects(judge('w/c60', 'write'), refused('refused', /circle/));
});
