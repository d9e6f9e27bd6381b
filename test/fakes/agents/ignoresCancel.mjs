/** Goes on for ever, whatever it is told; ends only with its process. */
import { listen, say } from './peer.mjs';

listen({
  'session/prompt': ({ params: { sessionId } }) => {
    let n = 0;
    setInterval(() => say(sessionId, `${++n} `), 20);
  },
});
