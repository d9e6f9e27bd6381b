import { RequestError } from '@agentclientprotocol/sdk';

/** Writes one line about something that went wrong. Never the protocol's stream. */
export type Log = (line: string) => void;

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

/**
 * What the client is told about something that was thrown: a `RequestError` as it is, anything else only by the name
 * of the request, while the log gets the details.
 */
export function toRequestError(error: unknown, method: string, log: Log): RequestError {
  if (error instanceof RequestError) return error;
  log(scrub(`${method}: ${describe(error)}`));
  return new RequestError(-32603, `${method}: internal error`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
