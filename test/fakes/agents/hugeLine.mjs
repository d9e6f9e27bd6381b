/** Sends one line with as many million characters as its first argument says (2), then a normal one. */
import { answer, listen, say } from './peer.mjs';

const millions = Number(process.argv[2] ?? 2);

listen({
  'session/prompt': (request) => {
    say(request.params.sessionId, 'x'.repeat(millions * 1_000_000));
    say(request.params.sessionId, 'after');
    answer(request, { stopReason: 'end_turn' });
  },
});
