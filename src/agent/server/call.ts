import type { AnyRequest, JsonRpcId } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { TurnCancelled } from './abort.ts';

const { session } = methods.agent;

/** Not in the stable protocol yet, so the SDK has no name for it. */
export const SESSION_FORK = 'session/fork';
/** About one session that is kept: it need not be one that this connection holds, but its turn may not run. */
const OF_KEPT: ReadonlySet<string> = new Set([
  session.load,
  session.resume,
  session.delete,
  SESSION_FORK,
]);

/**
 * A request of the client, from its line to the moment when its answer has left. It has a number of its own, because a
 * client may use one id twice, or null.
 */
export class Call {
  readonly clientId: JsonRpcId;
  readonly method: string;
  /** The session that it names, if it names one. */
  readonly sessionId: string | undefined;
  /** Resolves when the answer has been written, or when it never will be. */
  readonly written: Promise<void>;
  /** The answer is on its way. */
  isAnswered = false;
  private resolveWritten: () => void = () => undefined;
  private readonly cancellation = new AbortController();

  /** @param bytes The length of its line. */
  constructor(
    readonly number: number,
    readonly message: AnyRequest,
    readonly bytes: number,
  ) {
    this.clientId = message.id;
    this.method = message.method;
    this.sessionId = sessionIdIn(message.params);
    this.written = new Promise((resolve) => {
      this.resolveWritten = resolve;
    });
  }

  /** One turn of a conversation, which `session/cancel` is about. */
  get isTurn(): boolean {
    return this.method === session.prompt;
  }

  /** Is about a session that the agent keeps, held or not, and disturbs no turn of it. */
  get isOfKept(): boolean {
    return OF_KEPT.has(this.method);
  }

  /** Ends what its session is doing. */
  get isEnd(): boolean {
    return this.method === session.close;
  }

  /** Has to wait for what its session is doing. What is not in here may come in between. */
  get isInLine(): boolean {
    return this.isTurn || this.isOfKept || this.isEnd;
  }

  /** Aborts with `session/cancel`, and when the session itself is given up. */
  get cancelled(): AbortSignal {
    return this.cancellation.signal;
  }

  cancel(): void {
    this.cancellation.abort(new TurnCancelled('The turn was cancelled'));
  }

  /** The answer has been written, or never will be. */
  settle(): void {
    this.isAnswered = true;
    this.resolveWritten();
  }
}

/** The `sessionId` of a frame's parameters, if there is a usable one. */
export function sessionIdIn(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('sessionId' in params)) return undefined;
  return typeof params.sessionId === 'string' ? params.sessionId : undefined;
}
