/** Asks for permission in a session before it has told the session's id, then opens it. N requests: the argument. */
import { answer, listen, say, send } from './peer.mjs';

const count = Number(process.argv[2] ?? 1);
const outcomes = [];

listen({
  'session/new': (request) => {
    for (let n = 0; n < count; n += 1) {
      send({
        id: n,
        method: 'session/request_permission',
        params: {
          sessionId: 'early-1',
          toolCall: { toolCallId: `c${n}`, title: 'Log in' },
          options: [{ optionId: 'yes\nno', name: 'Yes', kind: 'allow_once' }],
        },
      });
    }
    setTimeout(() => answer(request, { sessionId: 'early-1' }), 50);
  },
  'session/prompt': (request) => {
    const end = () => {
      if (outcomes.length < count) return void setTimeout(end, 10);
      say('early-1', JSON.stringify(outcomes));
      answer(request, { stopReason: 'end_turn' });
    };
    end();
  },
  response: (message) => outcomes.push(message.result.outcome.outcome),
});
