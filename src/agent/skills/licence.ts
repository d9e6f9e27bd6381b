import { gather, leftOut, proposeAll } from '../batch.ts';
import { Complaint } from '../complaint.ts';
import { peek } from '../files.ts';
import { grammarFor } from '../grammars.ts';
import type { Licence } from '../licence.ts';
import { headerLines, licenceInManifest, licenceOf, withHeader } from '../licence.ts';
import { code, codeBlock, count } from '../markdown.ts';
import { isSource } from '../survey.ts';
import type { Skill, Turn } from '../turn.ts';
import { cleanPath } from '../words.ts';

const MANIFESTS = ['package.json', 'Cargo.toml', 'pyproject.toml'];
const TEXTS = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'COPYING'];

/** What the argument is when a person only wants to know. */
export const WHICH = '?';

/** Says which licence the folder is under, or puts its header on top of source files. */
export const licence: Skill = {
  name: 'licence',
  description: 'Put a licence header on source files without one, after your permission',
  hint: 'a file or folder, all if you name none; ? to see which licence it is',
  example: '/licence src',

  async run(turn, argument) {
    const { id, holder, from } = await find(turn);
    const header = headerLines({ id, ...(holder && { holder }) });
    const says = `${code(from)} says **${code(id)}**.`;
    if (argument === WHICH) {
      await turn.say(
        `${says} \`add licence headers\` puts this on the source files, after your permission:\n\n${codeBlock(header.join('\n'))}`,
      );
      return 'end_turn';
    }
    const where = cleanPath(argument);
    const found = await gather(turn, 'Look for files without a header', where, (name, text) => {
      // A file that was named gets one though it is no source.
      if (text === '' || !(name.endsWith(where || '/') || isSource(grammarFor(name).language)))
        return undefined;
      const change = withHeader(name, text, header);
      if (typeof change === 'string') return change;
      return {
        ...change,
        title: `Add a licence header to ${name}`,
        summary: `${says} That is its header now.`,
        extent: count(header.length, 'line'),
      };
    });
    const note = leftOut(found);
    if (found.parts.length > 0)
      return proposeAll(turn, found, `${says} Its header goes on top`, note);
    await turn.say(`There is no header to add. ${note || 'I see no source file there.'}`);
    return 'end_turn';
  },
};

/** @throws Complaint when no licence is there, none that is known, or two that differ. */
async function find(turn: Turn): Promise<Licence & { readonly from: string }> {
  const [text, textName] = await firstOf(turn, TEXTS, licenceOf);
  const [id, manifest] = await firstOf(turn, MANIFESTS, licenceInManifest);
  if (id === undefined && text !== undefined) return { ...text, from: textName };
  if (id === undefined) {
    throw new Complaint(
      `I cannot tell the licence. I look for ${code('license')} in ${MANIFESTS.map(code).join(', ')}, and for a text that I know in ${TEXTS.map(code).join(', ')}. The texts of GNU do not say “only” or “or later”: there a manifest must.`,
    );
  }
  if (text !== undefined && !id.split(' ').includes(text.id)) {
    throw new Complaint(
      `${code(manifest)} says ${code(id)}, but ${code(textName)} reads like ${code(text.id)}. I do not guess which is right, so I add nothing.`,
    );
  }
  return { ...text, id, from: manifest };
}

/** The first of these files from which something can be told, and its name. */
async function firstOf<T>(
  turn: Turn,
  names: readonly string[],
  tell: (text: string) => T | undefined,
): Promise<readonly [T | undefined, string]> {
  for (const name of names) {
    const told = tell((await peek(turn, name)) ?? '');
    if (told !== undefined) return [told, name];
  }
  return [undefined, ''];
}
