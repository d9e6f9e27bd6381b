const { builtinModules } = require('node:module');

/** Who may import whom: one row per floor of the house, bottom first (see ARCHITECTURE.md). */
const floors = {
  base: { path: '^src/base/', may: [] },
  protocol: {
    path: '^src/protocol/',
    may: ['base'],
    packages: ['vscode-jsonrpc', 'valibot', '@agentclientprotocol/sdk'],
    builtins: ['stream'],
  },
  thread: { path: '^src/thread/', may: ['base'], files: ['^src/protocol/acp\\.ts$'] },
  bridge: { path: '^src/bridge/', may: ['thread'] },
  client: {
    path: '^src/client/',
    may: ['base', 'protocol', 'thread'],
    packages: ['cross-spawn', 'valibot'],
    builtins: ['*'],
  },
  vscode: {
    path: '^src/vscode/',
    may: ['base', 'thread', 'bridge', 'client'],
    packages: ['vscode', 'valibot'],
    builtins: ['*'],
  },
  agent: {
    path: '^src/agent/',
    may: [],
    files: ['^src/protocol/acp\\.ts$'],
    packages: ['@agentclientprotocol/sdk'],
    builtins: ['*'],
  },
  webview: {
    path: '^webview/',
    may: ['bridge'],
    packages: ['preact', '@preact/signals', 'marked'],
  },
};

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const builtins = `^(node:)?(${builtinModules.map(escape).join('|')})$`;

function wall([name, floor]) {
  const allowed = [
    floor.path,
    ...floor.may.map((other) => floors[other].path),
    ...(floor.files ?? []),
    ...(floor.packages ?? []).flatMap((pkg) => [
      `^node_modules/${escape(pkg)}/`,
      `^node_modules/@types/${escape(pkg)}/`,
      `^${escape(pkg)}$`,
    ]),
    ...(floor.builtins ?? []).map((name) => (name === '*' ? builtins : `^(node:)?${name}$`)),
  ];
  return {
    name: `${name}-stays-inside-its-walls`,
    severity: 'error',
    from: { path: floor.path },
    to: { pathNot: allowed },
  };
}

module.exports = {
  forbidden: [
    ...Object.entries(floors).map(wall),
    {
      name: 'the-composition-root-knows-only-host-code',
      severity: 'error',
      from: { path: '^src/(app|extension)\\.ts$' },
      to: { path: '^(src/agent|webview)/' },
    },
    {
      name: 'nobody-imports-the-composition-root',
      severity: 'error',
      from: { pathNot: '^src/extension\\.ts$' },
      to: { path: '^src/(app|extension)\\.ts$' },
    },
    {
      name: 'the-entry-knows-only-the-shell',
      severity: 'error',
      from: { path: '^src/extension\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(app\\.ts|vscode/shell\\.ts)$' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-forgotten-file',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '^src/agent/main\\.ts$'] },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'src/tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts'],
    },
  },
};
