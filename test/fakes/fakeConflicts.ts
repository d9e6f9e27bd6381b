import type { ConflictAnswer, WriteConflict, WriteConflicts } from '../../src/client/ports.ts';

/** A person who answers each conflict as the test says. */
export class FakeConflicts implements WriteConflicts {
  readonly asked: WriteConflict[] = [];

  constructor(
    public answer: (conflict: WriteConflict) => ConflictAnswer | Promise<ConflictAnswer> = () => ({
      kind: 'mine',
    }),
  ) {}

  async resolve(conflict: WriteConflict): Promise<ConflictAnswer> {
    this.asked.push(conflict);
    return this.answer(conflict);
  }
}
