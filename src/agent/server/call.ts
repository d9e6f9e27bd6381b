import type { AnyRequest, JsonRpcId } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { TurnCancelled } from './abort.ts';

const { session } = methods.agent;

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

  /** Has to wait for what its session is doing. What is not in here may come in between. */
  get isInLine(): boolean {
    return this.isTurn || this.method === session.load;
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
