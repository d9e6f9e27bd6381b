import { lineChanges, type LineRange } from '../../thread/lineChanges.ts';
import { splitLines, withSoftEnds } from './lines.ts';

export type Merge =
  | { readonly kind: 'clean'; readonly text: string }
  /** `marked`: the merge with conflict markers around the lines that both sides changed. */
  | { readonly kind: 'conflict'; readonly marked: string };

/** What the sides are called in conflict markers. */
export interface SideNames {
  readonly mine: string;
  readonly theirs: string;
}

/** One stretch of the base that at least one side changed, and what each side has in its place. */
interface Region {
  /** Lines of the base, the end not included. */
  readonly start: number;
  readonly end: number;
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  readonly changedBy: 'mine' | 'theirs' | 'both';
}

/**
 * Merges what two sides made of one text, by lines. As in git, what only one side changed is taken, what both changed
 * alike is taken once, and changes of both that overlap or touch are a conflict. Line ends count as equal, whatever their
 * kind; the result has `\n`.
 */
export function merge(base: string, mine: string, theirs: string, names: SideNames): Merge {
  const baseLines = splitLines(withSoftEnds(base));
  const regions = regionsOf(
    baseLines,
    splitLines(withSoftEnds(mine)),
    splitLines(withSoftEnds(theirs)),
  );
  const parts: string[] = [];
  let done = 0;
  let conflict = false;
  for (const region of regions) {
    parts.push(baseLines.slice(done, region.start).join(''));
    done = region.end;
    const taken = takenOf(region);
    conflict ||= taken === null;
    parts.push((taken ?? marked(region, names)).join(''));
  }
  parts.push(baseLines.slice(done).join(''));
  const text = parts.join('');
  return conflict ? { kind: 'conflict', marked: text } : { kind: 'clean', text };
}

/** The lines that both sides can live with; `null` if there are none. */
function takenOf({ changedBy, mine, theirs }: Region): readonly string[] | null {
  if (changedBy !== 'both') return changedBy === 'mine' ? mine : theirs;
  return sameLines(mine, theirs) ? mine : null;
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

function marked({ mine, theirs }: Region, names: SideNames): string[] {
  return [
    `<<<<<<< ${names.mine}\n`,
    ...mine.map(ended),
    '=======\n',
    ...theirs.map(ended),
    `>>>>>>> ${names.theirs}\n`,
  ];
}

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`;
}

/** Changes of the two sides, those that overlap or touch put together. */
function regionsOf(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): Region[] {
  const sides = {
    mine: new Side(mine, lineChanges(base, mine)),
    theirs: new Side(theirs, lineChanges(base, theirs)),
  };
  const regions: Region[] = [];
  for (;;) {
    const start = Math.min(sides.mine.nextStart(), sides.theirs.nextStart());
    if (start === Infinity) return regions;
    const first = sides.mine.nextStart() === start ? sides.mine : sides.theirs;
    // Touching changes of one side are one already, so that each step takes in the other side's.
    let end = first.take();
    for (let grown = true; grown;) {
      grown = false;
      for (const side of [sides.mine, sides.theirs]) {
        if (side.nextStart() > end) continue;
        end = Math.max(end, side.take());
        grown = true;
      }
    }
    const changed = { mine: sides.mine.hasTaken(), theirs: sides.theirs.hasTaken() };
    regions.push({
      start,
      end,
      mine: sides.mine.linesFor(start, end),
      theirs: sides.theirs.linesFor(start, end),
      changedBy: changed.mine && changed.theirs ? 'both' : changed.mine ? 'mine' : 'theirs',
    });
  }
}

/** One side's changes, taken one after the other. */
class Side {
  private next = 0;
  /** The first change of the region that is being put together. */
  private first = 0;

  constructor(
    private readonly lines: readonly string[],
    private readonly changes: readonly LineRange[],
  ) {}

  /** The line of the base at which the next change begins. */
  nextStart(): number {
    return this.changes[this.next]?.oldStart ?? Infinity;
  }

  /** @returns The line of the base at which the change ends. */
  take(): number {
    const end = this.changes[this.next]?.oldEnd ?? 0;
    this.next++;
    return end;
  }

  hasTaken(): boolean {
    return this.next > this.first;
  }

  /** This side's lines in place of a stretch of the base that no change crosses the ends of. Begins a new region. */
  linesFor(start: number, end: number): readonly string[] {
    const shiftBefore = this.shiftAfter(this.first);
    const shiftBehind = this.shiftAfter(this.next);
    this.first = this.next;
    return this.lines.slice(start + shiftBefore, end + shiftBehind);
  }

  /** How far this side's lines are from the base's behind its first `count` changes. */
  private shiftAfter(count: number): number {
    const last = this.changes[count - 1];
    return last === undefined ? 0 : last.newEnd - last.oldEnd;
  }
}
