import { Complaint } from '../complaint.ts';
import { code, count, plain } from '../markdown.ts';
import { matchesIn } from '../matches.ts';
import type { Scan } from '../scan.ts';
import { listHits, matches, scan } from '../scan.ts';
import type { Skill, Turn } from '../turn.ts';
import { cleanPath, keyword, unquoted } from '../words.ts';

const MAX_WORDS = 200;
const MAX_NAMES = 20;

/** Finds words in the workspace's files. */
export const search: Skill = {
  name: 'search',
  description: 'Find words in the files of this folder',
  hint: 'what to look for',
  example: '/search parseConfig',

  async run(turn, argument) {
    const { asked, where } = await placed(turn, argument.split('\n')[0] ?? '');
    const words = unquoted(asked).slice(0, MAX_WORDS).trim();
    if (words === '') throw new Complaint('What shall I look for? Write it behind `/search`.');
    const shown = code(words);
    const found = await scan(
      turn,
      `Search for ${plain(words, 60)}`,
      (text, most) => matchesIn(text, words, most),
      where,
    );
    const named = found.files.filter((name) => name.toLowerCase().includes(words.toLowerCase()));
    await turn.say([inNames(shown, named), inTexts(shown, found, words)].join(''));
    return 'end_turn';
  },
};

/** "words in src/a.ts" looks only there, if there is such a place. */
async function placed({ workspace }: Turn, argument: string) {
  const [, asked, place] = /^(.{0,200}\S)\s+(?:in|inside|within)\s+(\S+)$/.exec(argument) ?? [];
  if (asked === undefined || place === undefined) return { asked: argument, where: '' };
  const where = cleanPath(place);
  const isThere =
    where !== '' && (await workspace.kindOf(await workspace.locate(where))) !== 'none';
  return isThere ? { asked, where } : { asked: argument, where: '' };
}

function inNames(shown: string, named: readonly string[]): string {
  if (named.length === 0) return '';
  const first = named.slice(0, MAX_NAMES).map((name) => `- ${code(name)}`);
  const more = named.length - first.length;
  return `${count(named.length, 'file')} with ${shown} in the name:\n\n${first.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}\n\n`;
}

function inTexts(shown: string, found: Scan, words: string): string {
  if (found.hits.length === 0) {
    return (
      `I found no ${shown} in the ${count(found.files.length, 'text file')} that I looked at. ` +
      'Capitals do not matter; folders such as `node_modules` and `.git`, and big or binary files, are left out.' +
      shorter(words)
    );
  }
  const files = new Set(found.hits.map(({ path }) => path)).size;
  return `I found ${matches(found)} of ${shown} in ${count(files, 'file')}:\n\n${listHits(found)}`;
}

/** Of several words, one may be found. */
function shorter(words: string): string {
  const word = words.includes(' ') ? keyword(words) : '';
  return word === '' ? '' : ` Perhaps ${code(`find ${word}`)} finds more.`;
}
