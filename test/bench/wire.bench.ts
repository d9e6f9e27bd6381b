/**
 * The speed of the wire, as ratios within one run: rounds are interleaved, a figure is the median over the rounds of
 * the ratio of CPU times (user and system). Prints a table and exits with 1 if a goal is missed.
 */
import { PassThrough, Readable } from 'node:stream';
import { AgentConnection, type AgentRequestHandlers } from '../../src/protocol/connection.ts';
import { NdjsonReader, NdjsonWriter } from '../../src/protocol/ndjson.ts';
import { RequestIds } from '../../src/protocol/requestIds.ts';
import { Rpc } from '../../src/protocol/rpc.ts';
import { apply } from '../../src/thread/change.ts';
import { reduce } from '../../src/thread/reducer.ts';
import { EMPTY_THREAD, type Thread, type ThreadHappening } from '../../src/thread/thread.ts';
import { unservedRequests } from '../fakes/unservedRequests.ts';
import { median, report, type Row } from './figures.ts';

const ROUNDS = 15;
const LINES = 20_000;
/** What a pipe gives at once. */
const PIECE = 64 << 10;
const MAX_LINE = 64 << 20;

/** Bytes of text in a round of large lines. */
const TOTAL = 32 << 20;

type Variant = () => Promise<void>;
type Take = AgentRequestHandlers['sessionUpdate'];

const chunk = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: 'sess_0123456789abcdef',
      update: {
        sessionUpdate: 'agent_message_chunk',
        messageId: 'msg_1',
        content: { type: 'text', text },
      },
    },
  });

const small = Array.from({ length: LINES }, (_, n) =>
  chunk(`${n} a few words, ${n % 7 === 0 ? 'schön 日本語 🙂' : 'plain'} `),
);

function pieces(lines: readonly string[]): Buffer[] {
  const all = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  return Array.from({ length: Math.ceil(all.length / PIECE) }, (_, n) =>
    all.subarray(n * PIECE, (n + 1) * PIECE),
  );
}

function ignore(): void {
  // The empty handler.
}

function fault(...words: string[]): never {
  throw new Error(words.join(': '));
}

function parseAll(lines: readonly string[]): Variant {
  return () => {
    for (const line of lines) JSON.parse(line);
    return Promise.resolve();
  };
}

/** The reader with nothing behind it. */
function reader(input: readonly Buffer[]): Variant {
  return () =>
    new Promise((resolve) => {
      const ndjson = new NdjsonReader(Readable.from(input), new RequestIds(), {
        maxLineBytes: MAX_LINE,
        report: fault,
      });
      ndjson.onClose(() => {
        resolve();
      });
      ndjson.listen(() => {
        ndjson.handled();
      });
    });
}

/** JSON-RPC with a handler that does not look at what it gets. */
function emptyHandler(input: readonly Buffer[]): Variant {
  return () =>
    new Promise((resolve) => {
      const ids = new RequestIds();
      const options = { maxLineBytes: MAX_LINE, report: fault };
      const ndjson = new NdjsonReader(Readable.from(input), ids, options);
      const writer = new NdjsonWriter(new PassThrough(), ids, {});
      ndjson.onClose(() => {
        resolve();
      });
      new Rpc(
        { reader: ndjson, writer, ids },
        { request: () => undefined, notification: ignore, report: fault },
      );
    });
}

/** The whole connection, decoding included. */
function connection(input: readonly Buffer[], take: () => Take): Variant {
  return () =>
    new Promise((resolve) => {
      const agent = new AgentConnection(
        { stdin: new PassThrough(), stdout: Readable.from(input) },
        {
          sessionUpdate: take(),
          requestPermission: () => fault('a request'),
          ...unservedRequests,
        },
        { maxLineBytes: MAX_LINE, report: fault },
      );
      agent.onClose(() => {
        resolve();
      });
    });
}

/** What a chat does with an update: the reducer, and its changes applied. */
function toThread(): Take {
  let thread: Thread = EMPTY_THREAD;
  const dispatch = (happening: ThreadHappening): void => {
    thread = apply(thread, reduce(thread, { at: 0, ...happening }, fault));
  };
  dispatch({ type: 'prompted', turnId: 'turn-1', text: 'Go' });
  return (_sessionId, update) => {
    dispatch({ type: 'updated', update });
  };
}

async function cpuOf(variant: Variant): Promise<number> {
  const before = process.cpuUsage();
  await variant();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** CPU times of variants over the same rounds. */
interface Times {
  /** The median, in microseconds. */
  of(name: string): number;
  /** The median of the ratios within each round, which a machine that grows busier does not move. */
  ratio(name: string, to: string): number;
}

/** Interleaves the variants, after two rounds to warm up. */
async function measure(variants: ReadonlyMap<string, Variant>): Promise<Times> {
  const times = new Map<string, number[]>();
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [name, variant] of variants) {
      const time = await cpuOf(variant);
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), time]);
    }
  }
  const rounds = (name: string): readonly number[] => times.get(name) ?? [];
  return {
    of: (name) => median(rounds(name)),
    ratio: (name, to) =>
      median(rounds(name).map((time, round) => time / (rounds(to)[round] ?? Number.NaN))),
  };
}

async function smallLines(): Promise<Row[]> {
  const input = pieces(small);
  const time = await measure(
    new Map([
      ['parse', parseAll(small)],
      ['reader', reader(input)],
      ['empty', emptyHandler(input)],
      ['decoded', connection(input, () => ignore)],
      ['whole', connection(input, toThread)],
    ]),
  );
  const per = (us: number): string => `${(us / LINES).toFixed(2)} us`;
  console.log(
    `${LINES} lines of ${Math.round(Buffer.byteLength(small.join('')) / LINES)} bytes, CPU a line: ` +
      `JSON.parse ${per(time.of('parse'))}, reader ${per(time.of('reader'))}, JSON-RPC ${per(time.of('empty'))}, decoded ${per(time.of('decoded'))}, whole ${per(time.of('whole'))}`,
  );
  return [
    {
      figure: 'reader / JSON.parse',
      value: time.ratio('parse', 'reader'),
      goal: 0.65,
      better: 'more',
    },
    {
      figure: 'whole path with reducer / JSON.parse',
      value: time.ratio('parse', 'whole'),
      goal: 0.1,
      better: 'more',
    },
    {
      figure: 'whole path with reducer / JSON-RPC with an empty handler',
      value: time.ratio('empty', 'whole'),
      goal: 0.75,
      better: 'more',
    },
  ];
}

async function largeLines(): Promise<Row[]> {
  const of = (bytes: number): Variant => {
    const line = chunk('words \u2028 and more '.repeat(bytes / 20));
    return connection(pieces(Array.from({ length: TOTAL / bytes }, () => line)), () => ignore);
  };
  const time = await measure(
    new Map([
      ['4 KB', of(4 << 10)],
      ['64 KB', of(64 << 10)],
      ['1 MB', of(1 << 20)],
      ['16 MB', of(16 << 20)],
    ]),
  );
  const row = (size: string): Row => ({
    figure: `a MB in frames of ${size} / in frames of 4 KB`,
    value: time.ratio(size, '4 KB'),
    goal: 1.3,
    better: 'less',
  });
  return [row('64 KB'), row('1 MB'), row('16 MB')];
}

async function main(): Promise<void> {
  report([...(await smallLines()), ...(await largeLines())]);
}

void main();
