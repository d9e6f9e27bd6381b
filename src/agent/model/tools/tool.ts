import type {
  ClientCapabilities,
  ToolCallContent,
  ToolCallLocation,
} from '../../../protocol/acp.ts';
import { Complaint } from '../../complaint.ts';
import type { ToolStart, Turn } from '../../turn.ts';

/** Something that the model may do. */
export interface Tool {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** By name: for the model too. Those that are not `optional` must be there. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Whether this client lets us do it. */
  isOffered(capabilities: ClientCapabilities): boolean;
  /**
   * Looks at what the model wants, without doing anything.
   *
   * @throws Complaint that the model is told, and the person sees.
   */
  prepare(turn: Turn, given: Arguments): Promise<Prepared>;
}

export interface Parameter {
  /** A piece of JSON Schema. */
  readonly schema: object;
  readonly optional?: true;
}

/** A call that is ready to be shown, and then done. */
export interface Prepared {
  readonly start: ToolStart;
  /** @param call Its id at the client. @throws Complaint; what the signal of the turn says. */
  run(call: ShownCall): Promise<Outcome>;
}

/** A call as the client shows it. */
export type ShownCall = ToolStart & { readonly toolCallId: string };

/** How a call went. */
export interface Outcome {
  /** For the model. */
  readonly told: string;
  /** For the person; left out means as before. */
  readonly content?: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
  readonly rawOutput?: unknown;
  readonly failed?: true;
}

/** The person took the question back without an answer: the turn is over. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** What the model has given to a tool: anything at all, until it is asked for by its type. */
export class Arguments {
  constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  /** @throws Complaint when it is missing or no text. */
  text(name: string): string {
    const value = this.fields[name];
    if (typeof value === 'string') return value;
    throw new Complaint(`The argument "${name}" must be there, and be a text.`);
  }

  optionalText(name: string): string | undefined {
    return this.isMissing(name) ? undefined : this.text(name);
  }

  flag(name: string): boolean {
    return this.fields[name] === true || this.fields[name] === 'true';
  }

  /** A whole number from 1 on; models write some of them as texts. @throws Complaint for anything else. */
  count(name: string): number | undefined {
    if (this.isMissing(name)) return undefined;
    const value = Number(this.fields[name]);
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw new Complaint(`The argument "${name}" must be a whole number from 1 on.`);
  }

  list(name: string): readonly unknown[] {
    const value = this.fields[name];
    if (Array.isArray(value)) return value;
    throw new Complaint(`The argument "${name}" must be there, and be a list.`);
  }

  private isMissing(name: string): boolean {
    return this.fields[name] === undefined || this.fields[name] === null;
  }
}

export const TEXT = { type: 'string' };
export const PATH: Parameter = {
  schema: { ...TEXT, description: 'A path, relative to the folder.' },
};
