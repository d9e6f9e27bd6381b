import path from 'node:path';
import type { Log } from '../ports.ts';
import { RotatingFile } from './rotatingFile.ts';

/** Bytes; one older file of the same size is kept. */
const FILE_LIMIT = 50 * 1024 * 1024;

/** Shorter values occur in ordinary text: replacing them would make a trace unreadable and protect nothing. */
const SECRET_LENGTH = 8;

/**
 * What an agent and Parley say to each other, line by line, for people who look for a fault: `trace-AGENT.ndjson` with
 * `{ ts, dir, raw }` (ts: milliseconds since the connection started) and `stderr-AGENT.log`. Values of environment
 * variables from the settings never get there.
 */
export class AgentTrace {
  private readonly lines: RotatingFile;
  private readonly stderr: RotatingFile;
  private startedAt = performance.now();
  private secrets: readonly Secret[] = [];

  constructor(folder: string, agentId: string, log: Log) {
    const name = fileNameOf(agentId);
    this.lines = new RotatingFile(path.join(folder, `trace-${name}.ndjson`), FILE_LIMIT, log);
    this.stderr = new RotatingFile(path.join(folder, `stderr-${name}.log`), FILE_LIMIT, log);
  }

  /** A connection starts. @param env The variables that the agent is given; their values are kept out. */
  begin(env: Readonly<Record<string, string>>): void {
    this.startedAt = performance.now();
    this.secrets = secretsOf(env);
  }

  line(dir: 'send' | 'recv', raw: string): void {
    const ts = Math.round(performance.now() - this.startedAt);
    this.lines.append(JSON.stringify({ ts, dir, raw: this.redacted(raw) }));
  }

  errorLine(line: string): void {
    this.stderr.append(this.redacted(line));
  }

  /** When everything is on the disk. Never rejects. */
  async flushed(): Promise<void> {
    await Promise.all([this.lines.flushed(), this.stderr.flushed()]);
  }

  private redacted(text: string): string {
    return this.secrets.reduce(
      (shown, { value, name }) =>
        shown.includes(value) ? shown.replaceAll(value, () => `[value of ${name}]`) : shown,
      text,
    );
  }
}

interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Longest first, so that a value inside another one leaves nothing behind; also as JSON writes it inside a string. */
function secretsOf(env: Readonly<Record<string, string>>): readonly Secret[] {
  return Object.entries(env)
    .filter(([, value]) => value.length >= SECRET_LENGTH)
    .flatMap(([name, value]) => {
      const escaped = JSON.stringify(value).slice(1, -1);
      return escaped === value
        ? [{ name, value }]
        : [
            { name, value },
            { name, value: escaped },
          ];
    })
    .sort((a, b) => b.value.length - a.value.length);
}

/** Agents are named by people: no separators, dots at the start or names that a file system reserves. */
export function fileNameOf(agentId: string): string {
  const safe = agentId
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 60);
  if (safe === agentId && safe !== '') return safe;
  return `${safe}_${shortHash(agentId)}`;
}

/** Keeps two names apart that are alike once made safe. */
function shortHash(text: string): string {
  let hash = 5381;
  for (const char of text) hash = (hash * 33 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash.toString(36);
}
