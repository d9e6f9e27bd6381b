import { readAsTool } from '../files.ts';
import { grammarFor } from '../grammars.ts';
import { code, codeBlock, count } from '../markdown.ts';
import { splitLines } from '../outline.ts';
import type { LineRange } from '../server/api.ts';
import type { Skill } from '../turn.ts';
import { cleanPath } from '../words.ts';

const MAX_LINES = 400;
const MAX_CHARACTERS = 40_000;

/** Shows a file, or some of its lines. */
export const read: Skill = {
  name: 'read',
  description: 'Show a file, or some of its lines',
  hint: 'path, path:from-to, or path, first line and number of lines',
  example: '/read README.md:1-20',

  async run(turn, argument) {
    const { path, range } = parse(argument);
    const file = await readAsTool(turn, path, range);
    const lines = splitLines(file.text);
    const first = range.line ?? 1;
    if (lines.length === 0) {
      await turn.say(
        `${code(file.name)} holds nothing ${first === 1 ? '' : `from line ${first} on`}`.trim() +
          '.',
      );
      return 'end_turn';
    }
    const shown = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARACTERS);
    const whole = shown.length === lines.join('\n').length;
    const last = first + splitLines(shown).length - 1;
    await turn.say(
      `${code(file.name)}, lines ${first} to ${last}` +
        (whole ? ':' : ` of the ${count(lines.length, 'line')} that I read:`) +
        `\n\n${codeBlock(shown, grammarFor(file.name).fence)}`,
    );
    return 'end_turn';
  },
};

/**
 * "src/a.ts:10-20" is lines 10 to 20, "src/a.ts:10" is from line 10 on; "src/a.ts 10 5" is five lines from line 10 on,
 * as the protocol counts. A path that ends in a blank and a number needs quotes.
 */
function parse(argument: string): { readonly path: string; readonly range: LineRange } {
  const spaced =
    /^(.*\S)\s+(\d{1,7})\s+(\d{1,7})$/.exec(argument) ?? /^(.*\S)\s+(\d{1,7})$/.exec(argument);
  if (spaced) return ranged(cleanPath(spaced[1] ?? ''), spaced[2], spaced[3]);
  const cleaned = cleanPath(argument);
  const [, path, from, to] = /^(.*?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(cleaned) ?? [];
  if (path === undefined || from === undefined) return { path: cleaned, range: {} };
  return ranged(path, from, to === undefined ? undefined : `${Number(to) - Number(from) + 1}`);
}

function ranged(path: string, from = '1', count?: string) {
  const line = Math.max(1, Number(from));
  if (count === undefined) return { path, range: { line } };
  return { path, range: { line, limit: Math.max(1, Number(count)) } };
}
