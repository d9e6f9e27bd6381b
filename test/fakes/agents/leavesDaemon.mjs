/** Starts a child that holds stdout open (`detached`: in a group of its own and without an environment), tells its pid, and exits with code 0. */
import { spawn } from 'node:child_process';
import { answer, listen, say } from './peer.mjs';

listen({
  'session/prompt': (request) => {
    const detached = process.argv[2] === 'detached';
    const daemon = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached,
      env: detached ? {} : process.env,
    });
    say(request.params.sessionId, String(daemon.pid));
    answer(request, { stopReason: 'end_turn' });
    process.stdout.write('', () => process.exit(0));
  },
});
