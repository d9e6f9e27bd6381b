/**
 * An error as JSON-RPC has it. Thrown by a handler, the agent gets exactly this answer; a request of ours rejects with
 * it when the agent answered with an error.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The agent can no longer be reached: its output ended, its input broke, or we let go of it. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';

  constructor(message = 'The connection to the agent is closed.') {
    super(message);
  }
}

/** The agent did not answer in the time that the caller allowed. */
export class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout';

  constructor(message = 'The agent did not answer in time.') {
    super(message);
  }
}

/** Codes of JSON-RPC 2.0 and of ACP v1 ("Error handling"). */
export const ErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  methodNotFound: -32601,
  internal: -32603,
  authRequired: -32000,
  notFound: -32002,
  cancelled: -32800,
} as const;
