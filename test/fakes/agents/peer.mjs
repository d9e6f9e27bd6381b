/**
 * What every rogue agent is made of: an ACP agent of a few lines that behaves well until a handler says otherwise.
 * Plain Node, nothing shared with the code under test.
 */
import { createInterface } from 'node:readline';

export const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

export const answer = (request, result) => send({ id: request.id, result });

export const update = (sessionId, body) =>
  send({ method: 'session/update', params: { sessionId, update: body } });

export const say = (sessionId, text) =>
  update(sessionId, {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text },
  });

let sessions = 0;

const wellBehaved = {
  initialize: (request) =>
    answer(request, {
      protocolVersion: 1,
      agentCapabilities: {},
      agentInfo: { name: 'rogue', version: '1.0.0' },
    }),
  'session/new': (request) => answer(request, { sessionId: `session-${++sessions}` }),
  'session/prompt': (request) => {
    say(request.params.sessionId, 'Hello');
    answer(request, { stopReason: 'end_turn' });
  },
  'session/cancel': () => {},
  '$/cancel_request': () => {},
  /** Answers to requests of the agent. */
  response: () => {},
};

/** Reads requests for ever; `handlers` replace the good behaviour, by method. Ends with its input, like most agents. */
export function listen(handlers = {}) {
  const all = { ...wellBehaved, ...handlers };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    const handler = all[message.method ?? 'response'];
    if (handler) handler(message);
    else if (message.id !== undefined) {
      send({ id: message.id, error: { code: -32601, message: `no ${message.method}` } });
    }
  });
}
