import path from 'node:path';
import type { Log } from '../ports.ts';
import { RotatingFile } from './rotatingFile.ts';

/** Bytes; one older file of the same size is kept. */
const FILE_LIMIT = 50 * 1024 * 1024;

/**
 * Shorter values occur in ordinary text: replacing them everywhere would make a trace unreadable and protect nothing.
 * They are kept out where they are the whole of a JSON string.
 */
const SECRET_LENGTH = 8;

/** What switches say is no secret, and a trace without these words would be unreadable. */
const SWITCHES: ReadonlySet<string> = new Set(['true', 'false', 'yes', 'no', 'on', 'off', 'null']);

/** Characters of a JSON string that may hold a short value, each written as an escape of six. */
const SHORT_LITERAL = SECRET_LENGTH * 6;

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
  private shortSecrets: ReadonlyMap<string, string> = new Map();

  constructor(folder: string, agentId: string, log: Log) {
    const name = fileNameOf(agentId);
    this.lines = new RotatingFile(path.join(folder, `trace-${name}.ndjson`), FILE_LIMIT, log);
    this.stderr = new RotatingFile(path.join(folder, `stderr-${name}.log`), FILE_LIMIT, log);
  }

  /** A connection starts. @param env The variables that the agent is given; their values are kept out. */
  begin(env: Readonly<Record<string, string>>): void {
    this.startedAt = performance.now();
    this.secrets = secretsOf(env);
    this.shortSecrets = shortSecretsOf(env);
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
    if (this.secrets.length === 0 && this.shortSecrets.size === 0) return text;
    return mapStrings(this.withoutLong(text), (literal) => this.redactedString(literal));
  }

  private withoutLong(text: string): string {
    return this.secrets.reduce(
      (shown, { value, name }) =>
        shown.includes(value) ? shown.replaceAll(value, () => placeholder(name)) : shown,
      text,
    );
  }

  /** @param literal What stands between two quotes: JSON may write any character as an escape. */
  private redactedString(literal: string): string {
    const escaped = literal.includes('\\u') || literal.includes('\\/');
    if (!escaped && literal.length > SHORT_LITERAL) return literal;
    const value = literal.includes('\\') ? decoded(literal) : literal;
    if (value === null) return literal;
    const short = this.shortSecrets.get(value);
    if (short !== undefined) return placeholder(short);
    if (!escaped) return literal;
    const shown = this.withoutLong(value);
    return shown === value ? literal : JSON.stringify(shown).slice(1, -1);
  }
}

function placeholder(name: string): string {
  return `[value of ${name}]`;
}

/** Replaces what stands between quotes, without reading the JSON around it: an agent's output may be no JSON. */
function mapStrings(text: string, replaced: (literal: string) => string): string {
  const parts: string[] = [];
  let kept = 0;
  let start = text.indexOf('"');
  while (start !== -1) {
    const end = endOfString(text, start + 1);
    if (end === -1) break;
    const literal = text.slice(start + 1, end);
    const shown = replaced(literal);
    if (shown !== literal) {
      parts.push(text.slice(kept, start + 1), shown);
      kept = end;
    }
    start = text.indexOf('"', end + 1);
  }
  return kept === 0 ? text : parts.join('') + text.slice(kept);
}

/** Where the closing quote stands; -1 without one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1) {
    let backslash = end;
    while (backslash > start && text[backslash - 1] === '\\') backslash -= 1;
    if ((end - backslash) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

/** The text that a JSON string stands for; `null` if it is none. */
function decoded(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(`"${literal}"`);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Names by value. Single characters and switches are no secrets. */
function shortSecretsOf(env: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(env)
      .filter(
        ([, value]) =>
          value.length > 1 && value.length < SECRET_LENGTH && !SWITCHES.has(value.toLowerCase()),
      )
      .map(([name, value]) => [value, name]),
  );
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
