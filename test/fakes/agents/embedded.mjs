/**
 * A small agent made with the built library, as an embedder without a compiler might write it: the name of the folder
 * says what becomes of the session, the text of the prompt what becomes of the turn.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { Refusal, serve } from '../../../dist/agent-server.js';

const SECRET = 'token=s3cr3t-s3cr3t';
let sessions = 0;

const throwing = {
  throw: () => {
    throw new Error(`the cat ate the session, ${SECRET}`);
  },
  undefined: () => undefined,
  null: () => null,
  string: () => 'session',
  anonymous: () => ({ prompt }),
  mute: () => ({ id: 'mute' }),
};

async function prompt([{ text }], client, signal) {
  if (text === 'throw') throw new Error(`the cat ate the turn, ${SECRET}`);
  if (text === 'throw text') throw 'the cat ate the turn';
  if (text === 'throw nothing') throw undefined;
  if (text === 'throw a trap') throw Object.create(null);
  if (text === 'refuse') throw new Refusal(-32000, 'Your subscription has ended.');
  if (text === 'wrong reason') return 'done';
  if (text === 'no reason') return undefined;
  if (text === 'not json') await client.toolCall({ toolCallId: 'a', title: 'a', rawInput: 10n });
  if (text === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
  if (text === 'flood') for (;;) await client.message('word '.repeat(1000), 'm');
  if (text === 'ask much') {
    const call = { toolCallId: 'a', title: 'x'.repeat(8 * 1024 * 1024) };
    const asked = client.requestPermission(call, [], signal);
    process.stderr.write('asking\n');
    await asked.catch(() => process.stderr.write('given up\n'));
  }
  if (text === 'burst') {
    await Promise.all(Array.from({ length: 50 }, (_, at) => client.message(`${at} `, 'burst')));
  }
  await client.message(`You said ${text}`, 'm');
  return 'end_turn';
}

const ending = new AbortController();
process.on('SIGTERM', () => ending.abort());
// Both ways to have the library are the same library.
const { serve: required } = createRequire(import.meta.url)('../../../dist/agent-server.js');
if (required !== serve) throw new Error('import and require give different libraries');

await serve(
  {
    info: { name: 'small', title: 'Small', version: '0.0.1' },
    newSession(cwd) {
      const made = throwing[path.basename(cwd)];
      if (made) return made();
      sessions += 1;
      return { id: `s${sessions}`, prompt };
    },
    loadSession(id) {
      if (id === 'throw') throw new Error(`the cat ate the history, ${SECRET}`);
      return undefined;
    },
  },
  {
    input: process.stdin,
    output: process.stdout,
    signal: ending.signal,
    options: process.argv.includes('--sign-in')
      ? {
          auth: {
            methods: [{ id: 'cat', name: 'Cat' }],
            authenticate: () => Promise.reject(new Error(`the cat is not at home, ${SECRET}`)),
          },
        }
      : {},
  },
);
process.stderr.write('served\n');
