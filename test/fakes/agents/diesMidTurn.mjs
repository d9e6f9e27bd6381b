/** Begins an answer, and a tool call, and dies. */
import { listen, say, update } from './peer.mjs';

listen({
  'session/prompt': ({ params: { sessionId } }) => {
    say(sessionId, 'Half an ans');
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: 'call-1',
      title: 'Dig',
      status: 'in_progress',
    });
    process.stderr.write('panic: out of cheese\n');
    process.stdout.write('', () => process.exit(7));
  },
});
