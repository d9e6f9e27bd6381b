/** Starts a child that holds stdout open, tells its pid, and exits at once with code 0. */
import { spawn } from 'node:child_process';
import { answer, listen, say } from './peer.mjs';

listen({
  'session/prompt': (request) => {
    const daemon = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    say(request.params.sessionId, String(daemon.pid));
    answer(request, { stopReason: 'end_turn' });
    process.stdout.write('', () => process.exit(0));
  },
});
