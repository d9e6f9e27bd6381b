import { textAt, type JsonObject } from './json.ts';

/** A frame that answers a request. */
export function answerTo({ id }: JsonObject, result: unknown): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

/** A frame that refuses a request. */
export function refusalOf({ id }: JsonObject, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Whether a frame wants to be answered. */
export function isRequest(frame: JsonObject): boolean {
  return typeof frame['method'] === 'string' && Object.hasOwn(frame, 'id');
}

/** What the shortest agent answers to a request, where nothing else was said. @param session The id of a new session. */
export function defaultAnswer(request: JsonObject, session: string): JsonObject {
  const method = textAt(request, 'method') ?? '';
  if (method === 'initialize') {
    const agentInfo = { name: 'parley-scene', title: 'A played scene', version: '1' };
    return answerTo(request, { protocolVersion: 1, agentCapabilities: {}, agentInfo });
  }
  if (method === 'session/new') return answerTo(request, { sessionId: session });
  return refusalOf(request, -32601, `${method.slice(0, 100)} is not part of what is played here`);
}
