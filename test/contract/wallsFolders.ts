import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { FileAccess, Grants, type Verdict } from '../../src/client/files/access.ts';
import { platformOf } from '../../src/client/files/paths.ts';
import type { FileUse } from '../../src/client/files/place.ts';
import { FileFault } from '../../src/client/ports.ts';
import { FakeWorkspace } from '../fakes/fakeWorkspace.ts';

// Links need a privilege on Windows.
export const skip = process.platform === 'win32';
export const platform = platformOf(process.platform);
export const linuxOnly = { skip: process.platform !== 'linux' };

/** Holds `w` and `w2`, which are open, `home`, `outside` and `w-evil`, which are not. */
export let base = '';
export let grants = new Grants();
export const inBase = (name: string): string => path.join(base, name);

before(async () => {
  base = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'walls-')));
  for (const folder of [
    'w/src',
    'w/.git',
    'w2',
    'outside/deep',
    'w-evil',
    'home/.ssh',
    'home/docs',
  ]) {
    await fs.mkdir(inBase(folder), { recursive: true });
  }
  for (const file of [
    'w/src/a.ts',
    'w/.git/config',
    'outside/secret',
    'outside/deep/x',
    'w-evil/x',
  ]) {
    await fs.writeFile(inBase(file), file);
  }
  for (const file of ['home/.ssh/id_rsa', 'home/notes', 'home/docs/a']) {
    await fs.writeFile(inBase(file), file);
  }
});
beforeEach(() => {
  grants = new Grants();
});
after(() => fs.rm(base, { recursive: true, force: true }));

export function access(folders: readonly string[] = ['w', 'w2'], trusted = true): FileAccess {
  const workspace = new FakeWorkspace(folders.map(inBase));
  workspace.setTrust(trusted);
  return new FileAccess({ workspace, platform, home: inBase('home') });
}

export function judge(name: string, use: FileUse = 'read', by = access()): Promise<Verdict> {
  const text = path.isAbsolute(name) ? name : `${base}/${name}`;
  return by.judge(text, use, { directories: [], grants });
}

export async function asked(name: string, use: FileUse = 'read', by = access()): Promise<Ask> {
  const verdict = await judge(name, use, by);
  assert.equal(verdict.kind, 'ask', name);
  return verdict;
}
export type Ask = Extract<Verdict, { kind: 'ask' }>;

export function refused(kind: FileFault['kind'], words: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof FileFault);
    assert.equal(error.kind, kind);
    assert.match(error.message, words);
    return true;
  };
}

export async function link(name: string, target: string): Promise<string> {
  await fs.rm(inBase(name), { recursive: true, force: true });
  await fs.mkdir(path.dirname(inBase(name)), { recursive: true });
  await fs.symlink(target, inBase(name));
  return name;
}
