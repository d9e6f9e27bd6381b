/** Sends 20,000 chunks (or as many as its first argument says) as fast as the pipe takes them, then ends the turn. */
import { answer, listen } from './peer.mjs';

const count = Number(process.argv[2] ?? 20_000);
const line = (sessionId, n) =>
  `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${sessionId}","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${n} "}}}}\n`;

listen({
  'session/prompt': (request) => {
    let n = 0;
    const pour = () => {
      while (n < count) if (!process.stdout.write(line(request.params.sessionId, n++))) break;
      if (n < count) process.stdout.once('drain', pour);
      else answer(request, { stopReason: 'end_turn' });
    };
    pour();
  },
});
