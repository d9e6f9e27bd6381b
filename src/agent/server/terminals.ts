import type { AgentContext } from '@agentclientprotocol/sdk';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { TerminalExitStatus, TerminalOutputResponse } from '../../protocol/acp.ts';
import type { ClientTerminal, TerminalCommand } from './api.ts';
import { asked } from './asking.ts';
import { untilAborted } from './abort.ts';

/** Where a session's terminals are asked for, and how long anybody waits for the answers. */
interface TerminalHost {
  readonly wire: AgentContext;
  readonly sessionId: string;
  readonly lifetime: AbortSignal;
}

const { terminal } = methods.client;

/**
 * `terminal/create`. Given up, it is taken back; a terminal that the client makes all the same is released as soon as
 * it is named, for nobody else would ever do it.
 *
 * @throws RequestError as the client answered, or when its answer names no terminal; the reason of an abort.
 */
export async function createTerminal(
  host: TerminalHost,
  command: TerminalCommand,
  signal: AbortSignal,
): Promise<ClientTerminal> {
  const either = AbortSignal.any([signal, host.lifetime]);
  const { args, env, ...rest } = command;
  const request = {
    sessionId: host.sessionId,
    ...rest,
    ...(args && { args: [...args] }),
    ...(env && { env: [...env] }),
  };
  either.throwIfAborted();
  // Without `stopWaitingOnCancel`: the SDK would drop the late answer, and with it the terminal's id.
  const created: Promise<unknown> = host.wire.request(terminal.create, request, {
    cancellationSignal: either,
  });
  const id = await untilAborted(created, either).then(idIn, (error: unknown) => {
    created.then(
      (late) => {
        releaseLate(host, idIn(late));
      },
      () => undefined,
    );
    throw error;
  });
  if (id === undefined) throw new RequestError(-32603, 'The client named no terminal.');
  return connected(host, id);
}

function releaseLate(host: TerminalHost, id: string | undefined): void {
  if (id !== undefined) void connected(host, id).release();
}

function connected(
  { wire, sessionId, lifetime }: TerminalHost,
  terminalId: string,
): ClientTerminal {
  const request = { sessionId, terminalId };
  return {
    id: terminalId,
    output: async (signal) =>
      outputIn(
        await asked(AbortSignal.any([signal, lifetime]), (cancellation) =>
          wire.request(terminal.output, request, cancellation),
        ),
      ),
    waitForExit: async (signal) =>
      exitIn(
        await asked(AbortSignal.any([signal, lifetime]), (cancellation) =>
          wire.request(terminal.waitForExit, request, cancellation),
        ),
      ),
    kill: () => settled(wire.request(terminal.kill, request), lifetime),
    release: () => settled(wire.request(terminal.release, request), lifetime),
  };
}

/** Waits for an answer that is only good manners; not at all once the turn is over, which no client may hold up. */
async function settled(answer: Promise<unknown>, lifetime: AbortSignal): Promise<void> {
  await untilAborted(answer, lifetime).catch(() => undefined);
}

/*
 * The SDK hands answers on as they came. What does not fit in them is as good as missing.
 */

function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null ? { ...answer } : {};
}

function idIn(answer: unknown): string | undefined {
  const { terminalId } = fieldsOf(answer);
  return typeof terminalId === 'string' ? terminalId : undefined;
}

function exitIn(answer: unknown): TerminalExitStatus {
  const { exitCode, signal } = fieldsOf(answer);
  return {
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? signal : null,
  };
}

function outputIn(answer: unknown): TerminalOutputResponse {
  const { output, truncated, exitStatus } = fieldsOf(answer);
  const isOver = typeof exitStatus === 'object' && exitStatus !== null;
  return {
    output: typeof output === 'string' ? output : '',
    truncated: truncated === true,
    exitStatus: isOver ? exitIn(exitStatus) : null,
  };
}
