import assert from 'node:assert/strict';
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Writable } from 'node:stream';
import type { ClientConnection } from '@agentclientprotocol/sdk';
import { client, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import type {
  ClientCapabilities,
  ContentBlock,
  CreateTerminalRequest,
  InitializeResponse,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '../../src/protocol/acp.ts';

/** The agent under test: what the build made, or another build that is named. */
const AGENT = path.resolve(process.env['PARLEY_TEST_AGENT'] ?? 'dist/agent.js');
const DEADLINE_MS = 10_000;
/** Where the agents of this test keep their sessions: nowhere near those of whoever runs it. */
const KEPT = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-kept-'));
process.on('exit', () => {
  fs.rmSync(KEPT, { recursive: true, force: true });
});

export const ALL_FILES: ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true } };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A permission request that waits for the test. */
export interface OpenRequest {
  readonly params: RequestPermissionRequest;
  answer(response: RequestPermissionResponse): void;
}

/** Starts the built agent without a client behind its pipes. */
export function startAgent(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Child {
  return spawn(process.execPath, [AGENT, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, PARLEY_AGENT_PACE_MS: '0', PARLEY_AGENT_SESSIONS: KEPT, ...env },
  });
}

/** A folder below the system's temporary one with these files in it. */
export function makeFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-agent-')));
  for (const [name, content] of Object.entries(files)) {
    const target = path.join(folder, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, content);
  }
  return folder;
}

/** Waits until something is there; fails with a sentence when it never comes. */
export async function until<T>(what: string, look: () => T | undefined | false): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    assert.ok(Date.now() < deadline, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The code with which a process has ended by itself. */
export async function exitOf(
  child: ChildProcess,
): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
  }
  return { code: child.exitCode, signal: child.signalCode };
}

/** The built agent, driven by the SDK's own client over real pipes. */
export class Driver {
  readonly child: Child;
  readonly permissions: OpenRequest[] = [];
  /** Paths that the agent has read and written through the client. */
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  /** The part that each of the reads asked for. */
  readonly ranges: { readonly line: unknown; readonly limit: unknown }[] = [];
  /** Commands that the agent had the client run, and terminals that it has released. */
  readonly terminals: CreateTerminalRequest[] = [];
  readonly released: string[] = [];
  /** Text that is served instead of the disk's, as an editor with unsaved changes does. */
  readonly unsaved = new Map<string, string>();
  private readonly received: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  private readonly connection: ClientConnection;
  private stderr = '';

  /** @param equip Gives the client what only one test needs. */
  constructor(
    env: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
    equip: (app: ReturnType<typeof client>) => unknown = () => undefined,
  ) {
    this.child = startAgent(args, env);
    this.child.stderr.on('data', (data: Buffer) => {
      this.stderr += data.toString('utf8');
    });
    const app = client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.received.push(params);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.ask(params))
      .onRequest(methods.client.fs.readTextFile, ({ params }) =>
        this.read(params.path, params.line, params.limit),
      )
      .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
        this.writes.push(params.path);
        fs.mkdirSync(path.dirname(params.path), { recursive: true });
        fs.writeFileSync(params.path, params.content);
        return {};
      });
    this.serveTerminals(app);
    equip(app);
    const stdout: ReadableStream<Uint8Array> = bytesOf(this.child.stdout);
    this.connection = app.connect(ndJsonStream(Writable.toWeb(this.child.stdin), stdout));
  }

  /** Starts an agent and shakes hands. */
  static async start(
    capabilities: ClientCapabilities = ALL_FILES,
    env: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
  ): Promise<Driver> {
    const driver = new Driver(env, args);
    await driver.initialize(capabilities);
    return driver;
  }

  initialize(clientCapabilities: ClientCapabilities): Promise<InitializeResponse> {
    return this.connection.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities,
    });
  }

  async newSession(cwd: string): Promise<string> {
    const { sessionId } = await this.connection.agent.request(methods.agent.session.new, {
      cwd,
      mcpServers: [],
    });
    return sessionId;
  }

  /** Any request, for what the typed ones would not let through. */
  request(method: string, params: unknown): Promise<unknown> {
    return this.connection.agent.request(method, params);
  }

  prompt(sessionId: string, prompt: string | ContentBlock[]): Promise<PromptResponse> {
    const blocks: ContentBlock[] =
      typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    return this.connection.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: blocks,
    });
  }

  cancel(sessionId: string): Promise<void> {
    return this.connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  updates(sessionId: string): readonly SessionUpdate[] {
    return this.received.filter((one) => one.sessionId === sessionId).map(({ update }) => update);
  }

  /** Everything that the agent has said in a session, one message after the other. */
  said(sessionId: string): string {
    return chunksOf(this.updates(sessionId), 'agent_message_chunk').join('');
  }

  thought(sessionId: string): string {
    return chunksOf(this.updates(sessionId), 'agent_thought_chunk').join('');
  }

  /** The states of each tool call in the order in which they came, by the call's title. */
  toolStates(sessionId: string): ReadonlyMap<string, readonly string[]> {
    const titles = new Map<string, string>();
    const states = new Map<string, string[]>();
    for (const update of this.updates(sessionId)) {
      if (update.sessionUpdate === 'tool_call') titles.set(update.toolCallId, update.title);
      if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update')
        continue;
      const title = titles.get(update.toolCallId) ?? update.toolCallId;
      if (update.status) states.set(title, [...(states.get(title) ?? []), update.status]);
    }
    return states;
  }

  /** What the agent has written to stderr. */
  get log(): string {
    return this.stderr;
  }

  /** The permission request that is open, once there is one. */
  permission(): Promise<OpenRequest> {
    return until('a permission request', () => this.permissions.shift());
  }

  /** Ends the agent by closing its stdin, the way that clients do. */
  async stop(): Promise<{ code: number | null; signal: string | null }> {
    this.child.stdin.end();
    return exitOf(this.child);
  }

  /** Terminals as a client has them: real processes, a line for the shell where there are no arguments. */
  private serveTerminals(app: ReturnType<typeof client>): void {
    const { terminal } = methods.client;
    const running = new Map<string, { child: ChildProcess; output: string; exit: Promise<Exit> }>();
    const known = (id: string) => {
      const found = running.get(id);
      if (found === undefined) throw RequestError.invalidParams(undefined, 'no such terminal');
      return found;
    };
    app
      .onRequest(terminal.create, ({ params }) => {
        this.terminals.push(params);
        if (params.command === 'not-there') {
          throw RequestError.internalError(undefined, 'The program was not found.');
        }
        if (params.command === 'lost') return { terminalId: 'lost' };
        const env = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]));
        const child: ChildProcess = spawn(params.command, params.args ?? [], {
          cwd: params.cwd ?? '/',
          shell: !params.args?.length,
          env: { ...process.env, ...env },
          // A group of its own: the shell's children end with it.
          detached: true,
        });
        const terminalId = `terminal-${this.terminals.length}`;
        const entry = { child, output: '', exit: exitOf(child) };
        child.stdout?.on('data', (data: Buffer) => (entry.output += data.toString('utf8')));
        running.set(terminalId, entry);
        return { terminalId };
      })
      .onRequest(terminal.output, ({ params }) => ({
        output: known(params.terminalId).output,
        truncated: false,
      }))
      .onRequest(terminal.waitForExit, async ({ params }) => {
        const { code, signal } = await known(params.terminalId).exit;
        return { exitCode: code, signal };
      })
      .onRequest(terminal.kill, ({ params }) => {
        endGroup(known(params.terminalId).child);
        return {};
      })
      .onRequest(terminal.release, ({ params }) => {
        endGroup(known(params.terminalId).child);
        running.delete(params.terminalId);
        this.released.push(params.terminalId);
        return {};
      });
  }

  private ask(params: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    return new Promise((answer) => {
      this.permissions.push({ params, answer });
    });
  }

  private read(file: string, line?: number | null, limit?: number | null): { content: string } {
    this.reads.push(file);
    this.ranges.push({ line, limit });
    const text = this.unsaved.get(file) ?? this.fromDisk(file);
    const lines = text.split('\n');
    const from = (line ?? 1) - 1;
    return { content: lines.slice(from, limit ? from + limit : undefined).join('\n') };
  }

  private fromDisk(file: string): string {
    if (!fs.existsSync(file)) throw RequestError.resourceNotFound(file);
    return fs.readFileSync(file, 'utf8');
  }
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid);
}

type Exit = Awaited<ReturnType<typeof exitOf>>;

/** Selects an option of a request by its kind. */
export function choose({ params }: OpenRequest, kind: string): RequestPermissionResponse {
  const option = params.options.find((one) => one.kind === kind);
  assert.ok(option, `there is no option of the kind ${kind}`);
  return { outcome: { outcome: 'selected', optionId: option.optionId } };
}

export function chunksOf(
  updates: readonly SessionUpdate[],
  voice: 'agent_message_chunk' | 'agent_thought_chunk',
): readonly string[] {
  return updates.flatMap((update) =>
    update.sessionUpdate === voice && update.content.type === 'text' ? [update.content.text] : [],
  );
}

export function bytesOf(stdout: Readable): ReadableStream<Uint8Array> {
  let isCancelled = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      stdout.on('data', (chunk: Buffer) => {
        if (!isCancelled) controller.enqueue(chunk);
      });
      stdout.on('end', () => {
        if (!isCancelled) controller.close();
      });
    },
    cancel() {
      isCancelled = true;
    },
  });
}
