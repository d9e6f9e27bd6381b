import {
  aboutTheFolder,
  after,
  corrected,
  isName,
  said,
  someLines,
  soughtIn,
  withFile,
} from './phrases.ts';
import { help } from './skills.ts';
import { create } from './skills/create.ts';
import { edit } from './skills/edit.ts';
import { explain } from './skills/explain.ts';
import { files } from './skills/files.ts';
import { image } from './skills/image.ts';
import { licence } from './skills/licence.ts';
import { overview } from './skills/overview.ts';
import { plan } from './skills/plan.ts';
import { read } from './skills/read.ts';
import { rename } from './skills/rename.ts';
import { run } from './skills/run.ts';
import { search } from './skills/search.ts';
import { skeleton } from './skills/skeleton.ts';
import { symbol } from './skills/symbol.ts';
import { tests } from './skills/tests.ts';
import { think } from './skills/think.ts';
import { todos } from './skills/todos.ts';
import type { Attachment, Skill } from './turn.ts';
import { aboutAName, command, FIND, licensing, listing, renaming, testing } from './wishes.ts';
import { pathIn } from './words.ts';

/** A skill, and what it is asked. */
export interface Wish {
  readonly skill: Skill;
  readonly argument: string;
}

/** A way of asking for a skill in plain words. */
interface Intent {
  readonly skill: Skill;
  /** What follows the command if this was meant, else undefined. */
  match(text: string, attachments: readonly Attachment[]): string | undefined;
}

const OUTLINE = String.raw`(?:explain|summari[sz]e|describe|outline|analy[sz]e|review|understand|walk me through|tell me (?:more )?about|give me (?:an overview|a summary|an outline) of|(?:list|show|what are)(?: me)?(?: all)?(?: the)? (?:functions|classes|methods|exports|imports|symbols|headings)|how (?:many lines|long|big|large)|what'?s?(?: is| does| do)?|how does)\b`;

const READ = String.raw`(?:read|show(?: me)?|open|print|cat|display|view)\b`;

/** Plain words that are understood; the first that fits wins. */
const intents: readonly Intent[] = [
  { skill: help, match: (text) => (isAboutTheAgent(text) ? '' : undefined) },
  { skill: rename, match: renaming },
  { skill: licence, match: licensing },
  {
    skill: todos,
    match: (text) =>
      /(?<![\w/.-])(?:to-?dos?|fixmes?)\b(?![/-]|\.\w)/i.test(text) ? '' : undefined,
  },
  { skill: skeleton, match: testing },
  {
    skill: tests,
    match: (text) =>
      said(
        String.raw`(?:(?:do|did|does|are|will)\b.{0,20}\btests?\b.{0,20}(?:pass|green|ok|work|fail|run)|(?:check|try) (?:the |all |my )*tests\b|test (?:it|this|everything|all|the (?:project|code))\W*$)`,
        text,
      ),
  },
  {
    skill: plan,
    match: (text) => said(String.raw`(?:make|write|give me|show me)\b.{0,20}\bplan\b|plan\b`, text),
  },
  { skill: run, match: command },
  {
    skill: read,
    match: (text) =>
      /^how (?:do|can|should|to) .{0,10}\b(?:run|build|start|install|use|set ?up|deploy)\b/i.test(
        text,
      )
        ? 'README'
        : undefined,
  },
  {
    skill: image,
    match: (text) =>
      said(
        String.raw`(?:show|draw|send|give|paint)(?: me)? (?:an?|the|some|your) (?:\w+ )?(?:picture|image|drawing|png)\b`,
        text,
      ),
  },
  {
    skill: create,
    match: (text) => {
      const rest = after(
        String.raw`(?:create|make|add|start|new)\b(?: me)?(?: an?| the)?(?: new| empty| small| text)* file\b`,
        text,
      );
      return rest === undefined ? undefined : pathIn(rest);
    },
  },
  { skill: read, match: someLines },
  { skill: files, match: listing },
  { skill: overview, match: (text) => aboutTheFolder(OUTLINE, text) },
  { skill: explain, match: (text, attached) => withFile(OUTLINE, text, attached) },
  { skill: read, match: (text, attached) => withFile(READ, text, attached) },
  {
    skill: edit,
    match: (text, attached) => withFile(String.raw`(?:edit|change|touch|modify)\b`, text, attached),
  },
  { skill: symbol, match: aboutAName },
  // A verb alone, or with one word that is no path: a folder, or a name.
  {
    skill: symbol,
    match: (text) => {
      const rest = after(`(?:${OUTLINE}|${READ})(?: the)?`, text);
      return rest !== undefined && isName(rest) ? rest.replace(/[?!.]+$/, '') : undefined;
    },
  },
  {
    skill: explain,
    match: (text) =>
      /^(?:explain|summar|descri|outline|read$|open$)\S*\W*$/i.test(text) ? '' : undefined,
  },
  {
    skill: search,
    match: (text) => {
      const rest = after(FIND, text);
      return rest === undefined ? undefined : soughtIn(rest);
    },
  },
  {
    skill: think,
    match: (text) => after(String.raw`think\b(?:\s+(?:about|aloud|out loud))*`, text),
  },
  // No words but a file: an outline is the best guess.
  { skill: explain, match: (text, [first]) => (text === '' ? first?.name : undefined) },
];

/** What I never do by myself. */
const LEFT_TO_COMMANDS =
  /^(?:please )?(?:delete|remove|move|copy|undo|revert|commit|push|install|deploy|format|lint)\b/i;

/** What may be meant where nothing was understood; whoever uses one says so. */
const guesses: readonly Intent[] = [
  {
    skill: run,
    match: (text) =>
      /^(?:npm|npx|pnpm|yarn|git|node|deno|bun|python3?|pip3?|cargo|docker|mvn|tsc) \S/.test(text)
        ? text
        : undefined,
  },
  {
    skill: explain,
    match: (text, [first]) =>
      LEFT_TO_COMMANDS.test(text) ? undefined : (pathIn(text) ?? first?.name),
  },
  { skill: symbol, match: (text) => (isName(text) && text.length > 2 ? text : undefined) },
];

function isAboutTheAgent(text: string): boolean {
  return /^(?:\?+|help|hi|hello|hey|good (?:morning|afternoon|evening)|what(?: else)? (?:can|could|should|do) (?:you|i) (?:do|ask|say|try)|who are you|what are you|how do you work|how does this work|what do you know|(?:are you|who (?:made|built|wrote) you|(?:what|which)(?: kind of)? (?:model|ai|llm)).{0,30})(?:\W+(?:me|you|please|there|parley|agent|for|here|today|now|with|all|everyone))*\W*$/i.test(
    text,
  );
}

/** What a sentence asks for, if it is understood. */
export function understood(text: string, attachments: readonly Attachment[]): Wish | undefined {
  return first(intents, corrected(text), attachments);
}

/** What may be meant by a sentence that is not understood. */
export function guessed(text: string, attachments: readonly Attachment[]): Wish | undefined {
  return first(guesses, text, attachments);
}

function first(
  from: readonly Intent[],
  text: string,
  attachments: readonly Attachment[],
): Wish | undefined {
  for (const intent of from) {
    const argument = intent.match(text, attachments);
    if (argument !== undefined) return { skill: intent.skill, argument };
  }
  return undefined;
}
