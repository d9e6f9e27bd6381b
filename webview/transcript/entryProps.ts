import type { Entry } from '../../src/bridge/messages.ts';

/** What every kind of entry is drawn from. */
export interface EntryProps<E = Entry> {
  readonly entry: E;
  /** Address of the entry: turn and index. */
  readonly turn: number;
  readonly index: number;
  /** Of its turn, for what the page remembers. */
  readonly path: string;
  /** Its turn runs. */
  readonly growing: boolean;
  /** Nothing came after it. */
  readonly last: boolean;
  /** It is in the latest turn. */
  readonly latest: boolean;
}
