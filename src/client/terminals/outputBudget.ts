/** What holds memory, and can give up its oldest. */
export interface Holder {
  /** Bytes of memory. */
  readonly allocated: number;
  /** Gives up its oldest piece. Whoever calls it sees to the account. */
  giveUp(): void;
}

/** Memory that several holders share: where it is short, the largest gives up its oldest. */
export class OutputBudget {
  private readonly holders = new Set<Holder>();

  /** @param limit Bytes. */
  constructor(private readonly limit: number) {}

  /** Bytes in use by all. */
  get used(): number {
    let sum = 0;
    for (const { allocated } of this.holders) sum += allocated;
    return sum;
  }

  join(holder: Holder): void {
    this.holders.add(holder);
  }

  leave(holder: Holder): void {
    this.holders.delete(holder);
  }

  /** Makes room for so many bytes more. Costs what there are holders: called once per block, not per piece of output. */
  makeRoom(bytes: number): void {
    let used = this.used;
    while (used + bytes > this.limit) {
      const largest = [...this.holders].reduce<Holder | undefined>(
        (most, holder) => (holder.allocated > (most?.allocated ?? 0) ? holder : most),
        undefined,
      );
      if (largest === undefined) return;
      const before = largest.allocated;
      largest.giveUp();
      used += largest.allocated - before;
    }
  }
}
