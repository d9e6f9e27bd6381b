/** Milliseconds without a keystroke before an answer is taken: keys meant for elsewhere must approve nothing. */
const QUIET = 500;

/**
 * VS Code tells of a click as "the row became active" and "accepted" in one go; no key follows another this fast.
 * So an accept within this many milliseconds of the active row's change is a click.
 */
const CLICK = 25;

/**
 * Decides whether a quick pick may take an answer now. VS Code does not tell of keys, but of what they do: text that
 * changes, another row that becomes active, an accept.
 */
export class Grace {
  private quietSince: number;
  /** When quiet began before the latest change of the active row. */
  private quietBefore: number;
  private rowChangedAt = -Infinity;

  /** @param now Milliseconds, never going back. */
  constructor(private readonly now: () => number) {
    this.quietSince = now();
    this.quietBefore = this.quietSince;
  }

  /** Text was typed. */
  typed(): void {
    this.quietSince = this.now();
  }

  /** Another row became active: by an arrow key, or by the click that `accepts` is then asked about at once. */
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

  /** Milliseconds until an answer would be taken if nothing happens until then. */
  remaining(): number {
    return Math.max(0, this.quietSince + QUIET - this.now());
  }
}
