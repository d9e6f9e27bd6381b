import { StringDecoder } from 'node:string_decoder';
import { C1_LEAD, lastIntroducer, toGround, type EscapeState } from './escapes.ts';
import type { Holder, OutputBudget } from './outputBudget.ts';

/** The most that one terminal holds: bytes. */
export const HARD_LIMIT = 64 << 20;
const FIRST_BLOCK = 4 << 10;
const LARGEST_BLOCK = 64 << 10;
/** A longer escape sequence is no sequence but a stray beginning of one: bytes. */
const LONGEST_SEQUENCE = 1 << 20;

/** No control of 8 bits (two bytes of UTF-8) lies in two of them. */
interface Block {
  readonly bytes: Buffer;
  /** Bytes in use. */
  length: number;
  /** The position of its first byte. */
  readonly start: number;
}

/** Where the bytes before a position leave the escape sequences, and where the open one began. */
interface Mark {
  readonly state: EscapeState;
  readonly begun: number;
}

const GROUND: Mark = { state: 'ground', begun: 0 };

/**
 * What a terminal has printed, as UTF-8: the last `HARD_LIMIT` bytes of it, fewer where the budget is short. Positions
 * count the bytes since the terminal began, so they stay what they are when the oldest are given up. Takes whole
 * characters only; appending costs what is appended.
 */
export class OutputBuffer implements Holder {
  private readonly blocks: Block[] = [];
  private front: Mark = GROUND;
  private size = 0;
  private last = 0;
  private closed = false;

  constructor(
    private readonly budget: OutputBudget,
    private readonly limit: number = HARD_LIMIT,
  ) {
    budget.join(this);
  }

  /** Bytes of memory. */
  get allocated(): number {
    return this.size;
  }

  /** The position of the first byte that is held. */
  get start(): number {
    return this.blocks[0]?.start ?? this.last;
  }

  /** The position after the last byte. */
  get end(): number {
    return this.last;
  }

  /** Copies the bytes: in a flood into blocks that are used again, which costs less than new memory for each piece. */
  append(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length && !this.closed) {
      const block = this.room();
      const copied = bytes.copy(block.bytes, block.length, from);
      const parted = from + copied < bytes.length && bytes[from + copied - 1] === C1_LEAD;
      const count = parted ? copied - 1 : copied;
      block.length += count;
      this.last += count;
      from += count;
      if (parted) this.fill();
    }
  }

  /** Takes the last block for full, one byte too early. */
  private fill(): void {
    const block = this.blocks.at(-1);
    if (block === undefined) return;
    const bytes = block.bytes.subarray(0, block.length);
    this.blocks[this.blocks.length - 1] = { ...block, bytes };
    this.size -= block.bytes.length - block.length;
  }

  /** Gives up the oldest block. */
  giveUp(): void {
    this.drop();
  }

  /** Gives back the room that is not used: nothing more comes, or little. */
  trim(): void {
    const block = this.blocks.at(-1);
    if (block === undefined || block.length === block.bytes.length) return;
    this.blocks[this.blocks.length - 1] = {
      ...block,
      bytes: copyOf(block.bytes.subarray(0, block.length)),
    };
    this.size -= block.bytes.length - block.length;
  }

  /** Gives up everything, for good. */
  close(): void {
    this.closed = true;
    while (this.blocks.length > 0) this.drop();
    this.budget.leave(this);
  }

  /** The text from a position on that is the beginning of a character, to the end or to another one. */
  text(from: number, to = this.last): string {
    const decoder = new StringDecoder('utf8');
    const parts: string[] = [];
    for (const { bytes, length, start } of this.blocks) {
      if (start + length <= from) continue;
      if (start >= to) break;
      const end = Math.min(length, to - start);
      parts.push(decoder.write(bytes.subarray(Math.max(0, from - start), end)));
    }
    return parts.join('');
  }

  /** The first position from this one on that is held, is the beginning of a character, and lies in no escape sequence. */
  safeStart(position: number): number {
    const from = this.characterFrom(Math.max(position, this.start));
    if (from === 0) return 0;
    const { state, begun } = this.before(from);
    if (state === 'ground') return from;
    const end = this.groundFrom(from, state, begun);
    return end ?? from;
  }

  /** Where to begin so that at most so many bytes are left, at a safe place. */
  lastBytes(count: number): number {
    return this.safeStart(this.last - Math.min(count, this.last));
  }

  /**
   * Where to begin, at `from` or later, so that at most so many characters (UTF-16 units) are left: `from` itself, or a
   * safe place.
   */
  lastCharacters(count: number, from: number): number {
    // A unit takes at most three bytes.
    const first = Math.max(from, this.last - 3 * count);
    const begin = first === from ? from : this.characterFrom(first);
    const text = this.text(begin);
    if (begin === from && text.length <= count) return from;
    const tail = withoutHalf(text.slice(-count));
    return this.safeStart(this.last - Buffer.byteLength(count === 0 ? '' : tail));
  }

  /** The beginning of a character at this position or after it. */
  characterFrom(position: number): number {
    let at = position;
    while (at < this.last && (this.byteAt(at) & 0xc0) === 0x80) at += 1;
    return at;
  }

  private byteAt(position: number): number {
    const index = this.blockAt(position);
    const block = this.blocks[index];
    return block?.bytes[position - block.start] ?? 0;
  }

  /** The index of the block that holds a position: blocks are in order. */
  private blockAt(position: number): number {
    let [low, high] = [0, this.blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.blocks[middle]?.start ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** A block with room for at least one byte more. */
  private room(): Block {
    const block = this.blocks.at(-1);
    if (block !== undefined && block.length < block.bytes.length) return block;
    const wanted = Math.min(LARGEST_BLOCK, (block?.bytes.length ?? FIRST_BLOCK / 2) * 2);
    const size = Math.max(FIRST_BLOCK, wanted);
    let spare: Buffer | undefined;
    while (this.size + size > this.limit && this.blocks.length > 0) spare = this.drop();
    const bytes = spare?.length === size ? spare : Buffer.allocUnsafeSlow(size);
    this.budget.makeRoom(size);
    const next: Block = { bytes, length: 0, start: this.last };
    this.blocks.push(next);
    this.size += size;
    return next;
  }

  private drop(): Buffer | undefined {
    const block = this.blocks.shift();
    if (block === undefined) return undefined;
    this.front = after(this.front, block, block.length);
    this.size -= block.bytes.length;
    return block.bytes;
  }

  /** Where the bytes before a position leave the sequences. Looks back no further than a sequence is long. */
  private before(position: number): Mark {
    for (let n = this.blockAt(position); n >= 0; n -= 1) {
      const block = this.blocks[n];
      if (block === undefined || position - block.start > LONGEST_SEQUENCE + block.length) break;
      const used = Math.min(block.length, position - block.start);
      const found = lastIntroducer(block.bytes, used);
      if (found !== undefined) {
        const mark = { state: found.state, begun: block.start + found.at };
        return this.between(mark, block.start + found.after, position);
      }
    }
    return this.start >= position - LONGEST_SEQUENCE
      ? this.between(this.front, this.start, position)
      : GROUND;
  }

  private between(mark: Mark, from: number, to: number): Mark {
    if (mark.state === 'ground' || to - mark.begun > LONGEST_SEQUENCE) return GROUND;
    let state: EscapeState = mark.state;
    for (let n = this.blockAt(from); n < this.blocks.length && state !== 'ground'; n += 1) {
      const { bytes, length, start } = this.blocks[n] ?? {
        bytes: Buffer.alloc(0),
        length: 0,
        start: to,
      };
      if (start >= to) break;
      const end = Math.min(length, to - start);
      state = toGround(bytes.subarray(0, end), Math.max(0, from - start), state).state;
    }
    return { state, begun: mark.begun };
  }

  /** Where the open sequence ends; the end of all if it is not over yet; `undefined` if it is too long to be one. */
  private groundFrom(from: number, open: EscapeState, begun: number): number | undefined {
    let state = open;
    for (let n = this.blockAt(from); n < this.blocks.length; n += 1) {
      const block = this.blocks[n];
      if (block === undefined || block.start - begun > LONGEST_SEQUENCE) return undefined;
      const reached = toGround(
        block.bytes.subarray(0, block.length),
        Math.max(0, from - block.start),
        state,
      );
      if (reached.state === 'ground') return block.start + reached.at;
      state = reached.state;
    }
    return this.last;
  }
}

/** The mark after the first bytes of a block: only what follows the last beginning of a sequence matters. */
function after(mark: Mark, { bytes, start }: Block, length: number): Mark {
  const found = lastIntroducer(bytes, length);
  if (found !== undefined) {
    const { state } = toGround(bytes.subarray(0, length), found.after, found.state);
    return { state, begun: start + found.at };
  }
  if (mark.state === 'ground' || start + length - mark.begun > LONGEST_SEQUENCE) return GROUND;
  return { state: toGround(bytes.subarray(0, length), 0, mark.state).state, begun: mark.begun };
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Without the second half of a character whose first half was cut off. */
function withoutHalf(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
