import path from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import { Complaint } from './complaint.ts';
import { bytes, code, count } from './markdown.ts';
import { splitLines } from './outline.ts';
import type { LineRange } from './server/api.ts';
import type { ToolResult, ToolStart, Turn } from './turn.ts';
import { textContent } from './turn.ts';
import type { FoundFile } from './workspace.ts';

/** How many names are offered when a file is not where the person said. */
const MAX_SUGGESTIONS = 5;

/** A file as it was read. */
export interface ReadFile {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a file as a tool call: through the client where it offers that, for it knows unsaved changes, else from the
 * disk. Only inside the workspace, either way.
 *
 * @throws Complaint when there is no such file, or it cannot be read.
 */
export async function readAsTool(
  turn: Turn,
  wanted: string,
  range: LineRange = {},
): Promise<ReadFile> {
  const target = await findFile(turn, wanted);
  const name = turn.workspace.name(target);
  const { line = 1 } = range;
  const part = range.line === undefined ? '' : ` from line ${line}`;
  const start: ToolStart = {
    title: `Read ${name}${part}`,
    kind: 'read',
    locations: [{ path: target, line }],
    rawInput: { path: target, ...range },
  };
  return turn.tool(start, async (): Promise<ToolResult<ReadFile>> => {
    const text = await readText(turn, target, range);
    return { value: { path: target, name, text }, content: [textContent(describe(text))] };
  });
}

/**
 * Fails unless a file is still where it was found and as it was read: whoever is asked may take hours.
 *
 * @param before Its text then; null where there was none.
 * @throws Complaint when it has changed.
 */
export async function demandUnchanged(
  turn: Turn,
  target: string,
  before: string | null,
): Promise<void> {
  // A folder on the way may be a link by now.
  await turn.workspace.locate(target);
  const isSame =
    before === null ? !(await isThere(turn, target)) : (await readText(turn, target)) === before;
  if (isSame) return;
  const name = code(turn.workspace.name(target));
  throw new Complaint(`${name} has changed since I read it, so I wrote nothing. Ask again.`);
}

/** Whether there is a file: on the disk, or in an editor only. */
async function isThere(turn: Turn, target: string): Promise<boolean> {
  if ((await turn.workspace.kindOf(target)) !== 'none') return true;
  if (turn.client.capabilities.fs?.readTextFile !== true) return false;
  try {
    await turn.client.readTextFile(target, {}, turn.signal);
    return true;
  } catch {
    turn.signal.throwIfAborted();
    return false;
  }
}

/** The text of a file inside the workspace, or of some of its lines. @throws Complaint when it cannot be read. */
export async function readText(turn: Turn, target: string, range: LineRange = {}): Promise<string> {
  const name = turn.workspace.name(target);
  if (turn.client.capabilities.fs?.readTextFile !== true) {
    const text = await turn.workspace.textOf(target);
    if (text !== undefined) return cut(text, range);
    throw new Complaint(`I could not read ${code(name)}: it is missing, too big, or not text.`);
  }
  try {
    return await turn.client.readTextFile(target, range, turn.signal);
  } catch (error) {
    throw refusedByClient(error, `I could not read ${code(name)}`);
  }
}

/** The text of a file by its name, as `readText` reads it; undefined where there is none that can be read. */
export async function peek(turn: Turn, name: string): Promise<string | undefined> {
  try {
    const target = await turn.workspace.locate(name);
    if ((await turn.workspace.kindOf(target)) !== 'file') return undefined;
    return await readText(turn, target);
  } catch (error) {
    if (error instanceof Complaint) return undefined;
    throw error;
  }
}

/** The files that a person means: one, those below a folder, or (for no words at all) all of the workspace. */
export async function* filesIn(turn: Turn, where: string): AsyncGenerator<FoundFile> {
  const { workspace, signal } = turn;
  const target = where === '' ? workspace.folder : await workspace.locate(where);
  if ((await workspace.kindOf(target)) !== 'folder') {
    const file = await findFile(turn, where);
    yield { path: file, name: workspace.name(file) };
    return;
  }
  for await (const file of workspace.walk(signal)) {
    if (file.path.startsWith(target + path.sep) || target === workspace.folder) yield file;
  }
}

function cut(text: string, { line = 1, limit }: LineRange): string {
  if (line === 1 && limit === undefined) return text;
  const end = limit === undefined ? undefined : line - 1 + limit;
  return text
    .split('\n')
    .slice(line - 1, end)
    .join('\n');
}

/** Writes through the client, the only way this agent writes. @throws Complaint when the client refuses. */
export async function writeText(turn: Turn, target: string, text: string): Promise<void> {
  try {
    await turn.client.writeTextFile(target, text, turn.signal);
  } catch (error) {
    throw refusedByClient(error, `I could not write ${code(turn.workspace.name(target))}`);
  }
}

/**
 * The file that a person means: the path as given, or the only file in the workspace whose path ends like it.
 *
 * @throws Complaint with the nearest names when there is none, or more than one.
 */
export async function findFile(turn: Turn, wanted: string): Promise<string> {
  const target = await turn.workspace.locate(wanted);
  const there = await turn.workspace.kindOf(target);
  if (there === 'file') return target;
  if (there === 'folder') throw new Complaint(`${code(wanted)} is a folder. Name a file in it.`);
  const base = path.basename(target).toLowerCase();
  const tail = `/${wanted
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .toLowerCase()}`;
  const alike: string[] = [];
  for await (const file of turn.workspace.walk(turn.signal)) {
    const name = path.basename(file.path).toLowerCase();
    // "the README" is README.md.
    if (name === base || (!base.includes('.') && name.startsWith(`${base}.`)))
      alike.push(file.path);
  }
  const fitting = alike.filter((file) => {
    const name = `/${turn.workspace.name(file).toLowerCase()}`;
    return name.endsWith(tail) || name.replace(/\.[^./]+$/, '').endsWith(tail);
  });
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (alike.length === 0 && (await isOpenInEditor(turn, target))) return target;
  throw new Complaint(notFound(turn, wanted, alike));
}

/** A file that has never been saved exists only at the client. */
async function isOpenInEditor(turn: Turn, target: string): Promise<boolean> {
  if (turn.client.capabilities.fs?.readTextFile !== true) return false;
  try {
    return (await turn.client.readTextFile(target, { line: 1, limit: 1 }, turn.signal)) !== '';
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
}

function notFound(turn: Turn, wanted: string, alike: readonly string[]): string {
  const said = `There is no file ${code(wanted)} that I can read in this chat's folder.`;
  if (alike.length === 0) return `${said} Try ${code(`find ${path.basename(wanted)}`)}.`;
  const names = alike
    .slice(0, MAX_SUGGESTIONS)
    .map((file) => `- ${code(turn.workspace.name(file))}`);
  return `${said} Did you mean one of these?\n\n${names.join('\n')}`;
}

function refusedByClient(error: unknown, said: string): unknown {
  if (!(error instanceof RequestError)) return error;
  return new Complaint(`${said}. The client answered: ${error.message}`, { cause: error });
}

function describe(text: string): string {
  return `${count(splitLines(text).length, 'line')}, ${bytes(Buffer.byteLength(text))}`;
}
