/** Speaks of a session before it has told its id, and goes on after it has ended the turn. */
import { answer, listen, say, update } from './peer.mjs';

listen({
  'session/new': (request) => {
    update('early-1', {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'early', description: 'Sent before its session was known' }],
    });
    say('early-1', 'Too early. ');
    answer(request, { sessionId: 'early-1' });
  },
  'session/prompt': (request) => {
    say('early-1', 'In time. ');
    answer(request, { stopReason: 'end_turn' });
    say('early-1', 'Too late.');
    setTimeout(() => update('early-1', { sessionUpdate: 'usage_update', used: 10, size: 100 }), 50);
  },
});
