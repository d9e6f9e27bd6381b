import assert from 'node:assert/strict';
import path from 'node:path';
import { AgentProcess, type StopTimes } from '../../src/client/agents/agentProcess.ts';
import { runs } from '../../src/client/processes/processTable.ts';
import type { SessionUpdate } from '../../src/protocol/acp.ts';
import { AgentConnection, type AgentRequestHandlers } from '../../src/protocol/connection.ts';

/** One agent of test/fakes/agents, driven by the real process and connection over real pipes. */
export interface Driven {
  readonly process: AgentProcess;
  readonly connection: AgentConnection;
  readonly updates: { readonly sessionId: string; readonly update: SessionUpdate }[];
  readonly reports: string[];
  readonly stderr: string[];
  readonly lines: { readonly direction: 'send' | 'recv'; readonly raw: string }[];
  /** The agent's words so far, all sessions together. */
  readonly said: () => string;
  /** Has the connection told its end? */
  readonly closed: () => boolean;
}

export interface DriveOptions {
  /** Another program than the one of this name in test/fakes/agents. */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly handlers?: Partial<AgentRequestHandlers>;
  readonly maxLineBytes?: number;
  readonly times?: Partial<StopTimes>;
}

/** Starts an agent, lets `use` work with it, and leaves nothing behind. */
export async function drive(
  name: string,
  use: (agent: Driven) => Promise<void>,
  {
    program = path.join('test/fakes/agents', `${name}.mjs`),
    args = [],
    handlers = {},
    maxLineBytes = 64 << 20,
    times = { input: 200, terminate: 300 },
  }: DriveOptions = {},
): Promise<void> {
  const stderr: string[] = [];
  const command = {
    command: process.execPath,
    args: [path.resolve(program), ...args],
    env: {},
    cwd: process.cwd(),
  };
  const agent = new AgentProcess(command, (line) => stderr.push(line), times);
  const updates: Driven['updates'] = [];
  const lines: Driven['lines'] = [];
  const reports: string[] = [];
  let closed = false;
  const connection = new AgentConnection(
    agent,
    {
      sessionUpdate: (sessionId, update) => updates.push({ sessionId, update }),
      requestPermission: () => Promise.resolve({ outcome: { outcome: 'cancelled' } }),
      readTextFile: ({ path: file }) => Promise.resolve({ content: `text of ${file}` }),
      writeTextFile: () => Promise.resolve({}),
      createTerminal: () => Promise.resolve({ terminalId: 't' }),
      terminalOutput: () => Promise.resolve({ output: '', truncated: false }),
      waitForTerminalExit: () => Promise.resolve({ exitCode: 0 }),
      killTerminal: () => Promise.resolve({}),
      releaseTerminal: () => Promise.resolve({}),
      ...handlers,
    },
    {
      maxLineBytes,
      onLine: (direction, raw) => lines.push({ direction, raw }),
      report: (message) => reports.push(message),
    },
  );
  connection.onClose(() => {
    closed = true;
  });
  const said = (): string => updates.map(({ update }) => textOf(update)).join('');
  try {
    await use({
      process: agent,
      connection,
      updates,
      reports,
      stderr,
      lines,
      said,
      closed: () => closed,
    });
  } finally {
    connection.dispose();
    await agent.stop();
  }
}

/** `initialize` and `session/new`; the session's id. */
export async function open({ connection }: Driven): Promise<string> {
  await connection.initialize({ protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await connection.newSession({ cwd: process.cwd(), mcpServers: [] });
  return sessionId;
}

export function prompt(
  { connection }: Driven,
  sessionId: string,
  text = 'Go',
): Promise<{ readonly stopReason: string }> {
  return connection.prompt({ sessionId, prompt: [{ type: 'text', text }] });
}

/** Waits for a condition, at most ten seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, `waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Is there a process with this id (a zombie that nobody has collected does not count)? */
export function alive(pid: number): boolean {
  return runs(pid);
}

function textOf(update: SessionUpdate): string {
  const chunk = update.sessionUpdate === 'agent_message_chunk' && update.content;
  return chunk !== false && chunk.type === 'text' ? chunk.text : '';
}
