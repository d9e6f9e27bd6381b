/**
 * Builds everything that runs: the extension (for VS Code's Node), the chat page (for its webview), the bundled
 * agent (a program of its own and a library) and, with --tests, the tests.
 *
 *   node esbuild.mjs [--production] [--watch] [--tests]
 */
import esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { declarationsOf } from './declarations.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};
const node = { ...common, platform: 'node', format: 'cjs', target: 'node20' };

/**
 * esbuild splits only ES modules, and VS Code resolves `vscode` for `require` in every version: so the extension and the
 * agent are built as ES modules that share chunks, and each of them is turned into CommonJS.
 */
const splitCommonJs = {
  name: 'split-commonjs',
  setup(build) {
    Object.assign(build.initialOptions, { format: 'esm', splitting: true, write: false });
    const { minify, target, sourcemap } = build.initialOptions;
    if (sourcemap) build.initialOptions.sourcemap = 'inline';
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path: file, text } of outputFiles) {
        const { code, map } = await esbuild.transform(text, {
          platform: 'node',
          format: 'cjs',
          supported: { 'dynamic-import': false },
          minify,
          target,
          sourcemap: sourcemap ? 'external' : false,
          sourcefile: file,
        });
        fs.mkdirSync(path.dirname(file), { recursive: true });
        if (sourcemap) fs.writeFileSync(`${file}.map`, map);
        const link = sourcemap ? `//# sourceMappingURL=${path.basename(file)}.map\n` : '';
        fs.writeFileSync(file, code + link);
      }
    });
  },
};

const shipped = [
  {
    ...node,
    entryPoints: ['src/extension.ts', 'src/app.ts'],
    outdir: 'dist',
    chunkNames: 'chunk-[name]-[hash]',
    external: ['vscode'],
    plugins: [splitCommonJs],
    // Prefer ES modules, so that what is not used is left out.
    mainFields: ['module', 'main'],
  },
  {
    ...node,
    entryPoints: { agent: 'src/agent/main.ts' },
    outdir: 'dist',
    chunkNames: 'chunk-agent-[name]-[hash]',
    plugins: [splitCommonJs],
  },
  {
    // A CommonJS module, as this package has no `"type"`: `require` takes it, and `import` by name.
    ...node,
    entryPoints: ['src/agent/server/index.ts'],
    outfile: 'dist/agent-server.js',
    plugins: [declarationsOf('src/agent/server/index.ts', 'dist/agent-server.d.ts')],
  },
  {
    ...common,
    entryPoints: { webview: 'webview/main.tsx' },
    outdir: 'dist',
    platform: 'browser',
    format: 'esm',
    splitting: true,
    chunkNames: 'chunk-[name]-[hash]',
    target: 'chrome128',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  },
];

/** Every `*.test.ts` below test/ becomes one file of the same name below dist/test/. */
function testBuild() {
  const entryPoints = fs
    .readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(test|bench)\.tsx?$/.test(file) || file === path.join('host', 'index.ts'))
    .map((file) => path.join('test', file));
  return {
    ...node,
    entryPoints,
    outdir: 'dist/test',
    outbase: 'test',
    sourcemap: 'inline',
    minify: false,
    external: [
      'vscode',
      'mocha',
      'playwright-core',
      'esbuild',
      '@vscode/test-electron',
      'axe-core',
    ],
    jsx: 'automatic',
    jsxImportSource: 'preact',
  };
}

function copyIcons() {
  const codicons = path.dirname(
    createRequire(import.meta.url).resolve('@vscode/codicons/package.json'),
  );
  fs.mkdirSync(path.join(root, 'dist'), { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf']) {
    fs.copyFileSync(path.join(codicons, 'dist', file), path.join(root, 'dist', file));
  }
}

/**
 * Chunks carry a hash in their name: without this, those of earlier builds would pile up and be shipped. They go last, for
 * a program that was started before may still want them while it is built anew.
 * @param {readonly esbuild.BuildResult[]} results
 */
function removeOldFiles(results) {
  const built = new Set(
    results.flatMap(({ metafile }) =>
      Object.keys(metafile.outputs).map((file) => path.basename(file)),
    ),
  );
  const dist = path.join(root, 'dist');
  for (const file of fs.readdirSync(dist)) {
    const isOldChunk = file.startsWith('chunk-') && !built.has(file.replace(/\.map$/, ''));
    if (isOldChunk || (production && file.endsWith('.map'))) fs.rmSync(path.join(dist, file));
  }
}

copyIcons();
const builds = flags.has('--tests') ? [...shipped, testBuild()] : shipped;
if (flags.has('--watch')) {
  const contexts = await Promise.all(builds.map((options) => esbuild.context(options)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  removeOldFiles(await Promise.all(builds.map((options) => esbuild.build(options))));
}
