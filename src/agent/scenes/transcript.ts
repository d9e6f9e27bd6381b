import { createReadStream } from 'node:fs';
import { LineSplitter } from '../server/lines.ts';
import { parseObject, textAt, type JsonObject } from './json.ts';
import { SceneFault } from './sceneFault.ts';

/** A line of a recording. */
export interface RecordedLine {
  /** From 1. */
  readonly line: number;
  /** Milliseconds since the connection began. */
  readonly ts: number;
  /** `send`: the client that recorded; `recv`: the agent. */
  readonly dir: 'send' | 'recv';
  /** What was on the wire, without the end of its line; not always JSON. */
  readonly raw: string;
}

const METHODS = ['initialize', 'session/prompt'];
const LONGEST_LINE = 64 * 1024 * 1024;

interface Connection {
  readonly first: number;
  hasPrompt: boolean;
}

/**
 * A recording of a session: lines of `{ ts, dir, raw }`, as Parley's own traces (`parley.trace`) are. A file that holds
 * several connections, as traces do, is played from the last one that has a prompt in it. Lines that are no records, such
 * as the first and the last of a file that was cut, are passed over. The file is read line by line, never as a whole.
 */
export class Transcript {
  private constructor(
    private readonly file: string,
    private readonly first: number,
    private readonly last: number,
    /** Which part of the file is played. */
    readonly about: string,
  ) {}

  /** @throws SceneFault for a file without a single record. */
  static async open(file: string): Promise<Transcript> {
    const connections: Connection[] = [];
    let ids = new Set<unknown>();
    let count = 0;
    let hasRecord = false;
    for await (const { line, text } of linesOf(file)) {
      count = line;
      hasRecord ||= recordOf(line, text) !== undefined;
      const method = METHODS.find((name) => text.includes(name));
      const frame = method === undefined ? undefined : sentFrame(line, text);
      if (frame?.['method'] === 'initialize' && (ids.has(frame['id']) || ids.size === 0)) {
        // Ids begin anew with each connection.
        connections.push({ first: line, hasPrompt: false });
        ids = new Set();
      }
      if (frame?.['method'] === 'initialize') ids.add(frame['id']);
      const current = connections.at(-1);
      if (frame?.['method'] === 'session/prompt' && current) current.hasPrompt = true;
    }
    if (!hasRecord) throw new SceneFault('there is no line of { ts, dir, raw } in this file');
    const prompted = connections.findLastIndex(({ hasPrompt }) => hasPrompt);
    const index = prompted === -1 ? connections.length - 1 : prompted;
    const first = connections[index]?.first ?? 1;
    const last = (connections[index + 1]?.first ?? count + 1) - 1;
    const which =
      connections.length > 1 ? `, connection ${index + 1} of ${connections.length}` : '';
    return new Transcript(
      file,
      first,
      last,
      `playing lines ${first} to ${last} of ${file}${which}`,
    );
  }

  /** The lines of the connection that is played. */
  async *records(): AsyncGenerator<RecordedLine> {
    for await (const { line, text } of linesOf(this.file)) {
      if (line > this.last) return;
      const record = line < this.first ? undefined : recordOf(line, text);
      if (record !== undefined) yield record;
    }
  }
}

async function* linesOf(file: string): AsyncGenerator<{ line: number; text: string }> {
  const splitter = new LineSplitter(LONGEST_LINE);
  let line = 0;
  const stream: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: 1 << 18 });
  for await (const chunk of stream) {
    for (const { bytes } of splitter.push(chunk)) yield { line: ++line, text: bytes.toString() };
  }
  for (const { bytes } of splitter.flush()) yield { line: ++line, text: bytes.toString() };
}

function recordOf(line: number, text: string): RecordedLine | undefined {
  const { ts, dir, raw } = parseObject(text) ?? {};
  if ((dir !== 'send' && dir !== 'recv') || typeof raw !== 'string') return undefined;
  return { line, ts: typeof ts === 'number' ? ts : 0, dir, raw };
}

function sentFrame(line: number, text: string): JsonObject | undefined {
  const record = recordOf(line, text);
  const frame = record?.dir === 'send' ? parseObject(record.raw) : undefined;
  return textAt(frame, 'method') === undefined ? undefined : frame;
}
