/**
 * Random histories of one file, as plain data: what a person types, undoes and saves, what an agent reads and writes, and
 * what other programs do to the file, also in the middle of an agent's write. `playFileSequence` plays one on a stage: a
 * model in memory, real files, or a real VS Code.
 *
 * Each piece of text that somebody writes is one line with a number that is written only once, such as `typed «17»`, so
 * that afterwards it can be told what became of it. The same seed gives the same sequence, everywhere.
 */
import { random } from '../unit/thread/random.ts';

/** A place between, or one of, the lines of a text, whatever their count: in thousandths of it. */
type Thousandths = number;

/** Something that happens while an agent's write is under way. */
export interface Interruption {
  readonly by: 'person' | 'outside';
  /** How many steps of the write pass before it, where the stage can tell; else as soon as can be. */
  readonly after: number;
  readonly at: Thousandths;
  readonly text: string;
}

/** What an agent's write may meet. */
export interface WriteFate {
  /** What the person says to each question about a conflict. */
  readonly answer: 'mine' | 'theirs' | 'merged';
  readonly interruption: Interruption | null;
}

export type FileStep =
  | { readonly kind: 'open' }
  /** Nothing, if the document is dirty. */
  | { readonly kind: 'close' }
  /** The person adds a line to the open document. */
  | { readonly kind: 'type'; readonly at: Thousandths; readonly text: string }
  /** The person removes a line of the open document. */
  | { readonly kind: 'erase'; readonly at: Thousandths }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  | { readonly kind: 'save' }
  /** The person gives up what is not saved. */
  | { readonly kind: 'revert' }
  /** Another program adds a line to the saved file. */
  | { readonly kind: 'outside'; readonly at: Thousandths; readonly text: string }
  | { readonly kind: 'agentRead' }
  /** The agent puts `text` in the place of `remove` lines of the text that it last read or wrote; nothing, if it has none. */
  | ({
      readonly kind: 'agentEdit';
      readonly at: Thousandths;
      readonly remove: number;
      readonly text: string;
    } & WriteFate)
  /** The agent writes a whole text, having read the file or not. */
  | ({ readonly kind: 'agentWrite'; readonly text: string } & WriteFate);

export interface FileSequence {
  readonly seed: number;
  /** What the file holds at the beginning. */
  readonly initial: string;
  readonly steps: readonly FileStep[];
}

/** The pieces of a text, by their numbers. */
export function piecesOf(text: string): Set<number> {
  return new Set(Array.from(text.matchAll(/«(\d+)»/g), ([, number]) => Number(number)));
}

const KINDS = [
  ...kinds('type', 6),
  ...kinds('agentEdit', 7),
  ...kinds('agentRead', 4),
  ...kinds('save', 3),
  ...kinds('outside', 2),
  ...kinds('undo', 2),
  ...kinds('open', 2),
  ...kinds('redo', 1),
  ...kinds('erase', 1),
  ...kinds('close', 1),
  ...kinds('revert', 1),
  ...kinds('agentWrite', 1),
];

/** The sequence of a seed: a short file, and 6 to 25 steps. */
export function fileSequence(seed: number): FileSequence {
  return new Generator(seed).sequence();
}

class Generator {
  private readonly random: { below: (limit: number) => number };
  private pieces = 0;

  constructor(private readonly seed: number) {
    this.random = random(seed);
  }

  sequence(): FileSequence {
    const end = this.random.below(3) === 0 ? '\r\n' : '\n';
    const lines = Array.from({ length: this.random.below(9) }, () => this.piece('line'));
    const last = this.random.below(4) === 0 ? '' : end;
    const initial = lines.length === 0 ? '' : lines.join(end) + last;
    const steps = Array.from({ length: 6 + this.random.below(20) }, () => this.step());
    return { seed: this.seed, initial, steps };
  }

  private step(): FileStep {
    const kind = this.oneOf(KINDS, 'save');
    switch (kind) {
      case 'type':
        return { kind, at: this.place(), text: this.piece('typed') };
      case 'erase':
        return { kind, at: this.place() };
      case 'outside':
        return { kind, at: this.place(), text: this.piece('outside') };
      case 'agentEdit':
        return {
          kind,
          at: this.place(),
          remove: this.random.below(3),
          text: this.piece('agent'),
          ...this.fate(),
        };
      case 'agentWrite':
        return { kind, text: this.piece('agent'), ...this.fate() };
      default:
        return { kind };
    }
  }

  private fate(): WriteFate {
    const answer = this.oneOf(['mine', 'theirs', 'merged'] as const, 'merged');
    if (this.random.below(3) !== 0) return { answer, interruption: null };
    const by = this.random.below(2) === 0 ? 'person' : 'outside';
    const after = this.random.below(6);
    return { answer, interruption: { by, after, at: this.place(), text: this.piece(by) } };
  }

  private place(): Thousandths {
    return this.random.below(1000);
  }

  private piece(word: string): string {
    this.pieces++;
    return `${word} «${this.pieces}»`;
  }

  private oneOf<T>(list: readonly T[], otherwise: T): T {
    return list[this.random.below(list.length)] ?? otherwise;
  }
}

function kinds(kind: FileStep['kind'], times: number): FileStep['kind'][] {
  return Array.from({ length: times }, () => kind);
}
