import type { Message } from 'vscode-jsonrpc';
import { quoted } from './trace.ts';

/** A JSON object whose fields nobody has looked at yet. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Notifications that vscode-jsonrpc treats in its own way, which is not the protocol's. */
const NOT_OURS: ReadonlySet<unknown> = new Set(['$/cancelRequest', '$/logTrace', '$/progress']);

/**
 * Accepts a parsed object as a JSON-RPC message, put right where agents are known to differ: `jsonrpc` may be missing,
 * an answer may carry our number as a string, have neither result nor error, or an error that is no object.
 * @returns `undefined` (and a report) for what cannot be a message.
 */
export function asMessage(
  value: JsonObject,
  report: (kind: string, message: string) => void,
): Message | undefined {
  if (value['jsonrpc'] !== '2.0') value['jsonrpc'] = '2.0';
  const { id, method } = value;
  if (typeof method === 'string') {
    if (id === undefined || typeof id === 'number' || typeof id === 'string') {
      return !NOT_OURS.has(method) && isMessage(value) ? value : undefined;
    }
    report('bad id', `The agent sent a request without a usable id: ${quoted(method)}`);
    return undefined;
  }
  if (method !== undefined || id === undefined) {
    report('no message', 'The agent sent an object that is neither a request nor an answer.');
    return undefined;
  }
  repairAnswer(value);
  return isMessage(value) ? value : undefined;
}

function isMessage(value: JsonObject): value is JsonObject & Message {
  return typeof value['jsonrpc'] === 'string';
}

function repairAnswer(answer: JsonObject): void {
  const { id, error } = answer;
  // Our ids are numbers; some agents answer with the same digits as a string.
  if (typeof id === 'string' && /^\d{1,15}$/.test(id)) answer['id'] = Number(id);
  if (error === undefined || error === null || error === false) {
    delete answer['error'];
    if (answer['result'] === undefined) answer['result'] = null;
    return;
  }
  const fields: JsonObject = isObject(error) ? error : { message: error, data: error };
  const { code, message, data } = fields;
  answer['error'] = {
    code: typeof code === 'number' ? code : -32603,
    message: typeof message === 'string' ? message : 'The agent gave no reason.',
    data,
  };
}
