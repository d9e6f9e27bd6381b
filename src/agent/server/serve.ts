import type { Readable, Writable } from 'node:stream';
import type { AgentConnection, AgentContext, JsonRpcId } from '@agentclientprotocol/sdk';
import {
  agent as agentApp,
  methods,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import type {
  ClientCapabilities,
  InitializeResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
} from '../../protocol/acp.ts';
import type { Agent, AgentInfo, Session } from './api.ts';
import { ConnectedClient } from './connectedClient.ts';
import type { Log } from './faults.ts';
import { toRequestError } from './faults.ts';
import { refuseUndeclaredContent, refuseUndeclaredSetup } from './refusals.ts';
import { Transport } from './transport.ts';
import { Turns } from './turns.ts';

/** The longest line that is taken from a client, in bytes: a prompt with a few files in it, not a flood. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

export interface ServeOptions {
  /** Where the client's frames come from; its end is the end of the connection. */
  readonly input: Readable;
  /** Where the agent's frames go; nothing else may write to it. */
  readonly output: Writable;
  /** Ends the connection when it aborts. */
  readonly signal: AbortSignal;
  /** Takes what goes wrong inside, without secrets; clients are told no more than that something did. */
  readonly log: Log;
  readonly maxLineBytes?: number;
}

/**
 * Speaks ACP v1 for an agent until its input ends, the client is gone or the signal aborts. Never rejects for what a
 * client does. Turns that still run are cancelled.
 */
export async function serve(agent: Agent, options: ServeOptions): Promise<void> {
  const { input, output, signal, log } = options;
  const transport = new Transport(input, output, options.maxLineBytes ?? MAX_LINE_BYTES);
  const server = new Server(agent, transport, log);
  const connection = server.connect();
  const end = (): void => {
    connection.close();
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await connection.closed;
  signal.removeEventListener('abort', end);
  transport.close();
}

interface HeldSession {
  readonly session: Session;
  readonly turns: Turns;
}

/** One connection: its sessions and the handlers of what the client asks. */
class Server {
  private readonly sessions = new Map<string, HeldSession>();
  private capabilities: ClientCapabilities = {};

  constructor(
    private readonly agent: Agent,
    private readonly transport: Transport,
    private readonly log: Log,
  ) {}

  connect(): AgentConnection {
    const { session } = methods.agent;
    let signal = new AbortController().signal;
    const app = agentApp({ name: this.agent.info.name })
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.capabilities = params.clientCapabilities ?? {};
        return describeAgent(this.agent.info);
      })
      .onRequest(session.new, ({ params, client, requestId, method }) =>
        this.guard(method, () => this.newSession(params, client, requestId, signal)),
      )
      // Before session/cancel, and it must stay so: handlers are asked in this order, and a cancellation that comes
      // right behind its prompt may not overtake it.
      .onRequest(session.prompt, ({ params, client, requestId, method, signal: request }) =>
        this.guard(method, () => this.prompt(params, client, requestId, request)),
      )
      .onNotification(session.cancel, ({ params }) => {
        this.sessions.get(params.sessionId)?.turns.cancel();
      })
      .onRequest(methods.agent.authenticate, ({ params }) => {
        throw new RequestError(
          -32602,
          `There is no way to sign in called "${params.methodId}": this agent needs none.`,
        );
      });
    const connection = app.connect(this.transport.stream);
    signal = connection.signal;
    return connection;
  }

  private async newSession(
    request: NewSessionRequest,
    wire: AgentContext,
    requestId: JsonRpcId,
    signal: AbortSignal,
  ): Promise<NewSessionResponse> {
    refuseUndeclaredSetup(request);
    const session = await this.agent.newSession(request.cwd, signal);
    if (this.sessions.has(session.id)) {
      throw new RequestError(-32603, 'session/new: the new session has an id that is in use');
    }
    this.sessions.set(session.id, { session, turns: new Turns() });
    const client = new ConnectedClient(wire, session.id, this.capabilities, signal);
    void this.transport
      .answered(requestId)
      .then(() => (signal.aborted ? undefined : session.opened?.(client)))
      .catch((error: unknown) => {
        if (!signal.aborted) toRequestError(error, 'session/new', this.log);
      });
    return { sessionId: session.id };
  }

  private async prompt(
    request: PromptRequest,
    wire: AgentContext,
    requestId: JsonRpcId,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const held = this.sessions.get(request.sessionId);
    if (!held) throw RequestError.sessionNotFound(request.sessionId);
    refuseUndeclaredContent(request.prompt, this.agent.info);
    const { session, turns } = held;
    const answered = this.transport.answered(requestId);
    const stopReason = await turns.run(signal, answered, (turn) => {
      const client = new ConnectedClient(wire, session.id, this.capabilities, turn);
      return session.prompt(request.prompt, client, turn);
    });
    return { stopReason };
  }

  private async guard<T>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toRequestError(error, method, this.log);
    }
  }
}

function describeAgent(info: AgentInfo): InitializeResponse {
  const { image = false, audio = false, embeddedContext = false } = info.prompt ?? {};
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: info.name, title: info.title, version: info.version },
    agentCapabilities: {
      loadSession: false,
      promptCapabilities: { image, audio, embeddedContext },
      mcpCapabilities: { http: false, sse: false },
    },
    authMethods: [],
  };
}
