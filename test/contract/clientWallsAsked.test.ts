import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import {
  access,
  asked,
  base,
  grants,
  inBase,
  judge,
  link,
  linuxOnly,
  refused,
  skip,
} from './wallsFolders.ts';

test(
  'inside, guarded places are asked before each write, by name and by where a link leads',
  { skip },
  async () => {
    await link('w/notes.txt', '.git/config');
    await link('w/.vscode/settings.json', '../src/a.ts');
    for (const name of [
      'w/.git/config',
      'w/.GIT/hooks/x',
      'w/notes.txt',
      'w/.vscode/settings.json',
      'w/x/.env',
    ]) {
      const verdict = await asked(name, 'write');
      assert.deepEqual([verdict.folder, verdict.once], [null, true], name);
      grants.allowFile(verdict.place, 'write');
      grants.allowFolder(inBase('w'), 'write');
      await asked(name, 'write');
      assert.equal((await judge(name, 'read')).kind, 'open');
    }
    assert.match(
      (await asked('w/notes.txt', 'write')).reason,
      /^notes\.txt is a link to .*\.git\/config\. This belongs to Git/,
    );
  },
);

test(
  'what the person has allowed is not asked again, but for guarded places',
  { skip },
  async () => {
    const verdict = await asked('outside/secret', 'write');
    grants.allowFolder(verdict.folder ?? '', 'write');
    assert.equal((await judge('outside/deep/x', 'write')).kind, 'open');
    assert.equal((await judge('outside/new/x', 'read')).kind, 'open');
    await link('w/file', '../outside/secret');
    assert.equal((await judge('w/file', 'write')).kind, 'open');
    await link('outside/deep/away', inBase('w-evil'));
    await asked('outside/deep/away/x', 'read');
    await asked('outside/deep/.ssh/id_rsa', 'read');
    await asked('outside/.git/config', 'write');
    assert.equal((await judge('outside/.git/config', 'read')).kind, 'open');
    const [read] = [await asked('w-evil/x', 'read')];
    grants.allowFile(read.place, 'read');
    assert.equal((await judge('w-evil/x', 'read')).kind, 'open');
    await asked('w-evil/x', 'write');
  },
);

test(
  'no answer opens the home folder, what is above it, or what is above the workspace',
  { skip },
  async () => {
    for (const name of ['home/notes', 'notes', '/notes']) {
      const verdict = await asked(name);
      assert.deepEqual([verdict.folder, verdict.once], [null, false], name);
    }
    assert.equal((await asked('home/docs/a')).folder, inBase('home/docs'));
    const keys = await asked('home/.ssh/id_rsa');
    assert.deepEqual([keys.folder, keys.once], [null, true]);
    assert.match(keys.reason, /outside of the workspace\. This holds keys/);
  },
);

test(
  'no answer opens what many share, nor a whole disk, but only the one file in it',
  linuxOnly,
  async () => {
    const name = `/tmp/${path.basename(base)}.txt`;
    const chat = { directories: [], grants };
    for (const file of [name, '/x', '/mnt/x', '/media/me/STICK/x', '/home/other/x', '/opt/x']) {
      const { folder, once } = await asked(file, 'write');
      assert.deepEqual([folder, once], [null, false], file);
    }
    const { place } = await asked(name, 'write');
    grants.allowFile(place, 'write');
    assert.equal((await judge(name, 'write')).kind, 'open');
    assert.equal((await judge(`${name}x`, 'write')).kind, 'ask');
    const folder = await access().judgeFolder('/tmp', chat);
    assert.ok(folder.kind === 'ask' && folder.folder === null);
  },
);

test('whoever opens the whole home folder is still asked for its keys', { skip }, async () => {
  const by = access(['home']);
  assert.equal((await judge('home/notes', 'write', by)).kind, 'open');
  assert.equal((await asked('home/.ssh/id_rsa', 'read', by)).once, true);
  assert.equal((await asked('home/.bashrc', 'write', by)).once, true);
});

test(
  'without trust nothing is written and no command run, and reading inside goes on',
  { skip },
  async () => {
    const by = access(['w'], false);
    assert.equal((await judge('w/src/a.ts', 'read', by)).kind, 'open');
    await assert.rejects(judge('w/src/a.ts', 'write', by), refused('refused', /not trusted/));
    const chat = { directories: [], grants };
    await assert.rejects(by.judgeFolder(inBase('w'), chat), refused('refused', /not trusted/));
  },
);

test("with no folder open only the chat's own directories are inside", { skip }, async () => {
  const by = access([]);
  const chat = { directories: [inBase('w2')], grants };
  assert.equal((await by.judge(inBase('w2/x'), 'write', chat)).kind, 'open');
  const other = await by.judge(inBase('w/src/a.ts'), 'read', chat);
  assert.ok(other.kind === 'ask');
  assert.match(other.reason, /outside of this chat's folder\.$/);
});

test(
  'a folder for commands must be there and be a folder, and is held to the same walls',
  { skip },
  async () => {
    const by = access();
    const chat = { directories: [], grants };
    await link('w/src/away', inBase('outside'));
    assert.equal((await by.judgeFolder(inBase('w/src'), chat)).kind, 'open');
    assert.equal((await by.judgeFolder(inBase('w/.git'), chat)).kind, 'open');
    await assert.rejects(
      by.judgeFolder(inBase('w/none'), chat),
      refused('notFound', /no such folder/),
    );
    await assert.rejects(
      by.judgeFolder(inBase('w/src/a.ts'), chat),
      refused('failed', /not a folder/),
    );
    await assert.rejects(by.judgeFolder('src', chat), refused('refused', /absolute/));
    for (const name of ['outside', 'w/src/away']) {
      const verdict = await by.judgeFolder(inBase(name), chat);
      assert.ok(verdict.kind === 'ask' && verdict.folder === inBase('outside'), name);
    }
    // Nobody is told what there is outside before the person has answered.
    for (const name of ['outside/none', 'outside/none/deep', 'outside/secret']) {
      const verdict = await by.judgeFolder(inBase(name), chat);
      assert.ok(verdict.kind === 'ask' && verdict.folder === inBase(name), name);
    }
    const top = await by.judgeFolder(base, chat);
    assert.ok(top.kind === 'ask' && top.folder === null);
    grants.allowFolder(inBase('outside'), 'read');
    assert.equal((await by.judgeFolder(inBase('outside'), chat)).kind, 'ask');
    grants.allowFolder(inBase('outside'), 'write');
    assert.equal((await by.judgeFolder(inBase('outside/deep'), chat)).kind, 'open');
  },
);

test(
  'in random trees of links, whatever is open really lies in a workspace folder',
  { skip },
  async () => {
    let state = 7;
    const below = (count: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * count);
    };
    const pick = (all: readonly string[]): string => all[below(all.length)] ?? '';
    const names = ['a', 'b', 'c'];
    const targets = [
      '..',
      '../..',
      '../a',
      'b',
      '../../outside',
      '../w2',
      'c/a',
      inBase('w2'),
      inBase('outside'),
    ];
    let open = 0;
    for (let tree = 0; tree < 25; tree++) {
      await fs.rm(inBase('w/r'), { recursive: true, force: true });
      await fs.mkdir(inBase('w/r'));
      for (let entry = 0; entry < 8; entry++) {
        const at = inBase(path.join('w/r', pick(names), pick(names)));
        const isLink = below(2) === 0;
        // What cannot be made in this tree, since a link to nowhere or a file is in the way, is left out.
        await fs.mkdir(path.dirname(at), { recursive: true }).catch(() => undefined);
        const made = isLink ? fs.symlink(pick(targets), at) : fs.mkdir(at);
        await made.catch(() => undefined);
      }
      for (let look = 0; look < 30; look++) {
        const rest = Array.from({ length: 1 + below(5) }, () => pick([...names, '..', 'new']));
        const text = `${inBase('w/r')}/${rest.join('/')}`;
        const verdict = await judge(text).catch(() => null);
        if (verdict?.kind !== 'open' || verdict.place.kind !== 'disk') continue;
        open += 1;
        const { real } = verdict.place;
        assert.ok(
          [inBase('w'), inBase('w2')].some((root) => `${real}/`.startsWith(`${root}/`)),
          text,
        );
        const really = await fs.realpath(verdict.place.path).catch(() => null);
        if (really !== null) assert.equal(really, real, text);
      }
    }
    assert.ok(open > 100, 'many of them must be open');
  },
);
