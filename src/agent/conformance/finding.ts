export type Verdict = 'holds' | 'deviates' | 'advice' | 'notRun';

/** What a check has to say when it does not simply hold; thrown, so that a check ends there. */
export class Finding extends Error {
  constructor(
    readonly verdict: Exclude<Verdict, 'holds'>,
    reason: string,
  ) {
    super(reason);
  }
}

/** The specification demands otherwise. */
export function deviates(reason: string): never {
  throw new Finding('deviates', reason);
}

/** The specification recommends otherwise, or says nothing while people would be glad. */
export function advise(reason: string): never {
  throw new Finding('advice', reason);
}

/** It cannot be told. */
export function notRun(reason: string): never {
  throw new Finding('notRun', reason);
}

/** Deviates if there is any fault: the first ones are told. */
export function faultless(faults: readonly string[]): void {
  if (faults.length > 0) deviates(faults.join('; '));
}
