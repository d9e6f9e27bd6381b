import type { AnyMessage } from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';

/** A frame as it was understood: a message for the connection, nothing at all, or a fault to answer. */
export type Frame =
  | { readonly kind: 'message'; readonly message: AnyMessage }
  | { readonly kind: 'blank' }
  | { readonly kind: 'fault'; readonly error: RequestError };

/**
 * Reads one line strictly, as JSON-RPC 2.0 demands: a frame that names a method carries `"jsonrpc": "2.0"` and an id
 * that is a string, a number or null, or none. Faults never quote the frame: it may hold credentials.
 */
export function parseFrame(bytes: Buffer): Frame {
  const text = bytes.toString('utf8').trim();
  if (text === '') return { kind: 'blank' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'fault', error: RequestError.parseError(undefined, 'the line is not JSON') };
  }
  if (Array.isArray(value)) return invalid('batches are not supported');
  if (!isMessage(value)) return invalid('not a JSON-RPC 2.0 request, notification or response');
  return { kind: 'message', message: value };
}

/** The fault for a line that was longer than allowed. */
export function tooLong(maxBytes: number): Frame {
  return invalid(`a line may have at most ${maxBytes} bytes`);
}

function invalid(reason: string): Frame {
  return { kind: 'fault', error: RequestError.invalidRequest(undefined, reason) };
}

function isMessage(value: unknown): value is AnyMessage {
  if (typeof value !== 'object' || value === null) return false;
  // Responses pass: the connection knows which request they settle, and settles it as an error if they are malformed.
  if (!('method' in value)) return 'id' in value && ('result' in value || 'error' in value);
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0') return false;
  return typeof value.method === 'string' && (!('id' in value) || isId(value.id));
}

function isId(id: unknown): boolean {
  return id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}
