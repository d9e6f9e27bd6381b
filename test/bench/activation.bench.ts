/**
 * What activating the extension costs: loading `dist/extension.js` and calling `activate`, in a fresh process each
 * time, with an API of VS Code that does nothing; and what the first command costs then, which loads the application. No
 * agent is started. The build for development is measured where it is what lies in `dist/`: it is the slower one.
 *
 *   node dist/test/bench/activation.bench.js --child   one round: milliseconds of both, and the bytes that they loaded
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import Module from 'node:module';
import os from 'node:os';
import path from 'node:path';

const ROUNDS = 11;
/** Milliseconds of CPU, user and system together. */
const GOAL = 15;

/** The parts of VS Code's API that a bundle may want to copy when it is loaded. */
const API = [
  ...['window', 'workspace', 'commands', 'env', 'l10n', 'Uri', 'ThemeIcon', 'Range', 'Position'],
  ...['WorkspaceEdit', 'ConfigurationTarget', 'QuickPickItemKind', 'FileType', 'FileSystemError'],
  ...['EndOfLine', 'ProgressLocation', 'ViewColumn', 'EventEmitter', 'Disposable'],
];

const BUILTINS = new Set([
  ...['child_process', 'crypto', 'events', 'fs', 'fs/promises', 'net', 'os', 'path', 'perf_hooks'],
  ...['stream', 'stream/promises', 'string_decoder', 'timers/promises', 'url', 'util'],
]);

const extension = path.resolve('dist', 'extension.js');
const child = process.argv[2] === '--child';
if (child) void measure();
else report();

function report(): void {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const output = execFileSync(process.execPath, [__filename, '--child'], { encoding: 'utf8' });
    return output.trim().split(' ').map(Number);
  });
  const activation = median(rounds.map(([value = NaN]) => value));
  const firstUse = median(rounds.map(([, value = NaN]) => value));
  const verdict = activation <= GOAL ? 'PASS' : 'FAIL';
  console.log(`| figure (CPU ms, median of ${ROUNDS}) | result | goal | |`);
  console.log('|---|---|---|---|');
  console.log(
    `| activation: load dist/extension.js, activate | ${activation.toFixed(1)} | <= ${GOAL} | ${verdict} |`,
  );
  console.log(
    `| after it, the first use: load dist/app.js, make the application | ${firstUse.toFixed(1)} | | |`,
  );
  process.exitCode = activation <= GOAL ? 0 : 1;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Prints the CPU milliseconds of activation and of the first use, and the bytes of what was loaded for both. */
async function measure(): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'));
  try {
    const [activation, firstUse] = await used(home);
    console.log(`${activation} ${firstUse} ${loadedBytes()}`);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
  // Timers and reads that were begun do not belong to it.
  process.exit();
}

async function used(home: string): Promise<readonly [number, number]> {
  const commands = new Map<unknown, (argument?: unknown) => unknown>();
  provide('vscode', {
    ...Object.fromEntries(API.map((name) => [name, nothing()])),
    commands: {
      registerCommand: (id: unknown, run: (argument?: unknown) => unknown) => {
        commands.set(id, run);
      },
      executeCommand: () => Promise.resolve(),
    },
  });
  const load = Module.createRequire(extension);
  preload();
  const start = process.cpuUsage();
  const loaded: unknown = load(extension);
  if (!isExtension(loaded)) throw new Error('dist/extension.js has no activate');
  loaded.activate(contextIn(home));
  const activation = process.cpuUsage(start);
  const before = process.cpuUsage();
  await commands.get('parley.showLog')?.();
  return [milliseconds(activation), milliseconds(process.cpuUsage(before))];
}

/** What Node has loaded of the extension until now. @returns Bytes. */
function loadedBytes(): number {
  return Object.keys(Module.createRequire(extension).cache)
    .filter((file) => path.dirname(file) === path.dirname(extension))
    .reduce((sum, file) => sum + fs.statSync(file).size, 0);
}

function contextIn(home: string): object {
  const root = path.dirname(path.dirname(extension));
  return {
    subscriptions: [],
    asAbsolutePath: (file: string) => path.join(root, file),
    extensionUri: nothing(),
    logUri: { fsPath: path.join(home, 'log') },
    storageUri: { fsPath: path.join(home, 'storage') },
    globalStorageUri: { fsPath: path.join(home, 'global') },
    globalState: { get: () => undefined, update: () => Promise.resolve() },
    extension: { packageJSON: { version: '0.0.0' } },
  };
}

/** Node's own modules, all of which VS Code's extension host has loaded before any extension. */
function preload(): void {
  for (const name of Module.builtinModules) {
    if (BUILTINS.has(name)) process.getBuiltinModule(name);
  }
}

function isExtension(value: unknown): value is { activate: (context: unknown) => unknown } {
  return typeof value === 'object' && value !== null && 'activate' in value;
}

function milliseconds(usage: NodeJS.CpuUsage): number {
  return (usage.user + usage.system) / 1000;
}

/** Lets `require(name)` find `value`, as VS Code's extension host does for `vscode`. */
function provide(name: string, value: unknown): void {
  const loader: unknown = Module;
  if (!hasLoad(loader)) throw new Error('this Node has no Module._load');
  const original = loader._load;
  loader._load = (request, ...rest) =>
    request === name ? value : original.call(loader, request, ...rest);
}

type Load = (request: string, ...rest: readonly unknown[]) => unknown;

function hasLoad(value: unknown): value is { _load: Load } {
  return typeof value === 'function' && '_load' in value;
}

/** Whatever is read of it or called on it is again such a nothing; it is no promise, an empty list, and `''`. */
function nothing(): unknown {
  const answers = new Map<PropertyKey, unknown>([
    ['then', undefined],
    ['fsPath', os.tmpdir()],
    ['length', 0],
    ['isTrusted', true],
    ['workspaceFolders', []],
    ['textDocuments', []],
    ['inspect', () => undefined],
    ['get', () => undefined],
    ['language', 'en'],
    [Symbol.toPrimitive, () => ''],
    [Symbol.iterator, () => [].values()],
  ]);
  const proxy: unknown = new Proxy(function () {}, {
    get: (_target, key) => (answers.has(key) ? answers.get(key) : proxy),
    apply: () => proxy,
    construct: () => ({ dispose: () => undefined }),
  });
  return proxy;
}
