/** Milliseconds without a keystroke before an answer is taken: keys meant for elsewhere must approve nothing. */
const QUIET = 500;

/**
 * VS Code tells of a click as "the row became active" and "accepted" in one go; no key follows another this fast.
 * So an accept within this many milliseconds of the active row's change is a click.
 */
const CLICK = 25;

/**
 * Decides whether a quick pick may take an answer now. VS Code does not tell of keys, but of what they do: text that
 * changes, another row that becomes active, an accept. Nor does it tell that the pick has appeared, which can be long
 * after it was asked for; but its first row becomes active then, and no answer is taken before.
 */
export class Grace {
  private quietSince = Infinity;
  /** When quiet began before the latest change of the active row. */
  private quietBefore = Infinity;
  private rowChangedAt = -Infinity;

  /** @param now Milliseconds, never going back. */
  constructor(private readonly now: () => number) {}

  /** The pick left the screen; it may appear again. */
  hidden(): void {
    this.quietSince = Infinity;
  }

  /** Text was typed. */
  typed(): void {
    this.quietSince = this.now();
  }

  /** A row became active: the first one at first, then others, by an arrow key or by a click that is accepted at once. */
  rowChanged(): void {
    this.quietBefore = this.quietSince;
    this.quietSince = this.now();
    this.rowChangedAt = this.quietSince;
  }

  /** True if an accept at this moment is an answer; if not, it was a keystroke like any other. */
  accepts(): boolean {
    const now = this.now();
    const since = now - this.rowChangedAt <= CLICK ? this.quietBefore : this.quietSince;
    if (now - since >= QUIET) return true;
    this.quietSince = now;
    return false;
  }

  /** Milliseconds until an answer would be taken if nothing happens until then; unbounded before the pick appeared. */
  remaining(): number {
    return Math.max(0, this.quietSince + QUIET - this.now());
  }
}
