import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { build } from 'esbuild';

/** Every package, by its folder below node_modules, that the shipped bundles hold a part of. */
async function bundledPackages(): Promise<readonly string[]> {
  const node = { platform: 'node', format: 'cjs', target: 'node20' } as const;
  const page = {
    platform: 'browser',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  } as const;
  const results = await Promise.all(
    [
      {
        ...node,
        entryPoints: ['src/extension.ts'],
        external: ['vscode'],
        mainFields: ['module', 'main'],
      },
      { ...node, entryPoints: ['src/agent/main.ts'] },
      { ...page, entryPoints: ['webview/main.tsx'], splitting: true },
    ].map((options) =>
      build({
        ...options,
        bundle: true,
        write: false,
        metafile: true,
        outdir: 'unused',
        logLevel: 'error',
      }),
    ),
  );
  const inputs = results.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs)),
  );
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
    .filter((folder) => folder !== undefined);
  // The build copies the icons, so that no bundle lists them.
  return [...new Set([...folders, 'node_modules/@vscode/codicons'])].sort();
}

describe('the notices for the work of others', () => {
  test('name every package in the bundles with its version, and none that is not there', async () => {
    const notices = fs.readFileSync('ThirdPartyNotices.txt', 'utf8');
    const listed = [...notices.matchAll(/^ {2}(\S+ \d\S*) \(.+\)$/gm)].map(([, name]) => name);
    const bundled = (await bundledPackages()).map((folder) => {
      const manifest: unknown = JSON.parse(
        fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
      );
      assert.ok(typeof manifest === 'object' && manifest !== null && 'version' in manifest);
      return `${folder.split('node_modules/').at(-1) ?? ''} ${String(manifest.version)}`;
    });
    assert.ok(bundled.length > 10, 'the bundles were not understood');
    assert.deepEqual(listed, bundled.sort());
  });

  test('hold the licence of each', () => {
    const [list = '', ...parts] = fs
      .readFileSync('ThirdPartyNotices.txt', 'utf8')
      .split(`\n${'='.repeat(100)}\n`);
    for (const [, name = ''] of list.matchAll(/^ {2}(\S+ \d\S*) \(.+\)$/gm)) {
      const at = parts.findIndex((part) => part.startsWith(`${name}\n`));
      assert.notEqual(at, -1, `no part for ${name}`);
      assert.match(
        parts[at + 1] ?? '',
        /permission to use|permission is hereby granted|Apache License|Creative Commons/i,
        name,
      );
    }
  });
});
