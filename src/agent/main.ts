import { Pace } from './pace.ts';
import { ReferenceAgent } from './referenceAgent.ts';
import { scrub } from './server/faults.ts';
import { serve } from './server/serve.ts';
import { DEMO_OPTION, terminalDemo } from './terminalDemo.ts';
import { USAGE } from './usage.ts';
import { VERSION } from './version.ts';

const BAD_USAGE = 2;
/** How long what has been written may still travel to a client that reads slowly. */
const LAST_WORDS_MS = 1_000;

function log(line: string): void {
  process.stderr.write(`parley-reference: ${line}\n`);
}

/** Speaks ACP on stdio until the client is gone or the process is told to end. */
async function speak(): Promise<void> {
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
      log,
    });
  } finally {
    process.stdin.destroy();
    setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
  }
}

const [option] = process.argv.slice(2);
if (option === undefined) {
  void speak();
} else if (option === '--help' || option === '-h') {
  process.stdout.write(USAGE);
} else if (option === '--version' || option === '-v') {
  process.stdout.write(`parley-reference ${VERSION} (ACP v1)\n`);
} else if (option === DEMO_OPTION) {
  void terminalDemo((text) => void process.stdout.write(text));
} else {
  process.stderr.write(`I do not know the option "${scrub(option)}".\n\n${USAGE}`);
  process.exitCode = BAD_USAGE;
}
