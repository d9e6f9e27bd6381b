/**
 * The speed of reading and writing files for agents against bare `node:fs`, as ratios within one run: rounds are
 * interleaved, a figure is the median over the rounds of the ratio of times. Bare reading is `readFile` as UTF-8; bare
 * writing has the same durability: a new file, fsync, rename, fsync of the folder. Prints a table and exits with 1 if a
 * goal is missed.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import { Room } from '../contract/clientFilesRoom.ts';

const ROUNDS = 15;
/** Of the speed of `node:fs`. */
const GOAL = 0.5;
const KB = 1024;
const ASCII = 'const answer = 42; // a line as there are many in a program\n';
/** Decoding takes many times longer as soon as there is one character beyond ASCII. */
const UMLAUTS = 'const answer = 42; // a line as there are many in a prögram\n';

/** UTF-8 with nothing around it: what the editor's own codec takes is not our time. */
function leanUtf8({ codec }: Room): void {
  const textOf = (bytes: Uint8Array): string =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  codec.decode = (bytes) => Promise.resolve({ text: textOf(bytes), encoding: 'utf8' });
  codec.encode = (text) => Promise.resolve(Buffer.from(text, 'utf8'));
}

interface Case {
  readonly name: string;
  readonly line: string;
  /** Bytes, about. */
  readonly size: number;
  /** Files in a round. */
  readonly count: number;
}

const CASES: readonly Case[] = [
  { name: '4 KB', line: ASCII, size: 4 * KB, count: 200 },
  { name: '100 KB', line: ASCII, size: 100 * KB, count: 100 },
  { name: '4 MB', line: ASCII, size: 4096 * KB, count: 8 },
  { name: '100 KB, umlauts', line: UMLAUTS, size: 100 * KB, count: 100 },
  { name: '4 MB, umlauts', line: UMLAUTS, size: 4096 * KB, count: 8 },
];

/** Milliseconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function writeBare(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const made = path.join(folder, '.bare.tmp');
  const handle = await fs.open(made, 'wx');
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
  await fs.rename(made, file);
  const parent = await fs.open(folder);
  await parent.sync();
  await parent.close();
}

/** Bare and ours by turns, both in the order that the round's number says. */
async function compare(
  { name, count }: Case,
  bare: (file: number, round: number) => Promise<unknown>,
  ours: (file: number, round: number) => Promise<unknown>,
): Promise<number> {
  const repeated = (work: typeof bare, round: number) => async (): Promise<void> => {
    for (let file = 0; file < count; file++) await work(file, round);
  };
  const times: { readonly bare: number; readonly ours: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const oursFirst = round % 2 === 1;
    const before = oursFirst ? await timed(repeated(ours, round)) : 0;
    const ofBare = await timed(repeated(bare, round));
    const ofOurs = oursFirst ? before : await timed(repeated(ours, round));
    // The first round only warms up.
    if (round > 0) times.push({ bare: ofBare, ours: ofOurs });
  }
  const ratio = median(times.map((time) => time.bare / time.ours));
  const each = median(times.map((time) => time.ours / count));
  console.log(
    `${name.padEnd(34)} ${ratio.toFixed(2).padStart(6)}  ${each.toFixed(2).padStart(8)} ms`,
  );
  return ratio;
}

async function main(): Promise<void> {
  const room = new Room();
  leanUtf8(room);
  const ratios: number[] = [];
  const outside = path.join(room.folder, 'bare');
  await fs.mkdir(outside);
  console.log('against node:fs (writing: the same durability)   ratio      each');
  try {
    for (const size of CASES) {
      const text = size.line.repeat(Math.ceil(size.size / size.line.length));
      for (let file = 0; file < size.count; file++) room.put(`${file}.txt`, text);
      ratios.push(
        await compare(
          { ...size, name: `read ${size.name}` },
          (file) => fs.readFile(room.path(`${file}.txt`), 'utf8'),
          (file) => room.read(`${file}.txt`),
        ),
        await compare(
          // The disk is what takes the time here, the same for both.
          {
            ...size,
            count: Math.min(size.count, 20),
            name: `write ${size.name}`,
          },
          (file, round) => writeBare(path.join(outside, `${file}.txt`), `${round}\n${text}`),
          (file, round) => room.write(`${file}.txt`, `${round}\n${text}`),
        ),
      );
    }
  } finally {
    room.remove();
  }
  if (ratios.some((ratio) => ratio < GOAL)) {
    console.log(`The goal is ${GOAL} or more.`);
    process.exitCode = 1;
  }
}

void main();
