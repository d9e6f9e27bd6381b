import type { ToolCallLocation } from '../protocol/acp.ts';
import { filesIn } from './files.ts';
import { code, count } from './markdown.ts';
import type { Match } from './matches.ts';
import type { ToolResult, Turn } from './turn.ts';
import { textContent } from './turn.ts';

/** What a look through all files has brought. */
export interface Scan {
  /** The names of the text files that were looked at. */
  readonly files: readonly string[];
  readonly hits: readonly Hit[];
  /** There was more than is kept. */
  readonly cut: boolean;
}

export interface Hit extends Match {
  readonly path: string;
  readonly name: string;
}

/** Finds matches in the text of a file. */
export type Look = (text: string, most: number, name: string) => readonly Match[];

const MAX_HITS = 200;
const MAX_PER_FILE = 20;
const MAX_LOCATIONS = 50;
const MAX_LISTED = 40;

/**
 * Looks through every text file of the workspace, as a tool call. Declarations come first, then files in order.
 *
 * @param title The tool call's, in words.
 * @param look Finds matches in one file's text, at most as many as it is told.
 * @param where A folder or file to stay in; everywhere if left out.
 */
export function scan(turn: Turn, title: string, look: Look, where = ''): Promise<Scan> {
  const { folder } = turn.workspace;
  const start = { title, kind: 'search' as const, rawInput: { folder } };
  return turn.tool(start, async (): Promise<ToolResult<Scan>> => {
    const value = await lookThrough(turn, look, where);
    const locations = value.hits
      .slice(0, MAX_LOCATIONS)
      .map(({ path, line }): ToolCallLocation => ({ path, line }));
    const listed = value.hits.map(({ name, line, text }) => `${name}:${line}: ${text}`).join('\n');
    const summary = `${matches(value)} in ${count(value.files.length, 'file')} looked at`;
    return {
      value,
      locations,
      content: [textContent(listed === '' ? summary : `${summary}\n\n${listed}`)],
    };
  });
}

/** The hits as a Markdown list, file by file. */
export function listHits({ hits }: Scan): string {
  const shown = hits.slice(0, MAX_LISTED).map(({ name, line, text, declares }) => {
    return `- ${code(`${name}:${line}`)} ${declares ? '(declared here) ' : ''}— ${code(text)}`;
  });
  const more = hits.length - shown.length;
  return [...shown, ...(more > 0 ? [`- and ${more} more, in the tool call above`] : [])].join('\n');
}

export function matches({ hits, cut }: Scan): string {
  return `${cut ? 'the first ' : ''}${count(hits.length, 'match', 'matches')}`;
}

async function lookThrough(turn: Turn, look: Look, where: string): Promise<Scan> {
  const hits: Hit[] = [];
  const files: string[] = [];
  let cut = false;
  for await (const { path, name } of filesIn(turn, where)) {
    if (hits.length >= MAX_HITS) {
      cut = true;
      break;
    }
    const text = await turn.workspace.textOf(path);
    if (text === undefined) continue;
    files.push(name);
    for (const match of look(text, MAX_PER_FILE, name)) hits.push({ ...match, path, name });
  }
  return { files, cut, hits: hits.sort((a, b) => Number(b.declares) - Number(a.declares)) };
}
