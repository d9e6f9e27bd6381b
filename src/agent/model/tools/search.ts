import { Complaint } from '../../complaint.ts';
import { readText } from '../../files.ts';
import { count, plain } from '../../markdown.ts';
import { matchesIn } from '../../matches.ts';
import type { Turn } from '../../turn.ts';
import { textContent } from '../../turn.ts';
import { Workspace } from '../../workspace.ts';
import type { Tool } from './tool.ts';
import { PATH, TEXT } from './tool.ts';

const MAX_HITS = 200;
const MAX_PER_FILE = 20;
const MAX_LOCATIONS = 50;
const MAX_WORDS = 500;

export const search: Tool = {
  name: 'search',
  // No patterns: one that takes for ever would hold up every chat of this agent.
  description: 'Find a text in all files. It is taken literally; capitals do not matter.',
  parameters: { text: { schema: TEXT }, path: { ...PATH, optional: true } },
  isOffered: ({ fs }) => fs?.readTextFile === true,

  async prepare(turn, given) {
    const words = given.text('text').split('\n')[0]?.trim() ?? '';
    if (words === '' || words.length > MAX_WORDS) {
      throw new Complaint(`The text must be one line of at most ${MAX_WORDS} characters.`);
    }
    const folder = await turn.workspace.locate(given.optionalText('path') || '.');
    return {
      start: {
        title: `Search for ${plain(words, 60)}`,
        kind: 'search',
        rawInput: { text: words, folder },
      },
      run: async () => {
        const hits: string[] = [];
        const locations: { path: string; line: number }[] = [];
        for await (const { path } of filesIn(folder, turn.signal)) {
          const text = await textToTell(turn, path, words);
          if (text === undefined) continue;
          for (const match of matchesIn(text, words, MAX_PER_FILE)) {
            hits.push(`${turn.workspace.name(path)}:${match.line}: ${match.text}`);
            locations.push({ path, line: match.line });
          }
          if (hits.length >= MAX_HITS) {
            hits.push('[There is more: search for less, or in one folder.]');
            break;
          }
        }
        return {
          told: hits.length === 0 ? '[Found nowhere.]' : hits.join('\n'),
          locations: locations.slice(0, MAX_LOCATIONS),
          content: [textContent(count(locations.length, 'match', 'matches'))],
        };
      },
    };
  },
};

/**
 * The disk says in which files to look; what is told comes through the client, which knows unsaved text and keeps secrets.
 *
 * @returns Undefined where nothing is found, or the client does not give it.
 */
async function textToTell(turn: Turn, path: string, words: string): Promise<string | undefined> {
  const saved = await turn.workspace.textOf(path);
  if (saved === undefined || matchesIn(saved, words, 1).length === 0) return undefined;
  try {
    return await readText(turn, path);
  } catch (error) {
    if (error instanceof Complaint) return undefined;
    throw error;
  }
}

/** The files below a folder; a file itself. */
async function* filesIn(
  place: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly path: string }> {
  const folder = new Workspace(place);
  if ((await folder.kindOf(place)) === 'file') yield { path: place };
  else yield* folder.walk(signal);
}
