/** Writes half a line, in the middle of a character, and hangs: no more output, and no end either. */
import { listen, say } from './peer.mjs';

listen({
  'session/prompt': ({ params: { sessionId } }) => {
    say(sessionId, 'Whole. ');
    const half = Buffer.from(
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${sessionId}","x":"é`,
    );
    process.stdout.write(half.subarray(0, half.length - 1));
  },
});
setInterval(() => {}, 1_000);
