import type { Attachment } from './turn.ts';
import { pathIn } from './words.ts';

/** How sentences begin that ask politely; whatever follows is what is meant. */
const POLITE = String.raw`^(?:(?:please|pls|now|ok|okay|so|and|can you|could you|would you|will you|can i|how do i|i want(?: you)? to|i need to|let us|let's|hi|hello|hey|help me(?: to)?|i would like(?: you)? to|i'd like(?: you)? to|just|also|quickly)[,!.\s]+)*`;

const FOLDER = String.raw`\b(?:project|repo(?:sitory)?|workspace|folder|directory|code ?base)\b`;

/** What follows these words when a sentence begins with them, politely or not; else undefined. */
export function after(words: string, text: string): string | undefined {
  const found = new RegExp(`${POLITE}(?:${words})`, 'i').exec(text);
  return found ? text.slice(found[0].length).trim() : undefined;
}

/** Nothing, if the sentence begins with these words; else undefined. */
export function said(words: string, text: string): string | undefined {
  return after(words, text) === undefined ? undefined : '';
}

/** The file that is named behind the words, or else the one that is attached. */
export function withFile(
  words: string,
  text: string,
  [attached]: readonly Attachment[],
): string | undefined {
  const rest = after(words, text);
  return rest === undefined ? undefined : (pathIn(rest) ?? attached?.name);
}

/** The parts of a sentence in the order of the groups, if it begins like this. */
export function parts(rule: string, text: string): readonly string[] | undefined {
  const found = new RegExp(POLITE + rule, 'i').exec(text);
  return found ? found.slice(1).map((part: string | undefined) => part ?? '') : undefined;
}

/** The sentence is about the folder as a whole, which names no file. */
export function aboutTheFolder(asking: string, text: string): string | undefined {
  const asks = new RegExp(
    String.raw`${POLITE}(?:(?:${asking}|what'?s?\b|overview|show|count|how (?:big|large|long)).{0,40}${FOLDER}|${asking} (?:how )?(?:everything|it all|all of it|(?:the|this|your|my) code)(?: works?)?\W*$)|^(?:(?:give|show) me )?(?:an |the )?overview\b|\bhow many (?:files|lines)\b|\b(?:largest|biggest|longest) files?\b|\blanguages?\b.{0,20}\b(?:used?|written|here)\b|\b(?:what|which|count|list|show)(?: me)?(?: all)?(?: the| my)?(?: programming)? languages?\b`,
    'i',
  );
  return asks.test(text) && pathIn(text) === undefined ? '' : undefined;
}

/** "lines 4 to 9 of x.ts", "x.ts:4", "show x.ts, line 4". */
export function someLines(text: string): string | undefined {
  if (/\b(?:find|search|run)\b/i.test(text)) return undefined;
  const path = pathIn(text.replace(/:\d+(?:-\d+)?/, ''));
  const [, from, to] =
    /\blines?\s+(\d{1,7})(?:\s*(?:-|–|to|until|and)\s*(\d{1,7}))?/i.exec(text) ??
    /\S:(\d{1,7})(?:-(\d{1,7}))?(?![\w:])/.exec(text) ??
    [];
  if (path === undefined || from === undefined) return undefined;
  // One line is shown as one, where behind a path a number means "from there on".
  return `${path}:${from}-${to ?? (/\blines\b/i.test(text) ? Number(from) + 20 : from)}`;
}

/** What to look for: without "the function", "in this folder" and the like around it. */
export function soughtIn(rest: string): string {
  return rest
    .replace(
      /^(?:(?:all|any|every|the|a|an|where|for|uses? of|usages? of|calls? (?:of|to)|references? to|definition of|function|class|method|type|variable|file|word|text|string|called|named)\s+)*/i,
      '',
    )
    .replace(
      /\s+(?:is |are |was |being )?(?:defined|declared|used|called|implemented|located|imported)\b.*$/i,
      '',
    )
    .replace(
      /\s+(?:in|inside) (?:this|the|my|our|all) (?:project|repo(?:sitory)?|workspace|folder|code(?: ?base)?|files?)\W*$/i,
      '',
    )
    .trim();
}

/** A name in code is one word, and not an everyday one unless it is marked as code. */
export function isName(words: string): boolean {
  const bare = words.replace(/[?!.]+$/, '');
  if (/^`[^`\s]{1,100}`$/.test(bare)) return true;
  return (
    /^[\p{L}_$][\p{L}\p{N}_$]*(?:\(\))?$/u.test(bare) &&
    !/^(?:it|this|that|everything|here|me|you|i|code|files?|functions|classes|methods|exports|imports|symbols)$/i.test(
      bare,
    )
  );
}

const VERBS =
  'explain summarise summarize describe search rename replace outline overview languages'.split(
    ' ',
  );

/** The same words, where one of the first is a common verb but for one letter. */
export function corrected(text: string): string {
  const words = text.split(' ');
  return words
    .map((word, at) => {
      if (at > 3 || word.length > 12 || !/^[a-z]{5,}$/i.test(word)) return word;
      const lower = word.toLowerCase();
      return VERBS.includes(lower) ? word : (VERBS.find((verb) => isNear(lower, verb)) ?? word);
    })
    .join(' ');
}

/** One letter too many, too few or wrong, or two that changed places. */
function isNear(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [a, b] = [one.slice(start), other.slice(start)];
  return (
    a.slice(1) === b ||
    a === b.slice(1) ||
    a.slice(1) === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}
