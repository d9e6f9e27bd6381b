/** Never answers its first `session/new`, until a second one is asked for: then it opens both, the late one first. */
import { answer, listen, say } from './peer.mjs';

const asked = [];

listen({
  'session/new': (request) => {
    asked.push(request);
    if (asked.length === 1) return;
    for (const [index, one] of asked.splice(0).entries()) {
      answer(one, { sessionId: `session-${index}` });
      say(`session-${index}`, `of session ${index}. `);
    }
  },
});
