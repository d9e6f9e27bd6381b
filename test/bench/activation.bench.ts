/**
 * What activating the extension costs: loading `dist/extension.js` and calling `activate`, in a fresh process each
 * time, with an API of VS Code that does nothing. No agent is started. The build for development is measured where it
 * is what lies in `dist/`: it is the slower one.
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
if (child) measure();
else report();

function report(): void {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const output = execFileSync(process.execPath, [__filename, '--child'], { encoding: 'utf8' });
    return output.trim().split(' ').map(Number);
  });
  const load = median(rounds.map(([value = NaN]) => value));
  const activate = median(rounds.map(([, value = NaN]) => value));
  const whole = median(rounds.map(([a = NaN, b = NaN]) => a + b));
  const verdict = whole <= GOAL ? 'PASS' : 'FAIL';
  console.log(`| figure | median of ${ROUNDS} | goal | |`);
  console.log('|---|---|---|---|');
  console.log(
    `| activation, CPU ms (load ${load.toFixed(1)} + activate ${activate.toFixed(1)}) | ${whole.toFixed(1)} | <= ${GOAL} | ${verdict} |`,
  );
  process.exitCode = whole <= GOAL ? 0 : 1;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Prints the CPU milliseconds of loading and of activating. */
function measure(): void {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'));
  try {
    const [load, activate] = activation(home);
    console.log(`${load} ${activate}`);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
  // Timers and reads that activation began do not belong to it.
  process.exit();
}

function activation(home: string): readonly [number, number] {
  const vscode = Object.fromEntries(API.map((name) => [name, nothing()]));
  const load = Module.createRequire(extension);
  provide('vscode', vscode);
  const context = {
    subscriptions: [],
    extensionPath: path.dirname(path.dirname(extension)),
    asAbsolutePath: (file: string) => path.join(path.dirname(path.dirname(extension)), file),
    extensionUri: nothing(),
    logUri: { fsPath: path.join(home, 'log') },
    storageUri: { fsPath: path.join(home, 'storage') },
    globalStorageUri: { fsPath: path.join(home, 'global') },
    globalState: { get: () => undefined, update: () => Promise.resolve() },
    extension: { packageJSON: { version: '0.0.0' } },
  };
  preload();
  const start = process.cpuUsage();
  const loaded: unknown = load(extension);
  const afterLoad = process.cpuUsage(start);
  const activate = isExtension(loaded) ? loaded.activate : undefined;
  if (activate === undefined) throw new Error('dist/extension.js has no activate');
  const before = process.cpuUsage();
  activate(context);
  const afterActivate = process.cpuUsage(before);
  return [milliseconds(afterLoad), milliseconds(afterActivate)];
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
