/** Asks for permission, takes the request back, and says which answers it got to it, and how many. */
import { answer, listen, say, send } from './peer.mjs';

let prompt;
const answers = [];

listen({
  'session/prompt': (request) => {
    prompt = request;
    const { sessionId } = request.params;
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    send({
      id: 0,
      method: 'session/request_permission',
      params: { sessionId, toolCall: { toolCallId: 'c' }, options },
    });
    setTimeout(() => send({ method: '$/cancel_request', params: { requestId: 0 } }), 100);
  },
  response: (message) => {
    answers.push(message.error?.code ?? message.result?.outcome?.outcome);
    setTimeout(() => {
      say(prompt.params.sessionId, JSON.stringify(answers));
      answer(prompt, { stopReason: 'end_turn' });
    }, 100);
  },
});
