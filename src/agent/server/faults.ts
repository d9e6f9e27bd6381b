import { RequestError } from '@agentclientprotocol/sdk';

/** Writes one line about something that went wrong. Never the protocol's stream. */
export type Log = (line: string) => void;

/**
 * Thrown by an embedder's hook to tell the client something on purpose: the request is answered with exactly this code
 * and message. Everything else that is thrown stays inside.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param code A JSON-RPC error code, an integer: -32000 to ask for signing in, -32603 for anything else. */
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const SECRETS: readonly RegExp[] = [
  /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi,
  /\b(sk|pk|ghp|gho|ghs|xox[abp]|glpat)[-_][\w-]{8,}/g,
  /\b([\w-]*(?:api[-_]?key|token|secret|password|passwd|authorization)[\w-]*["']?\s*[:=]\s*["']?)[^\s"',;}]+/gi,
  /:\/\/[^\s/:@]+:[^\s/@]+@/g,
];

/** Takes out what looks like a key, a token or a password. */
export function scrub(text: string): string {
  return SECRETS.reduce((clean, secret) => clean.replace(secret, '[hidden]'), text);
}

/** A log that gets no secrets and whose own failures harm nobody. Without one, stderr. */
export function scrubbed(log: Log = toStderr): Log {
  return (line) => {
    try {
      log(scrub(line));
    } catch {
      // There is nobody left to tell.
    }
  };
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * What the client is told about something that a hook has thrown: a `Refusal` as it is, anything else only by the name
 * of the request, while the log gets the details.
 */
export function toRequestError(error: unknown, method: string, log: Log): RequestError {
  if (error instanceof Refusal && Number.isSafeInteger(error.code)) {
    return new RequestError(error.code, error.message);
  }
  log(`${method}: ${describe(error)}`);
  return new RequestError(-32603, `${method}: internal error`);
}

function describe(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'something was thrown that cannot be told';
  }
}
