/** Asks for permission and ends the turn without waiting. Says what it was answered when that comes. */
import { answer, listen, say, send } from './peer.mjs';

let session;

listen({
  'session/prompt': (request) => {
    session = request.params.sessionId;
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const ask = () =>
      send({
        id: 0,
        method: 'session/request_permission',
        params: { sessionId: session, toolCall: { toolCallId: 'c' }, options },
      });
    // `after`: the question comes when the turn has ended.
    if (request.params.prompt[0].text !== 'after') ask();
    // Time to be seen: Parley may answer before the turn is over, and must not have to.
    setTimeout(() => {
      answer(request, { stopReason: 'end_turn' });
      if (request.params.prompt[0].text === 'after') ask();
    }, 100);
  },
  response: (message) => say(session, JSON.stringify(message.result.outcome)),
});
