import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, NotStarted } from './check.ts';
import { isObject } from './json.ts';
import type { ConformanceOptions } from './options.ts';
import { CONFORMANCE_USAGE, parseOptions } from './options.ts';
import { counts, print } from './report.ts';
import { NOTES } from './walk.ts';

const HOLDS = 0;
const DEVIATES = 1;
const NOT_STARTED = 2;

/** Variables for the agent as a JSON object, from whoever starts this process with an environment of its own. */
const AGENT_ENVIRONMENT = 'PARLEY_CONFORMANCE_ENV';

/**
 * The program `agent.js conformance`: prints the report to stdout, and why there is none to stderr.
 *
 * @returns The exit code: 0 without deviations, 1 with some, 2 if the agent cannot be started or the line is wrong.
 */
export async function conformance(args: readonly string[]): Promise<number> {
  if (args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(CONFORMANCE_USAGE);
    return HOLDS;
  }
  const options = parseOptions(args);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${CONFORMANCE_USAGE}`);
    return NOT_STARTED;
  }
  const ending = new AbortController();
  const end = (): void => {
    ending.abort(new NotStarted('the check was ended'));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  // Who has started us over a channel ends us by closing it: that works on every platform.
  process.once('disconnect', end);
  process.channel?.unref();
  return run(options, ending.signal);
}

async function run(options: ConformanceOptions, signal: AbortSignal): Promise<number> {
  // The real path: agents answer with it, and on macOS the temporary folder is a link.
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-conformance-')));
  try {
    fs.writeFileSync(path.join(scratch, NOTES), 'Notes for a conformance check.\n');
    const { command, args, timeout, prompt } = options;
    const cwd = options.cwd === undefined ? scratch : path.resolve(options.cwd);
    const report = await check({
      command: {
        command: absolute(command),
        args: args.map(absolute),
        cwd,
        env: environment(),
      },
      scratch,
      timeout,
      prompt,
      signal,
      onRow: options.progress ? tell : undefined,
    });
    await write(print(report, options.format));
    return counts(report).deviates > 0 ? DEVIATES : HOLDS;
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    process.stderr.write(`There is no report: ${error.message}\n`);
    return NOT_STARTED;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A path to something that is there, seen from here: the agent starts in another folder. */
function absolute(word: string): string {
  return /[/\\]/.test(word) && fs.existsSync(word) ? path.resolve(word) : word;
}

function tell(number: number, of: number, title: string): void {
  process.stderr.write(`[${number}/${of}] ${title}\n`);
}

/** The agent's environment: ours, or ours with what it is given on top and without what makes VS Code's runtime Node. */
function environment(): NodeJS.ProcessEnv {
  const { [AGENT_ENVIRONMENT]: given, ...own } = process.env;
  if (given === undefined) return own;
  const variables: unknown = JSON.parse(given);
  const entries = Object.entries(isObject(variables) ? variables : {});
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  delete own['ELECTRON_RUN_AS_NODE'];
  return { ...own, ...Object.fromEntries(texts) };
}

function write(text: string): Promise<void> {
  return new Promise((resolve) =>
    process.stdout.write(text, () => {
      resolve();
    }),
  );
}
