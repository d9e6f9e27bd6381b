import type { CallPiece } from './delta.ts';
import { ModelFault } from './fault.ts';

/** Tool calls of one answer, and characters of the arguments of each. */
const MAX_CALLS = 64;
const MAX_ARGUMENTS = 2 * 1024 * 1024;
const MAX_NAME = 200;

/** A tool call as the model made it; nothing in it is checked but its size. */
export interface ModelCall {
  /** Empty where the server gave none. */
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

interface Growing {
  index: number | undefined;
  id: string;
  name: string;
  pieces: string[];
  size: number;
}

/** Joins tool calls that stream in pieces, by index; servers that leave out indexes or ids are understood too. */
export class CallPieces {
  private readonly calls: Growing[] = [];

  constructor(private readonly host: string) {}

  /** @throws ModelFault for more than any model asks for. */
  add(piece: CallPiece): void {
    const call = this.callOf(piece);
    if (call.id === '') call.id = piece.id ?? '';
    if (call.name === '') call.name = (piece.name ?? '').slice(0, MAX_NAME);
    call.size += piece.arguments.length;
    if (call.size > MAX_ARGUMENTS) {
      throw new ModelFault(`The model at ${this.host} sent arguments that are too long.`);
    }
    call.pieces.push(piece.arguments);
  }

  all(): readonly ModelCall[] {
    return this.calls.map(({ id, name, pieces }) => ({ id, name, arguments: pieces.join('') }));
  }

  private callOf({ index, id, name }: CallPiece): Growing {
    const last = this.calls.at(-1);
    const same = index === undefined ? last : this.calls.findLast((call) => call.index === index);
    // Whole calls come one by one, at the same index or at none: a new id, or without ids a name, begins another.
    const isOther =
      same !== undefined &&
      (id !== undefined && same.id !== ''
        ? id !== same.id
        : index === undefined && name !== undefined && same.name !== '');
    if (same !== undefined && !isOther) return same;
    if (this.calls.length >= MAX_CALLS) {
      throw new ModelFault(
        `The model at ${this.host} asked for more than ${MAX_CALLS} tools at once.`,
      );
    }
    const call: Growing = { index, id: '', name: '', pieces: [], size: 0 };
    this.calls.push(call);
    return call;
  }
}
