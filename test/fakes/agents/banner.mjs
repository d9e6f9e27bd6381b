/** Prints what a shell profile or a careless library prints, before it speaks the protocol and in the middle of it. */
import { listen, say, answer } from './peer.mjs';

process.stdout.write('\ufeff\r\n  Welcome to Rogue 1.0! \u001b[32m(ready)\u001b[0m\n\n');
process.stdout.write('["a", "list"]\n42\n"text"\nnull\ntrue\r\n');
listen({
  'session/prompt': (request) => {
    process.stdout.write('[debug] prompt received\n');
    say(request.params.sessionId, 'Hello after the banner');
    process.stdout.write('{"jsonrpc":"2.0","method":"session/upd\n');
    answer(request, { stopReason: 'end_turn' });
  },
});
