import type { PlanEntryStatus, StopReason } from '../protocol/acp.ts';
import { Complaint } from './complaint.ts';
import { filesIn, peek, readText } from './files.ts';
import { cell, count, plain } from './markdown.ts';
import type { Outcome, Proposal } from './proposal.ts';
import { canWrite, propose, settle, shownIn } from './proposal.ts';
import { beforeChange } from './skills/approvePlan.ts';
import type { Turn } from './turn.ts';

/** What happens to one file of several. */
export interface Part {
  /** The file's new text. */
  readonly text: string;
  /** The first line that changes, 1-based. */
  readonly line: number;
  /** For the tool call, in words. */
  readonly title: string;
  /** In one sentence of Markdown. */
  readonly summary: string;
  /** How much changes, in a few words: "3 places". */
  readonly extent: string;
}

/** What was found to change. */
export interface Gathered {
  readonly parts: readonly (Proposal & Part)[];
  /** How many files stay as they are, by why. */
  readonly kept: ReadonlyMap<string, number>;
  /** There are more than fit in one go. */
  readonly isMore: boolean;
}

/** What a folder holds that is not written in it: changed only where a person names it. */
const NOT_OURS = /(?:^|\/)(?:dist|build|out|target|coverage|vendor|third[-_]?party)\/|\.min\.\w+$/i;
/** No more files than a person can look through. */
const MAX_PARTS = 40;

/**
 * Looks, as a tool call, through the files of a place for what would change.
 *
 * @param where A file or a folder; everywhere if empty.
 * @param look What happens to a file; or why it stays as it is; undefined for one that has nothing to do with it.
 */
export function gather(
  turn: Turn,
  title: string,
  where: string,
  look: (name: string, text: string) => Part | string | undefined,
): Promise<Gathered> {
  return turn.tool({ title: plain(title, 200), kind: 'search' }, async () => {
    const parts: (Proposal & Part)[] = [];
    const kept = new Map<string, number>();
    let isMore = false;
    for await (const { path, name } of filesIn(turn, where)) {
      let text = await turn.workspace.textOf(path);
      let found = text === undefined ? undefined : look(name, text);
      const isNamed = where !== '' && name.endsWith(where);
      if (typeof found === 'object' && where === '' && NOT_OURS.test(name)) {
        found = 'built or of others';
      } else if (typeof found === 'object' || isNamed) {
        // The client knows what is not saved yet: it is asked for what changes, and for what was named.
        text = isNamed ? await readText(turn, path) : await peek(turn, path);
        found = text === undefined ? 'that I could not read' : look(name, text);
      }
      if (typeof found === 'string') kept.set(found, (kept.get(found) ?? 0) + 1);
      if (typeof found !== 'object' || text === undefined) continue;
      isMore = parts.length === MAX_PARTS;
      if (isMore) break;
      parts.push({
        ...found,
        title: plain(found.title, 200),
        path,
        before: text,
        after: found.text,
      });
    }
    return { value: { parts, kept, isMore } };
  });
}

/** "Left as they are: 2 files built or of others."; empty where there are none. */
export function leftOut({ kept }: Gathered): string {
  const left = Array.from(kept, ([why, files]) => `${count(files, 'file')} ${why}`);
  return left.length > 0 ? `Left as it is: ${left.join(', ')}.` : '';
}

/**
 * Works the change off as a plan: one diff and one question for each file, until the person allows all. A file that is
 * refused or cannot be written stops no other. Ends with a report.
 *
 * @param what What it is, as the beginning of a sentence in Markdown: "`a` becomes `b`".
 * @param note What else is to be said in the end.
 */
export async function proposeAll(
  turn: Turn,
  { parts, isMore }: Gathered,
  what: string,
  note: string,
): Promise<StopReason> {
  const [only] = parts;
  if (only && parts.length === 1) return propose(turn, only);
  if (canWrite(turn)) {
    const stop = await beforeChange(turn, shownIn(parts));
    if (stop) return stop;
  }
  const files = count(parts.length, 'file');
  const rows: string[] = [];
  let written = 0;
  if (canWrite(turn)) await turn.say(`${what} in ${files}. I ask for each, or once for all.`);
  for (const [at, part] of parts.entries()) {
    let result = 'this client offers no writing';
    if (canWrite(turn)) {
      await showPlan(turn, parts, at);
      const outcome = await settle(turn, part);
      if (outcome === 'cancelled') return 'cancelled';
      if (outcome === 'written') written += 1;
      result = told(outcome);
    }
    rows.push(`| ${cell(turn.workspace.name(part.path))} | ${part.extent} | ${result} |`);
  }
  if (canWrite(turn)) await showPlan(turn, parts, parts.length);
  await turn.say(
    [
      `**${written} of ${files} written.**${note && ` ${note.trim()}`}${isMore ? ` There are more than ${MAX_PARTS}: ask again for the rest.` : ''}\n`,
      '| File | Change | Result |',
      '| :--- | :--- | :--- |',
      ...rows,
    ].join('\n'),
  );
  return 'end_turn';
}

async function showPlan(turn: Turn, parts: readonly Part[], done: number): Promise<void> {
  const status = (at: number): PlanEntryStatus =>
    at < done ? 'completed' : at === done ? 'in_progress' : 'pending';
  await turn.plan(
    parts.map(({ title }, at) => ({ content: title, priority: 'medium', status: status(at) })),
  );
}

function told(outcome: Outcome): string {
  if (outcome instanceof Complaint) return `not written: ${cell(outcome.message.slice(0, 200))}`;
  return outcome === 'written' ? 'written' : 'you rejected it';
}
