import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { COMMAND_IDS } from '../../../src/vscode/ui/commandIds.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly keybindings: readonly { readonly command: string; readonly when?: string }[];
  };
}

const read = (file: string): unknown => JSON.parse(fs.readFileSync(file, 'utf8'));

function manifest(): Manifest {
  return read('package.json') as Manifest;
}

test('every command of the manifest is registered, and no other', () => {
  const declared = manifest().contributes.commands.map(({ command }) => command);
  assert.deepEqual(declared.toSorted(), [...COMMAND_IDS].toSorted());
});

test('menus and keybindings name commands that there are', () => {
  const { menus, keybindings } = manifest().contributes;
  const ids = new Set<string>(COMMAND_IDS);
  for (const { command } of [...Object.values(menus).flat(), ...keybindings]) {
    assert.ok(ids.has(command), command);
  }
});

test('every keybinding has a condition of ours, so that none takes a key elsewhere', () => {
  for (const { command, when } of manifest().contributes.keybindings) {
    assert.match(when ?? '', /\bparley\.\w+/, command);
  }
});

test('every text of the manifest is there, and none is left over', () => {
  const names = Object.keys(read('package.nls.json') as object);
  const used = [...fs.readFileSync('package.json', 'utf8').matchAll(/"%([\w.]+)%"/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual([...new Set(used)].toSorted(), names.toSorted());
});

test('the list for translators has every text of the editor floor, and none that is gone', () => {
  const listed = Object.keys(read('l10n/bundle.l10n.json') as object);
  assert.deepEqual(listed.toSorted(), textsIn('src').toSorted());
});

/** The texts that are given to `l10n.t`, which must be literals for this to find them. */
function textsIn(folder: string): readonly string[] {
  const texts = new Set<string>();
  for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const source = fs.readFileSync(path.join(folder, file), 'utf8');
    for (const [call] of source.matchAll(/l10n\.t\(\s*./g)) {
      assert.match(call, /['"]$/, `${file}: a text that is no literal`);
    }
    for (const [, , text] of source.matchAll(/l10n\.t\(\s*(['"])((?:(?!\1)[^\\]|\\.)*)\1/g)) {
      if (text !== undefined) texts.add(text);
    }
  }
  return [...texts];
}
