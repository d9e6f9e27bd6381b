import { Pace } from './pace.ts';
import { ReferenceAgent } from './referenceAgent.ts';
import { scrub } from './server/faults.ts';
import { serve } from './server/serve.ts';
import type { SessionLimits } from './startup.ts';
import { readArguments } from './startup.ts';
import { terminalDemo } from './terminalDemo.ts';
import { USAGE } from './usage.ts';
import { VERSION } from './version.ts';

const BAD_USAGE = 2;
/** How long what has been written may still travel to a client that reads slowly. */
const LAST_WORDS_MS = 1_000;

function log(line: string): void {
  process.stderr.write(`parley-reference: ${line}\n`);
}

/** Speaks ACP on stdio until the client is gone or the process is told to end. */
async function speak(limits: SessionLimits): Promise<void> {
  // stdout belongs to the protocol: whatever prints to the console, libraries included, goes to stderr.
  console.log = console.info = console.debug = console.error;
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      ending.abort();
    });
  }
  process.on('unhandledRejection', (reason) => {
    log(scrub(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)));
  });
  if (process.stdin.isTTY) {
    log('waiting for an ACP client on stdin; Ctrl+C ends this, --help says more');
  }
  try {
    await serve(new ReferenceAgent(Pace.fromEnvironment(process.env['PARLEY_AGENT_PACE_MS'])), {
      input: process.stdin,
      output: process.stdout,
      signal: ending.signal,
      options: { ...limits, log },
    });
  } finally {
    process.stdin.destroy();
    setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
  }
}

function fail(error: unknown): void {
  log(scrub(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  process.exit(BAD_USAGE);
}

const words = process.argv.slice(2);
const start =
  words[0] === 'conformance' ? ({ kind: 'conformance' } as const) : readArguments(words);
switch (start.kind) {
  case 'conformance':
    void import('./conformance/conformance.ts')
      .then(({ conformance }) => conformance(words.slice(1)))
      .then((code) => process.exit(code), fail);
    break;
  case 'speak':
    void speak(start.limits);
    break;
  case 'play':
    void import('./scenes/play.ts')
      .then(({ playToEnd }) => playToEnd(start.play, scrub))
      .catch(fail);
    break;
  case 'help':
    process.stdout.write(USAGE);
    break;
  case 'version':
    process.stdout.write(`parley-reference ${VERSION} (ACP v1)\n`);
    break;
  case 'terminalDemo':
    void terminalDemo((text) => void process.stdout.write(text));
    break;
  case 'wrong':
    process.stderr.write(`${scrub(start.complaint)}\n\n${USAGE}`);
    process.exitCode = BAD_USAGE;
}
