/** Stays when its input ends and when it is asked to go; has a child that is just as stubborn. Tells both pids. */
import { spawn } from 'node:child_process';
import { listen, say, answer } from './peer.mjs';

const stubborn =
  "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000)";
const child = spawn(process.execPath, ['-e', stubborn], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
process.on('SIGTERM', () => process.stderr.write('SIGTERM? No.\n'));
process.on('SIGINT', () => {});
setInterval(() => {}, 1_000);
listen({
  'session/prompt': (request) => {
    say(request.params.sessionId, `${process.pid} ${child.pid}`);
    answer(request, { stopReason: 'end_turn' });
  },
});
