import { spawn } from 'node:child_process';
import type { CancellationToken } from 'vscode';
import type { Launch } from '../../client/agents/catalog.ts';

export interface CheckRun {
  /** How the bundled agent is started, which does the checking. */
  readonly checker: Launch;
  /** How the agent is started that is checked. */
  readonly launch: Launch;
  /** For turns; empty for none. */
  readonly prompt: string;
}

/** A row of the report that is being worked on. */
export interface CheckStep {
  readonly number: number;
  readonly of: number;
  readonly title: string;
}

export type CheckOutcome =
  | { readonly kind: 'report'; readonly report: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'cancelled' };

/** Characters of a report and of an error that are kept: a report is some hundred thousand at most. */
const REPORT_CHARACTERS = 8_000_000;
const ERROR_CHARACTERS = 4_000;
const STEP = /^\[(\d+)\/(\d+)\] (.*)$/;

/** Runs the check in a process of its own, which ends the agent and itself when the channel to it is closed. */
export function runCheck(
  { checker, launch, prompt }: CheckRun,
  token: CancellationToken,
  onStep: (step: CheckStep) => void,
): Promise<CheckOutcome> {
  const options = ['--format', 'markdown', '--progress', '--cwd', launch.cwd];
  const turns = prompt === '' ? [] : ['--prompt', prompt];
  const command = ['--', launch.command, ...launch.args];
  const child = spawn(
    checker.command,
    [...checker.args, 'conformance', ...options, ...turns, ...command],
    {
      cwd: launch.cwd,
      // The agent's own variables are for the agent alone: some of them would change the checker.
      env: {
        ...process.env,
        ...checker.env,
        PARLEY_CONFORMANCE_ENV: JSON.stringify(launch.env),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    },
  );
  const cancelling = token.onCancellationRequested(() => {
    if (child.connected) child.disconnect();
  });
  let report = '';
  let errors = '';
  let pending = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (report.length < REPORT_CHARACTERS) report += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (pending + text).slice(-ERROR_CHARACTERS).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const [, number, of, title] = STEP.exec(line) ?? [];
      if (title !== undefined) onStep({ number: Number(number), of: Number(of), title });
      else errors = `${errors}${line}\n`.slice(-ERROR_CHARACTERS);
    }
  });
  return new Promise((resolve) => {
    const end = (outcome: CheckOutcome): void => {
      cancelling.dispose();
      resolve(token.isCancellationRequested ? { kind: 'cancelled' } : outcome);
    };
    child.once('error', (error) => {
      end({ kind: 'failed', reason: error.message });
    });
    child.once('close', () => {
      const reason = (errors + pending).trim().split('\n')[0] ?? '';
      end(report === '' ? { kind: 'failed', reason } : { kind: 'report', report });
    });
  });
}
