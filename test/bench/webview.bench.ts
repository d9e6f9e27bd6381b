/**
 * What a streamed answer costs the page: main-thread time per chunk behind answers of several lengths, and the sizes of
 * what ships. The build for production is made first, since that is what people run.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { CDPSession } from 'playwright-core';
import { PageServer, type FakeHost } from '../fakes/FakeHost.ts';
import { agent, RUNNING, turn, user, view } from '../webview/gallery/states.ts';

/** Characters of answer that are there before chunks are measured. */
const SIZES = [5_000, 50_000, 200_000] as const;
const CHUNK = 20;
const CHUNKS = 150;
const ROUNDS = 5;
const WARM_UP = 100_000;
/** Chunks per second: a quick agent. */
const RATE = 200;
const KB = 1000;

const PIECE = `## A heading

A paragraph with **bold**, \`code\` and [a link](https://example.org), long enough to go over more than one line of the view.

- an item
- another with *emphasis*
- a third

\`\`\`ts
export function add(a: number, b: number): number {
  return a + b;
}
\`\`\`

| Name | Value |
|---|--:|
| one | 1 |
| two | 2 |

`;

/** An answer of that length, ending where a block ends. */
function answer(length: number): string {
  return PIECE.repeat(Math.ceil(length / PIECE.length));
}

async function cpu(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
  return value('TaskDuration') * 1000;
}

/** Main-thread milliseconds per chunk, streamed behind an answer of `size` characters. */
async function measure(host: FakeHost, session: CDPSession, size: number): Promise<number> {
  const show = async (text: string): Promise<void> => {
    await host.snapshot(view({ thread: { latest: turn(RUNNING, [user('Go'), agent(text)]) } }));
    await host.settled();
  };
  // Each size meets the same warm code.
  await show(answer(WARM_UP));
  await show(answer(size));
  const text = answer(CHUNK * CHUNKS).slice(0, CHUNK * CHUNKS);
  const run = async (chunks: number): Promise<number> => {
    const before = await cpu(session);
    await host.page.evaluate(stream, {
      text,
      chunks,
      rate: RATE,
      size: CHUNK,
      revision: host.revision,
    });
    host.revision += chunks;
    return (await cpu(session)) - before;
  };
  await run(30);
  return (await run(CHUNKS)) / CHUNKS;
}

/** Runs in the page: posts chunks at an even rate, as the host would, and waits until they are drawn. */
async function stream(work: {
  text: string;
  chunks: number;
  rate: number;
  size: number;
  revision: number;
}): Promise<void> {
  const start = performance.now();
  let sent = 0;
  while (sent < work.chunks) {
    const due = Math.min(work.chunks, Math.ceil(((performance.now() - start) * work.rate) / 1000));
    for (; sent < due; sent++) {
      const text = work.text.slice(sent * work.size, (sent + 1) * work.size);
      const base = work.revision + sent;
      const changes = [{ type: 'text', turn: 0, index: 1, text }];
      window.postMessage({ type: 'patch', base, revision: base + 1, changes, view: {} }, '*');
    }
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

interface Row {
  readonly figure: string;
  readonly value: string;
  readonly goal: string;
  readonly pass: boolean | null;
}

async function chunkRows(): Promise<readonly Row[]> {
  const server = await PageServer.start();
  try {
    const costs = new Map<number, number[]>(SIZES.map((size) => [size, []]));
    // Interleaved, so that a busy moment of the machine meets all sizes alike.
    for (let round = 0; round < ROUNDS; round++) {
      for (const size of SIZES) {
        const host = await server.open({ width: 480, height: 800 });
        const session = await host.page.context().newCDPSession(host.page);
        await session.send('Performance.enable');
        costs.get(size)?.push(await measure(host, session, size));
        await host.close();
      }
    }
    const at = (size: number): number => median(costs.get(size) ?? []);
    const absolute = SIZES.map((size) => ({
      figure: `main thread a chunk at ${size / KB} KB of answer`,
      value: `${at(size).toFixed(2)} ms`,
      goal: 'reported',
      pass: null,
    }));
    const ratio = at(50_000) / at(5_000);
    const later = at(200_000) / at(50_000);
    return [
      ...absolute,
      {
        figure: '50 KB against 5 KB',
        value: ratio.toFixed(2),
        goal: '<= 1.50',
        pass: ratio <= 1.5,
      },
      { figure: '200 KB against 50 KB', value: later.toFixed(2), goal: 'reported', pass: null },
    ];
  } finally {
    await server.stop();
  }
}

/** What ships, minified. */
function sizeRow(what: string, bytes: number, limit: number): Row {
  return {
    figure: `${what}, minified`,
    value: `${(bytes / KB).toFixed(0)} KB`,
    goal: `<= ${limit} KB`,
    pass: bytes <= limit * KB,
  };
}

/** What Node loads when the agent is started. @returns Bytes. */
function agentBytes(): number {
  const count =
    "const files = Object.keys(require.cache).map((file) => require('fs').statSync(file).size);" +
    'console.log(files.reduce((sum, size) => sum + size, 0));';
  const start = `require(${JSON.stringify(path.resolve('dist', 'agent.js'))});${count}`;
  const args = ['-e', start, 'agent', '--version'];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return Number(printed.trim().split('\n').at(-1));
}

function sizeRows(): readonly Row[] {
  const round = [path.join('dist', 'test', 'bench', 'activation.bench.js'), '--child'];
  const [, , loaded = NaN] = execFileSync(process.execPath, round, { encoding: 'utf8' })
    .trim()
    .split(' ')
    .map(Number);
  return [
    sizeRow('webview.js', fs.statSync('dist/webview.js').size, 200),
    sizeRow('the extension until an agent is started', loaded, 250),
    sizeRow('the agent until its first session', agentBytes(), 250),
  ];
}

async function main(): Promise<void> {
  execFileSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: 'inherit' });
  const rows = [...(await chunkRows()), ...sizeRows()];
  const width = Math.max(...rows.map(({ figure }) => figure.length));
  for (const { figure, value, goal, pass } of rows) {
    const verdict = pass === null ? '' : pass ? 'PASS' : 'FAIL';
    console.log(`${figure.padEnd(width)}  ${value.padStart(9)}  ${goal.padEnd(10)}  ${verdict}`);
  }
  if (rows.some(({ pass }) => pass === false)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
