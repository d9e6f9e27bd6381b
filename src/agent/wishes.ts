import { after, isName, parts, soughtIn } from './phrases.ts';
import { WHICH } from './skills/licence.ts';
import { meansTests } from './skills/run.ts';
import type { Attachment } from './turn.ts';
import { cleanPath, pathIn } from './words.ts';

/** How sentences begin that look for something. */
export const FIND = String.raw`(?:find(?: out)?|search(?: for)?|grep(?: for)?|look (?:for|up)|locate|where(?:'s| is| are| do (?:i|we)| does)|(?:who|which files?|what) (?:uses?|calls?|imports?)|is there (?:an?|any)|(?:list|show)(?: me)?(?: all)? (?:uses|usages|references|calls)(?: (?:of|to))?|show me where)\b`;

/** "run npm test", "run the tests", "execute `ls -la`"; not "run the linter", which names no command. */
export function command(text: string): string | undefined {
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

/** "rename X to Y", "rename X to Y in FILE", "replace X with Y everywhere". */
export function renaming(text: string, [attached]: readonly Attachment[]): string | undefined {
  const found = parts(
    String.raw`(?:rename|replace|change)\s+(?:(?:the|all|every)\s+)?(?:(?:function|class|variable|method|word|name)s?\s+)?(\S+)\s+(?:to|with|by|into)\s+(\S+?)(?:\s+(everywhere|please|in\s+.+))?[.!?]*$`,
    text,
  );
  if (!found) return undefined;
  const [from = '', to = '', where = ''] = found;
  const isAll =
    /^(?:everywhere|please)?$|\b(?:all|every|this (?:project|folder|repo)|the (?:project|folder|whole))\b/i;
  // One file is not renamed to another: that would be a move, which I do not do.
  if (where === '' && pathIn(from) !== undefined) return undefined;
  if (isAll.test(where)) return `${bare(from)} ${bare(to)}`;
  const place = /\b(?:this|the) file\W*$/i.test(where) ? attached?.name : undefined;
  return `${bare(from)} ${bare(to)} ${place ?? pathIn(where) ?? where.replace(/^in\s+(?:the (?:file|folder) )?/i, '')}`;
}

/** Asks which licence it is, or for its header. */
export function licensing(text: string, [attached]: readonly Attachment[]): string | undefined {
  const words = /(?<![\w/.-])(?:licen[cs]e[ds]?|licen[cs]ing|spdx|copyright)\b(?![/-]|\.\w)/gi;
  if (!words.test(text)) return undefined;
  if (/\b(?:headers?|notices?|comments?|lines?)\b/i.test(text)) {
    const rest = text.replace(words, '');
    const [, folder] =
      /\b(?:in|to|under|below)\s+(?:the\s+)?(?:folder\s+)?([\w./-]+)\/?\s*(?:folder)?[.!?]*$/i.exec(
        rest,
      ) ?? [];
    const isVague = /^(?:all|every|each|this|it|them|my|our|files|project|code)$/i.test(
      folder ?? 'all',
    );
    return (
      pathIn(rest) ??
      (/\bthis file\b/i.test(text) ? attached?.name : undefined) ??
      (isVague ? '' : folder)
    );
  }
  return /^(?:what|which|whose|under|is there|show)\b|\?$/i.test(text) ? WHICH : undefined;
}

/** "write a test for FILE", "make a test skeleton". */
export function testing(text: string, [attached]: readonly Attachment[]): string | undefined {
  const rest = after(
    String.raw`(?:write|make|create|add|generate|scaffold|give me|i need|prepare)\b.{0,30}?\b(?:tests?|specs?)(?: skeletons?| files?| cases?| stubs?)?(?= (?:for|of|to|in)\b|[.!?]*$)`,
    text,
  );
  return rest === undefined
    ? undefined
    : (pathIn(rest) ?? attached?.name ?? cleanPath(rest.replace(/^(?:for|of|to|in)\b/i, '')));
}

/** "list the files", "what is in src/"; not what the folder is about. */
export function listing(text: string): string | undefined {
  if (/^(?:can|do) you (?:see|read|access)\b.{0,20}\bfiles?\W*$/i.test(text)) return '';
  const found = parts(
    String.raw`(?:(?:list|show|ls|dir|what|which|print)\b(?: me)?(?: are)?(?: all)?(?: of)?(?: the| my)?(?: source)? ?(?:files?(?: and folders)?|folders?|director(?:y|ies)|tree)\b(?: are| is| do we have)*(?: there| here)*(?:\s+(?:in|of|under|below) (?:the )?(\S+)(?: folder| directory)?)?|(?:ls|dir|tree)\b\s*(\S*)|(?:list(?= \S+/)|what'?s?(?: is| are)? in)\s+(?:the )?(?:folder )?(\S+?)(?: folder)?)[.!?]*$`,
    text,
  );
  if (!found) return undefined;
  const folder = cleanPath(found.join(''));
  if (/^(?:this|here|the|my|our|there|project|it)?$/i.test(folder))
    return found[2] === '' ? '' : undefined;
  return folder;
}

/** "what does X do", "where is X used", "who calls X". */
export function aboutAName(text: string): string | undefined {
  const [does = ''] =
    parts(
      String.raw`what (?:does|is)(?: the)?(?: function| class| method)? (\S+?)(?: do(?:es)?| for| good for)?[.?!]*$`,
      text,
    ) ?? [];
  if (/ do(?:es)?\W*$/i.test(text) ? isName(does) : /^`/.test(does) && isName(does)) return does;
  const rest = after(FIND, text);
  if (
    rest === undefined ||
    !/\b(?:function|class|method|type|variable|symbol|interface|defin\w+|declar\w+|used?|uses|usages?|call\w*|references?|implemented|imports?)\b/i.test(
      text,
    )
  )
    return undefined;
  const name = soughtIn(rest).replace(/^(?:symbol|interface)\s+/i, '');
  return isName(name) ? name.replace(/[?!.]+$/, '') : undefined;
}

function bare(word: string): string {
  return word.replace(/[,;]+$/, '').replace(/^["'`]|["'`]$/g, '');
}
