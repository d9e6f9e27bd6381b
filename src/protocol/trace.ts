/**
 * Sees every complete line in both directions as it is on the wire, before it is decoded and without its line end.
 * Called in the stack of the reader and the writer: must be cheap and must not throw.
 */
export type LineListener = (direction: 'send' | 'recv', raw: string) => void;

/** At most so many kinds are told apart, so that an agent that invents kinds cannot fill the log. */
const MAX_KINDS = 100;

/** Tells of what does not fit, each kind once per connection. */
export class Reporter {
  private readonly told = new Set<string>();

  constructor(private readonly report: (message: string) => void) {}

  /** @param kind What makes two faults the same; never shown. */
  readonly once = (kind: string, message: string): void => {
    if (this.told.has(kind) || this.told.size >= MAX_KINDS) return;
    this.told.add(kind);
    this.report(message);
  };
}

/** A value of an agent in a report: strings quoted and cut to 200 characters, of anything else only its type. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 200 ? `${value.slice(0, 199)}…` : value);
  }
  return value === null ? 'null' : typeof value;
}

/** Tells of what did not fit; `kind` names what makes two faults the same. */
export type Report = (kind: string, message: string) => void;
