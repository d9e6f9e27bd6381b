/** Speaks nonsense of every kind before each answer; the answers themselves are right. */
import { answer, listen, say, send, update } from './peer.mjs';

const nonsense = (sessionId) => {
  process.stdout.write(
    '{}\n{"jsonrpc":"2.0"}\n{"id":99999,"result":{}}\n{"id":"?","result":1}\n{"id":null,"error":1}\n',
  );
  process.stdout.write(
    '{"id":{},"method":"fs/read_text_file"}\n{"method":7}\n{"method":"$/cancelRequest"}\n',
  );
  process.stdout.write(
    '{"method":"$/progress"}\n{"method":"_rogue/whatever","params":[1]}\n{"method":"session/update"}\n',
  );
  process.stdout.write(
    '{"method":"$/cancel_request","params":{"requestId":"none"}}\n{"method":"$/cancel_request"}\n',
  );
  send({ method: 'session/update', params: [sessionId] });
  update(sessionId, null);
  update(sessionId, { sessionUpdate: 'telepathy', content: 'hm' });
  update(sessionId, {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'smell', of: 'cheese' },
  });
  update(sessionId, { sessionUpdate: 'tool_call', title: 'no id' });
  update(sessionId, { sessionUpdate: 'plan', entries: [null, { content: 'Good step' }, 7] });
  send({ id: 'v1', method: '_rogue/ask', params: {} });
  send({ id: 'v2', method: 'fs/read_text_file', params: { sessionId, line: 'one' } });
  send({ id: 'v3', method: 'session/request_permission', params: { sessionId, options: 'yes' } });
};
const codes = new Map();

listen({
  'session/prompt': (request) => {
    nonsense(request.params.sessionId);
    const wait = setInterval(() => {
      if (codes.size < 3) return;
      clearInterval(wait);
      say(request.params.sessionId, JSON.stringify(Object.fromEntries([...codes].sort())));
      answer(request, { stopReason: 'end_turn' });
    }, 10);
  },
  response: ({ id, error }) => codes.set(id, error?.code),
});
