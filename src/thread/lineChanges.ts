/** Lines `oldStart` to `oldEnd` became lines `newStart` to `newEnd`: 0-based, the ends not included. */
export interface LineRange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** More edits than this between two anchors: the whole gap is one replacement, which is as good to a reader. */
const MAX_EDITS = 400;
/** Elementary steps for all gaps together, so that no pair of files takes long. */
const MAX_STEPS = 3_000_000;
/** Anchors are looked for again between anchors, this often. */
const MAX_DEPTH = 8;

/**
 * The ranges that changed between two lists of lines, in order, never touching each other. Bounded in time: the edits
 * are few where files are alike, and not always the fewest where they are not.
 */
export function lineChanges(
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly LineRange[] {
  // What is the same at both ends, which is most of an edited file, is not even looked at closely.
  const whole = { oldStart: 0, oldEnd: oldLines.length, newStart: 0, newEnd: newLines.length };
  const { oldStart, oldEnd, newStart, newEnd } = trimmed(oldLines, newLines, whole);
  const ids = new Map<string, number>();
  const from = interned(oldLines.slice(oldStart, oldEnd), ids);
  const to = interned(newLines.slice(newStart, newEnd), ids);
  const comparison = new Comparison(from, to, ids.size);
  comparison.compare({ oldStart: 0, oldEnd: from.length, newStart: 0, newEnd: to.length }, 0);
  return comparison.changes.map((change) => ({
    oldStart: change.oldStart + oldStart,
    oldEnd: change.oldEnd + oldStart,
    newStart: change.newStart + newStart,
    newEnd: change.newEnd + newStart,
  }));
}

/** Without the lines at both ends that are the same. */
function trimmed<T>(from: ArrayLike<T>, to: ArrayLike<T>, range: LineRange): LineRange {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && from[oldStart] === to[newStart]) {
    oldStart++;
    newStart++;
  }
  while (oldStart < oldEnd && newStart < newEnd && from[oldEnd - 1] === to[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

/** Lines as numbers, the same line the same number: comparing costs no more than comparing numbers. */
function interned(lines: readonly string[], ids: Map<string, number>): Int32Array {
  return Int32Array.from(lines, (line) => {
    const known = ids.get(line);
    if (known !== undefined) return known;
    ids.set(line, ids.size);
    return ids.size - 1;
  });
}

/** The element at an index that is known to be inside. */
function at(list: Int32Array | readonly number[], index: number): number {
  return list[index] ?? 0;
}

function count(counts: Int32Array, id: number): void {
  counts[id] = at(counts, id) + 1;
}

interface Anchor {
  readonly oldLine: number;
  readonly newLine: number;
}

class Comparison {
  readonly changes: LineRange[] = [];
  private steps = 0;
  private readonly oldCounts: Int32Array;
  private readonly newCounts: Int32Array;
  private readonly newPlaces: Int32Array;

  constructor(
    private readonly from: Int32Array,
    private readonly to: Int32Array,
    distinct: number,
  ) {
    this.oldCounts = new Int32Array(distinct);
    this.newCounts = new Int32Array(distinct);
    this.newPlaces = new Int32Array(distinct);
  }

  compare(range: LineRange, depth: number): void {
    const gap = trimmed(this.from, this.to, range);
    if (gap.oldStart === gap.oldEnd || gap.newStart === gap.newEnd) {
      this.add(gap);
      return;
    }
    const unique = depth < MAX_DEPTH ? this.uniqueInBoth(gap) : [];
    const anchors = longestRising(unique ?? []);
    if (anchors.length > 0) this.compareBetween(anchors, gap, depth);
    else if (unique === null || !this.compareByEdits(gap)) this.add(gap);
  }

  private compareBetween(anchors: readonly Anchor[], gap: LineRange, depth: number): void {
    let { oldStart, newStart } = gap;
    for (const { oldLine, newLine } of anchors) {
      this.compare({ oldStart, oldEnd: oldLine, newStart, newEnd: newLine }, depth + 1);
      oldStart = oldLine + 1;
      newStart = newLine + 1;
    }
    this.compare({ ...gap, oldStart, newStart }, depth + 1);
  }

  private add(range: LineRange): void {
    if (range.oldStart === range.oldEnd && range.newStart === range.newEnd) return;
    const last = this.changes.at(-1);
    if (last?.oldEnd === range.oldStart && last.newEnd === range.newStart) {
      this.changes[this.changes.length - 1] = {
        ...last,
        oldEnd: range.oldEnd,
        newEnd: range.newEnd,
      };
    } else {
      this.changes.push(range);
    }
  }

  /**
   * Lines that stand exactly once on each side: what a reader takes for the same line. `null` if no line stands on both
   * sides at all.
   */
  private uniqueInBoth({ oldStart, oldEnd, newStart, newEnd }: LineRange): Anchor[] | null {
    const { from, to, oldCounts, newCounts, newPlaces } = this;
    for (let i = oldStart; i < oldEnd; i++) count(oldCounts, at(from, i));
    for (let j = newStart; j < newEnd; j++) {
      count(newCounts, at(to, j));
      newPlaces[at(to, j)] = j;
    }
    const anchors: Anchor[] = [];
    let common = false;
    for (let i = oldStart; i < oldEnd; i++) {
      const id = at(from, i);
      if (newCounts[id] !== 0) common = true;
      if (oldCounts[id] === 1 && newCounts[id] === 1) {
        anchors.push({ oldLine: i, newLine: at(newPlaces, id) });
      }
    }
    for (let i = oldStart; i < oldEnd; i++) oldCounts[at(from, i)] = 0;
    for (let j = newStart; j < newEnd; j++) newCounts[at(to, j)] = 0;
    return common ? anchors : null;
  }

  /** Myers' algorithm. False if it would take too many edits: nothing was added then. */
  private compareByEdits(gap: LineRange): boolean {
    const oldCount = gap.oldEnd - gap.oldStart;
    const newCount = gap.newEnd - gap.newStart;
    const limit = Math.min(oldCount + newCount, MAX_EDITS);
    const origin = limit + 1;
    // How far into the old lines each diagonal (old index minus new index) has come.
    const reached = new Int32Array(2 * limit + 3);
    const rounds: Int32Array[] = [];
    for (let edits = 0; edits <= limit && this.steps < MAX_STEPS; edits++) {
      rounds.push(reached.slice(origin - edits - 1, origin + edits + 2));
      for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const start = nextStart(reached, origin, diagonal, edits);
        const end = this.alongDiagonal(gap, start, diagonal);
        reached[origin + diagonal] = end;
        this.steps += end - start + 1;
        if (end >= oldCount && end - diagonal >= newCount) {
          this.addPath(gap, rounds);
          return true;
        }
      }
    }
    return false;
  }

  private alongDiagonal(gap: LineRange, start: number, diagonal: number): number {
    const { from, to } = this;
    let i = gap.oldStart + start;
    let j = gap.newStart + start - diagonal;
    while (i < gap.oldEnd && j < gap.newEnd && from[i] === to[j]) {
      i++;
      j++;
    }
    return i - gap.oldStart;
  }

  /** Walks back from the end over the rounds, then adds the edits from the start on. */
  private addPath(gap: LineRange, rounds: readonly Int32Array[]): void {
    let oldIndex = gap.oldEnd - gap.oldStart;
    let newIndex = gap.newEnd - gap.newStart;
    const edits: LineRange[] = [];
    for (let round = rounds.length - 1; round > 0; round--) {
      const reached = rounds[round] ?? new Int32Array();
      const diagonal = oldIndex - newIndex;
      const inserts = isInsertion(reached, round + 1, diagonal, round);
      const before = inserts ? diagonal + 1 : diagonal - 1;
      oldIndex = at(reached, round + 1 + before);
      newIndex = oldIndex - before;
      edits.push({
        oldStart: gap.oldStart + oldIndex,
        oldEnd: gap.oldStart + oldIndex + (inserts ? 0 : 1),
        newStart: gap.newStart + newIndex,
        newEnd: gap.newStart + newIndex + (inserts ? 1 : 0),
      });
    }
    for (const edit of edits.reverse()) this.add(edit);
  }
}

function isInsertion(
  reached: Int32Array,
  origin: number,
  diagonal: number,
  edits: number,
): boolean {
  if (diagonal === -edits) return true;
  if (diagonal === edits) return false;
  return at(reached, origin + diagonal - 1) < at(reached, origin + diagonal + 1);
}

function nextStart(reached: Int32Array, origin: number, diagonal: number, edits: number): number {
  return isInsertion(reached, origin, diagonal, edits)
    ? at(reached, origin + diagonal + 1)
    : at(reached, origin + diagonal - 1) + 1;
}

/** The longest run of anchors that rise on both sides (they rise on the old side already). */
function longestRising(anchors: readonly Anchor[]): readonly Anchor[] {
  const tails: number[] = [];
  const previous = new Int32Array(anchors.length);
  anchors.forEach(({ newLine }, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((anchors[at(tails, middle)]?.newLine ?? 0) < newLine) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : at(tails, low - 1);
    tails[low] = index;
  });
  const run: Anchor[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = at(previous, index)) {
    const anchor = anchors[index];
    if (anchor !== undefined) run.push(anchor);
  }
  return run.reverse();
}
