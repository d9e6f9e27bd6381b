import type { Frame } from './frames.ts';

/** What is watched from the first frame to the last, whichever row is at work. */
export type Watched =
  | 'stdout'
  | 'utf8'
  | 'envelope'
  | 'ids'
  | 'methods'
  | 'updates'
  | 'requests'
  | 'permissions'
  | 'sessions'
  | 'paths'
  | 'extra'
  | 'draft'
  | 'undeclared'
  | 'toolOrder'
  | 'toolStatus'
  | 'terminals'
  | 'left';

export interface Offence {
  readonly reason: string;
  readonly frame: Frame;
}

/** Offences of a kind that are kept; of the others only their number. */
const KEPT = 5;

/** All that the agent's frames have done wrong, and how much there was to look at. */
export class Offences {
  private readonly kept = new Map<Watched, Offence[]>();
  private readonly counts = new Map<Watched, number>();
  private readonly looked = new Map<Watched, number>();

  /** A frame was there to be judged by this measure. */
  look(watched: Watched): void {
    this.looked.set(watched, this.timesLooked(watched) + 1);
  }

  timesLooked(watched: Watched): number {
    return this.looked.get(watched) ?? 0;
  }

  add(watched: Watched, reason: string, frame: Frame): void {
    this.counts.set(watched, (this.counts.get(watched) ?? 0) + 1);
    const kept = this.kept.get(watched) ?? [];
    this.kept.set(watched, kept);
    if (kept.length < KEPT && !kept.some((one) => one.reason === reason)) {
      kept.push({ reason, frame });
    }
  }

  of(watched: Watched): readonly Offence[] {
    return this.kept.get(watched) ?? [];
  }

  count(watched: Watched): number {
    return this.counts.get(watched) ?? 0;
  }
}
