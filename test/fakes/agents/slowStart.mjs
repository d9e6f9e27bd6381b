/** Takes three seconds to start, and says on stderr that it is busy, as a first download does. */
import { listen, answer, say } from './peer.mjs';

const busy = setInterval(() => process.stderr.write('downloading\n'), 200);
setTimeout(() => {
  clearInterval(busy);
  listen({
    'session/prompt': (request) => {
      say(request.params.sessionId, 'Hello');
      answer(request, { stopReason: 'end_turn' });
    },
  });
}, 3_000);
