import type { AnyAgent } from './desk.ts';
import type { Connection } from './options.ts';
import { settingsOf } from './options.ts';
import { Server } from './server.ts';

/**
 * Speaks ACP v1 for an agent.
 *
 * ```js
 * await serve(
 *   {
 *     info: { name: 'echo', title: 'Echo', version: '1.0.0' },
 *     newSession: () => ({
 *       id: crypto.randomUUID(),
 *       async prompt([block], client) {
 *         await client.message(`You said: ${block.text}`, 'message-1');
 *         return 'end_turn';
 *       },
 *     }),
 *   },
 *   { input: process.stdin, output: process.stdout, signal: new AbortController().signal },
 * );
 * ```
 *
 * Resolves as soon as the signal aborts, the input ends or the client is gone; turns that still run have been cancelled
 * then. Never rejects for what a client does. The streams are neither ended nor destroyed.
 *
 * @throws RangeError for options that make no sense.
 */
export async function serve(
  agent: AnyAgent,
  { input, output, signal, options }: Connection,
): Promise<void> {
  const server = new Server(agent, { input, output }, settingsOf(options));
  const end = (): void => {
    server.close();
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await server.closed;
  signal.removeEventListener('abort', end);
}
