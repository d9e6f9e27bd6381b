/** Answers two requests, then reads nothing any more and stays alive: whoever writes to it must wait. */
import { answer, listen } from './peer.mjs';

listen({
  'session/new': (request) => {
    answer(request, { sessionId: 'deaf-1' });
    process.stdin.pause();
    setInterval(() => {}, 1_000);
  },
});
