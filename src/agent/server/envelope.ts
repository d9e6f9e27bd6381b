import type { AnyMessage, AnyNotification, AnyRequest } from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';

/** What a line turned out to be: something for the connection, nothing at all, or a fault to answer. */
export type Frame =
  | { readonly kind: 'request'; readonly message: AnyRequest }
  | { readonly kind: 'notification'; readonly message: AnyNotification }
  /** Names no method but an id. Perhaps malformed: whoever sent the request has to be told so. */
  | { readonly kind: 'answer'; readonly message: AnyMessage; readonly id: unknown }
  | { readonly kind: 'blank' }
  | {
      readonly kind: 'fault';
      readonly error: RequestError;
      /** The request of ours that it was meant to answer, if that could be seen. */
      readonly answerTo?: number;
    };

/** An answer as programs write it: our ids are numbers. */
const ANSWER_HEAD =
  /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads one line strictly, as JSON-RPC 2.0 demands: a frame that names a method carries `"jsonrpc": "2.0"` and an id
 * that is a string, a number or null, or none. Faults never quote the frame: it may hold credentials.
 */
export function parseFrame(bytes: Buffer): Frame {
  let value: unknown;
  try {
    const text = decoder.decode(bytes);
    if (/^[ \t\r]*$/.test(text)) return { kind: 'blank' };
    value = JSON.parse(text);
  } catch {
    return {
      kind: 'fault',
      error: RequestError.parseError(undefined, 'the line is not JSON in UTF-8'),
    };
  }
  if (Array.isArray(value)) return invalid('batches are not supported');
  if (isRequest(value)) return { kind: 'request', message: value };
  if (isNotification(value)) return { kind: 'notification', message: value };
  if (isAnswer(value)) return { kind: 'answer', message: value, id: value.id };
  return invalid('not a JSON-RPC 2.0 request, notification or response');
}

/**
 * The fault for a line that was longer than allowed.
 *
 * @param head How it began. If it is an answer, whoever waits for it would else wait for ever.
 */
export function tooLong(maxBytes: number, head: Buffer): Frame {
  const fault = invalid(`a line may have at most ${maxBytes} bytes`);
  const id = ANSWER_HEAD.exec(head.toString('latin1'))?.[1];
  return id === undefined ? fault : { ...fault, answerTo: Number(id) };
}

/** The fault for a frame without a method that answers nothing. */
export function noResponse(): RequestError {
  return RequestError.invalidRequest(undefined, 'neither a method nor a result nor an error');
}

function invalid(reason: string) {
  return { kind: 'fault' as const, error: RequestError.invalidRequest(undefined, reason) };
}

function isRequest(value: unknown): value is AnyRequest {
  return namesMethod(value) && 'id' in value && isId(value.id);
}

function isNotification(value: unknown): value is AnyNotification {
  return namesMethod(value) && !('id' in value);
}

function isAnswer(value: unknown): value is AnyMessage & { readonly id: unknown } {
  return typeof value === 'object' && value !== null && !('method' in value) && 'id' in value;
}

function namesMethod(value: unknown): value is { readonly method: string } {
  if (typeof value !== 'object' || value === null) return false;
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0') return false;
  return 'method' in value && typeof value.method === 'string';
}

/** Whether JSON-RPC takes this as an id. */
export function isId(id: unknown): id is string | number | null {
  return id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}
