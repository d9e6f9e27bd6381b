/**
 * Answers with the id as a string; asks with the ids 0, "0" and a UUID, all at once, and says what came back:
 * `0:number=… "0"…`. Every id must come back as it was.
 */
import { listen, say, send } from './peer.mjs';

const answers = new Map();
let prompt;
const read = (id, path) =>
  send({ id, method: 'fs/read_text_file', params: { sessionId: prompt.params.sessionId, path } });
const late = (request, result) => send({ id: String(request.id), result });

listen({
  initialize: (request) => late(request, { protocolVersion: '1.0.0', agentCapabilities: {} }),
  'session/new': (request) => late(request, { sessionId: 'session-1' }),
  'session/prompt': (request) => {
    prompt = request;
    read(0, '/zero');
    setImmediate(read, '0', '/text-zero');
    setImmediate(read, '7c9e6679-7425-40de-944b-e07fc1f90ae7', '/uuid');
  },
  response: ({ id, result }) => {
    answers.set(id, result?.content);
    if (answers.size < 3) return;
    const said = [...answers].map(([key, content]) => `${JSON.stringify(key)}=${content}`).sort();
    say(prompt.params.sessionId, said.join(' '));
    late(prompt, { stopReason: 'endTurn' });
  },
});
