import { Complaint } from '../complaint.ts';
import { readText } from '../files.ts';
import { grammarFor } from '../grammars.ts';
import { code, codeBlock, count, plain, shorten } from '../markdown.ts';
import { wordsIn } from '../matches.ts';
import { outline, splitLines } from '../outline.ts';
import type { Hit, Scan } from '../scan.ts';
import { listHits, scan } from '../scan.ts';
import type { Skill, Turn } from '../turn.ts';
import { unquoted } from '../words.ts';
import { files } from './files.ts';
import { search } from './search.ts';

const MAX_NAME = 100;
/** Lines of the declaration that are shown. */
const SHOWN_LINES = 12;
const SHOWN_WIDTH = 200;

/** Finds where a name is declared and where it is used, by whole words. */
export const symbol: Skill = {
  name: 'symbol',
  description: 'Find where a name is declared and used',
  hint: 'the name of a function, class or variable',
  example: '/symbol parseConfig',

  async run(turn, argument) {
    const name = unquoted(argument)
      .replace(/\(.*\)$/, '')
      .slice(0, MAX_NAME)
      .trim();
    if (name === '') throw new Complaint('Which name? Write it behind `/symbol`.');
    const folder = await turn.workspace.locate(name);
    if ((await turn.workspace.kindOf(folder)) === 'folder') return files.run(turn, name);
    const found = await scan(turn, `Look for ${plain(name, 60)}`, (text, most, file) =>
      wordsIn(text, name, most, declaredIn(file, text, name)),
    );
    // Not a name here; perhaps a part of one, or differently capitalised.
    if (found.hits.length === 0) return search.run(turn, name);
    const declared = found.hits.filter(({ declares }) => declares);
    await turn.say(
      [
        told(name, found, declared.length),
        ...(await body(turn, declared[0])),
        listHits(found),
        'I go by whole words and patterns: another thing of the same name is in the list too.',
      ].join('\n\n'),
    );
    return 'end_turn';
  },
};

function declaredIn(file: string, text: string, name: string): readonly number[] {
  // Headings and keys are no declarations.
  if (!text.includes(name) || /^(?:Markdown|YAML|JSON)$/.test(grammarFor(file).language)) return [];
  return outline(file, text)
    .declarations.filter((one) => one.name === name)
    .map(({ line }) => line);
}

function told(name: string, { hits, cut }: Scan, declared: number): string {
  const files = count(new Set(hits.map(({ path }) => path)).size, 'file');
  const uses = `${cut ? 'at least ' : ''}${count(hits.length - declared, 'other line')}`;
  return declared === 0
    ? `I see no declaration of ${code(name)}. It stands in ${uses.replace('other ', '')} of ${files}.`
    : `${code(name)} is declared in ${count(declared, 'place')} and stands in ${uses}, in ${files}.`;
}

/** The beginning of a declaration: up to the blank line or the closing line behind it. */
async function body(turn: Turn, hit: Hit | undefined): Promise<readonly string[]> {
  if (!hit) return [];
  const { path, name, line } = hit;
  const text = await readText(turn, path, { line, limit: SHOWN_LINES });
  const lines = splitLines(text).map((each) => shorten(each, SHOWN_WIDTH));
  const end = lines.findIndex((each, at) => at > 0 && /^(?:[})\]]+[;,]?|)$/.test(each.trimEnd()));
  const isClosed = end !== -1 && lines[end] !== '';
  const shown = lines.slice(0, end === -1 ? undefined : end + Number(isClosed));
  return [codeBlock(shown.join('\n'), grammarFor(name).fence)];
}
