import { help } from './skills.ts';
import { edit } from './skills/edit.ts';
import { think } from './skills/think.ts';
import type { Attachment, Skill } from './turn.ts';
import { pathIn } from './words.ts';

/** A way of asking for a skill in plain words. */
interface Intent {
  readonly skill: Skill;
  /** What follows the command if this was meant, else undefined. */
  match(text: string, attachments: readonly Attachment[]): string | undefined;
}

/** Plain words that are understood; the first that fits wins. */
export const intents: readonly Intent[] = [
  { skill: help, match: (text) => (isAboutTheAgent(text) ? '' : undefined) },
  {
    skill: edit,
    match: (text) => withFile(/^(?:please |can you )?(?:edit|change|touch)\b/i, text),
  },
  { skill: think, match: (text) => after(/^(?:please )?think\b(?: about| aloud)?/i, text) },
];

function isAboutTheAgent(text: string): boolean {
  return /^(?:help|hi|hello|hey|good (?:morning|evening)|what can you do|who are you|what are you)\b[^/]{0,40}$/i.test(
    text,
  );
}

function after(words: RegExp, text: string): string | undefined {
  const found = words.exec(text);
  return found ? text.slice(found[0].length).trim() : undefined;
}

function withFile(words: RegExp, text: string): string | undefined {
  const rest = after(words, text);
  return rest === undefined ? undefined : pathIn(rest);
}
