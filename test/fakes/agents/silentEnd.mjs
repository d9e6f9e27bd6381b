/** Ends a cancelled turn with `null`, and every other one with an error that puts its reason only into `data`. */
import { answer, listen, send } from './peer.mjs';

let running;

listen({
  'session/prompt': (request) => {
    if (request.params.prompt[0].text === 'wait') running = request;
    else
      send({
        id: request.id,
        error: { code: -32603, message: 'Internal error', data: { details: 'model is away' } },
      });
  },
  'session/cancel': () => answer(running, null),
});
