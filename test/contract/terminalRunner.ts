import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { resolveCommand } from '../../src/client/terminals/commandLine.ts';
import { Terminals } from '../../src/client/terminals/terminals.ts';
import type { TerminalExit } from '../../src/thread/thread.ts';

/** What a listener of a set has heard. */
export interface Heard {
  readonly kind: 'started' | 'printed' | 'ended';
  readonly id: string;
  readonly text: string;
  readonly cut: boolean;
  readonly exit?: TerminalExit;
  readonly at: number;
}

/** Whether a process is there and not only waits to be counted as ended. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export const NEVER = new AbortController().signal;

/** Terminals of a window with one set, in a folder of their own. */
export function startTerminals() {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-terminals-')));
  const warnings: string[] = [];
  const ignore = (): void => undefined;
  const warn = (message: string): void => void warnings.push(message);
  const terminals = new Terminals({
    log: { trace: ignore, debug: ignore, info: ignore, warn, error: warn },
  });
  const heard: Heard[] = [];
  const hear = (
    kind: Heard['kind'],
    id: string,
    text: string,
    cut: boolean,
    exit?: TerminalExit,
  ) => {
    const rest = exit === undefined ? {} : { exit };
    heard.push({ kind, id, text, cut, at: performance.now(), ...rest });
  };
  const open = () =>
    terminals.open({
      started: (id, shown) => {
        hear('started', id, shown, false);
      },
      printed: (id, text, cut) => {
        hear('printed', id, text, cut);
      },
      ended: (id, exit, output, cut) => {
        hear('ended', id, output, cut, exit);
      },
    });
  const set = open();
  interface Options {
    readonly args?: readonly string[];
    readonly limit?: number;
    readonly cwd?: string;
    readonly env?: readonly { readonly name: string; readonly value: string }[];
    readonly signal?: AbortSignal;
  }
  const run = (command: string, options: Options = {}): Promise<string> => {
    const { args = [], env = [], cwd = folder, limit = null, signal = NEVER } = options;
    const machine = {
      platform: process.platform,
      shell: '/bin/bash',
      env: process.env,
      exists: fs.existsSync,
    };
    return set.create(resolveCommand({ command, args, env, cwd }, machine), limit, signal);
  };
  /** Runs a command to its end. */
  const whole = async (command: string, options: Options = {}) => {
    const id = await run(command, options);
    const exit = await set.waitForExit(id, NEVER);
    return { id, exit, ...set.output(id) };
  };
  const of = (id: string, kind: Heard['kind']) =>
    heard.filter((each) => each.id === id && each.kind === kind);
  const dispose = (): void => {
    terminals.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  return { folder, terminals, set, open, run, whole, heard, of, warnings, dispose };
}
