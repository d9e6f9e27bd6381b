import { help } from './skills.ts';
import { edit } from './skills/edit.ts';
import { explain } from './skills/explain.ts';
import { overview } from './skills/overview.ts';
import { plan } from './skills/plan.ts';
import { read } from './skills/read.ts';
import { rename } from './skills/rename.ts';
import { meansTests, run } from './skills/run.ts';
import { search } from './skills/search.ts';
import { think } from './skills/think.ts';
import { todos } from './skills/todos.ts';
import type { Attachment, Skill } from './turn.ts';
import { pathIn } from './words.ts';

/** A way of asking for a skill in plain words. */
interface Intent {
  readonly skill: Skill;
  /** What follows the command if this was meant, else undefined. */
  match(text: string, attachments: readonly Attachment[]): string | undefined;
}

const POLITE = String.raw`^(?:(?:please|now|ok|okay|can you|could you|would you|will you|i want you to|let us|let's|hi|hello|hey|help me(?: to)?|i would like you to)[,!.\s]+)*`;
const OUTLINE = String.raw`(?:explain|summari[sz]e|describe|outline|analy[sz]e|review|understand|walk me through|tell me about|give me (?:an overview|a summary|an outline) of|what(?:'s| is| does)|how does)\b`;
const FIND = String.raw`(?:find|search(?: for)?|grep(?: for)?|look (?:for|up)|locate|where(?:'s| is| are| do (?:i|we)| does)|who (?:uses|calls)|show me where)\b`;

/** Plain words that are understood; the first that fits wins. */
export const intents: readonly Intent[] = [
  { skill: help, match: (text) => (isAboutTheAgent(text) ? '' : undefined) },
  { skill: rename, match: renaming },
  { skill: todos, match: (text) => (/\bto-?dos?\b|\bfixmes?\b/i.test(text) ? '' : undefined) },
  {
    skill: plan,
    match: (text) => said(String.raw`(?:make|write|give me|show me)\b.{0,20}\bplan\b|plan\b`, text),
  },
  { skill: run, match: command },
  { skill: overview, match: aboutTheFolder },
  { skill: explain, match: (text, attached) => withFile(OUTLINE, text, attached) },
  {
    skill: read,
    match: (text, attached) =>
      withFile(String.raw`(?:read|show(?: me)?|open|print|cat|display)\b`, text, attached),
  },
  {
    skill: edit,
    match: (text, attached) => withFile(String.raw`(?:edit|change|touch|modify)\b`, text, attached),
  },
  { skill: search, match: sought },
  {
    skill: think,
    match: (text) => after(String.raw`think\b(?:\s+(?:about|aloud|out loud))*`, text),
  },
  // No words but a file: an outline is the best guess.
  { skill: explain, match: (text, [first]) => (text === '' ? first?.name : undefined) },
];

function isAboutTheAgent(text: string): boolean {
  return /^(?:help|hi|hello|hey|good (?:morning|afternoon|evening)|what (?:can|could) (?:you|i) (?:do|ask|say)|who are you|what are you|how do you work|what do you know|thanks|thank you)(?:\W+(?:me|you|please|there|parley|agent|for|here|today|now|with|very|much|all|everyone))*\W*$/i.test(
    text,
  );
}

/** "run npm test", "run the tests", "execute `ls -la`"; not "run the linter", which names no command. */
function command(text: string): string | undefined {
  const rest = after(
    String.raw`(?:run|execute|start(?=[^\x60]*\x60))\b(?:\s+(?:the )?(?:command|script)\b)?`,
    text,
  );
  if (rest === undefined || rest === '') return undefined;
  const isThing = /^(?:the|a|an|my|our|your|this|that|these|it|them|over|again|all)\b/i.test(rest);
  const quoted = /`([^`]+)`/.exec(rest);
  // Elsewhere the backticks may be the shell's own.
  if (quoted && (isThing || quoted.index === 0)) return quoted[1];
  // A full stop behind a word ends the sentence; behind a blank or a slash it is a path.
  const line = rest.replace(/(?:[,\s]+(?:please|now|for me))*(?:(?<=\w)[.!?]+)?$/i, '');
  return isThing && !meansTests(line) ? undefined : line;
}

/** "rename X to Y in FILE", "replace X with Y in FILE". */
function renaming(text: string): string | undefined {
  const rule = new RegExp(
    String.raw`${POLITE}(?:rename|replace|change)\s+(\S+)\s+(?:to|with|by|into)\s+(\S+)\s+in\s+(?:the file\s+)?(.+)$`,
    'i',
  );
  const [, from, to, file] = rule.exec(text) ?? [];
  if (from === undefined || to === undefined || file === undefined) return undefined;
  return `${bare(from)} ${bare(to)} ${pathIn(file) ?? file}`;
}

function aboutTheFolder(text: string): string | undefined {
  const folder = String.raw`\b(?:project|repo(?:sitory)?|workspace|folder|directory|code ?base)\b`;
  const asks = new RegExp(
    String.raw`${POLITE}(?:${OUTLINE}|what(?:'s| is)|overview|list|show|count).{0,40}${folder}|^(?:give me an )?overview\b|\bhow many (?:files|lines)\b|\b(?:what|which|count) (?:programming )?languages\b`,
    'i',
  );
  return asks.test(text) && pathIn(text) === undefined ? '' : undefined;
}

/** What to look for: without "the function", "in this folder" and the like around it. */
function sought(text: string): string | undefined {
  return after(FIND, text)
    ?.replace(
      /^(?:(?:all|any|every|the|a|an|where|uses? of|usages? of|calls? (?:of|to)|references? to|definition of|function|class|method|type|variable|file|word|text|string)\s+)*/i,
      '',
    )
    .replace(/\s+(?:is |are |was )?(?:defined|declared|used|called|implemented|located)\b.*$/i, '')
    .replace(
      /\s+(?:in|inside) (?:this|the|my|our|all) (?:project|repo(?:sitory)?|workspace|folder|code(?: ?base)?|files?)\W*$/i,
      '',
    )
    .trim();
}

function said(words: string, text: string): string | undefined {
  return after(words, text) === undefined ? undefined : '';
}

function after(words: string, text: string): string | undefined {
  const found = new RegExp(`${POLITE}(?:${words})`, 'i').exec(text);
  return found ? text.slice(found[0].length).trim() : undefined;
}

/** The file that is named, or else the one that is attached. */
function withFile(
  words: string,
  text: string,
  [attached]: readonly Attachment[],
): string | undefined {
  const rest = after(words, text);
  return rest === undefined ? undefined : (pathIn(rest) ?? attached?.name);
}

function bare(word: string): string {
  return word.replace(/^["'`]|["'`]$/g, '');
}
