import path from 'node:path';
import type { KeptUpdate } from './kept.ts';
import { isFields, isKeptUpdate } from './kept.ts';

/** The first line of a session's file. */
export interface Header {
  readonly id: string;
  /** An absolute path. */
  readonly cwd: string;
  /** When it began: ISO 8601. */
  readonly created: string;
}

/** What a session is like from here on. */
export interface Mark {
  readonly title?: string;
  /** The choices of the person, by name: anything at all until whoever made them has looked. */
  readonly choices: Readonly<Record<string, unknown>>;
}

/** A line of a session's file, but for the first. */
export type Line = { readonly update: KeptUpdate } | { readonly mark: Mark };

const VERSION = 1;
const MAX_TITLE = 200;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether this may be the name of a file: what we have given out, in lower case, and nothing else. */
export function isSessionId(id: string): boolean {
  return ID.test(id);
}

export function headerLine({ id, cwd, created }: Header): string {
  return `${JSON.stringify({ parleySession: VERSION, id, cwd, created })}\n`;
}

/** @returns Undefined for what is no header. */
export function readHeader(line: string): Header | undefined {
  const value = parsed(line);
  if (!isFields(value) || value['parleySession'] !== VERSION) return undefined;
  const { id, cwd, created } = value;
  if (typeof id !== 'string' || typeof cwd !== 'string' || typeof created !== 'string') {
    return undefined;
  }
  return path.isAbsolute(cwd) ? { id, cwd, created } : undefined;
}

export function lineOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** @returns Undefined for what is no line of ours: a cut one, or anything else. */
export function readLine(line: string): Line | undefined {
  const value = parsed(line);
  if (!isFields(value)) return undefined;
  const { update, mark } = value;
  if (isKeptUpdate(update)) return { update };
  if (!isFields(mark)) return undefined;
  const { title, choices } = mark;
  return {
    mark: {
      ...(typeof title === 'string' && { title: title.slice(0, MAX_TITLE) }),
      choices: isFields(choices) ? choices : {},
    },
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
