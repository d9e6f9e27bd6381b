import fs from 'node:fs';
import path from 'node:path';

export interface RecordedLine {
  /** Milliseconds since the recording began. */
  readonly ts: number;
  /** `send`: the client that recorded. */
  readonly dir: 'send' | 'recv';
  readonly raw: string;
}

/** A JSON-RPC frame as it was recorded. */
export interface Frame {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: Record<string, unknown>;
}

const folder = path.resolve('test/fixtures/transcripts');

/** The names of all recordings: AGENT/SCRIPT. */
export function recordings(): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ndjson'))
    .map((file) => file.slice(0, -'.ndjson'.length).replaceAll(path.sep, '/'))
    .sort();
}

export function readRecording(name: string): readonly RecordedLine[] {
  const text = fs.readFileSync(path.join(folder, `${name}.ndjson`), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const value: unknown = JSON.parse(line);
    if (!isLine(value)) throw new TypeError(`not a recorded line: ${line.slice(0, 80)}`);
    return value;
  });
}

export function expectedOf(name: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(folder, `${name}.expected.json`), 'utf8'));
}

export function frameOf(raw: string): Frame {
  const value: unknown = JSON.parse(raw);
  if (!isFrame(value)) throw new TypeError(`not a frame: ${raw.slice(0, 80)}`);
  return value;
}

function isLine(value: unknown): value is RecordedLine {
  return typeof value === 'object' && value !== null && 'raw' in value && 'dir' in value;
}

function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
