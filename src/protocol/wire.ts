import * as v from 'valibot';
import { UserError } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type {
  InitializeRequest,
  InitializeResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
} from './acp.ts';
import { decodeUpdate, type UpdateSink } from './decode.ts';
import { ErrorCode, RequestError } from './errors.ts';
import { isObject } from './frames.ts';
import type { AgentRequestHandlers } from './handlers.ts';
import { agentMethods, clientMethods, PROTOCOL_VERSION } from './methods.ts';
import { decodePermission } from './permission.ts';
import { Rpc, type Pipes } from './rpc.ts';
import {
  createTerminalRequest,
  faultIn,
  initializeResponse,
  newSessionResponse,
  readTextFileRequest,
  terminalRequest,
  writeTextFileRequest,
} from './schemas.ts';
import { quoted, type Report } from './trace.ts';

/**
 * The methods of ACP v1 over JSON-RPC, in both directions, everything from the agent decoded. The part of a connection
 * that is loaded on first use.
 */
export class Wire implements Disposable {
  private readonly rpc: Rpc;
  /** Sessions whose turn was asked to end and has not been answered. */
  private readonly cancelling = new Set<string>();
  private readonly sink: UpdateSink;

  constructor(
    pipes: Pipes,
    private readonly handlers: AgentRequestHandlers,
    private readonly report: Report,
  ) {
    this.sink = (sessionId, update) => {
      handlers.sessionUpdate(sessionId, update);
    };
    this.rpc = new Rpc(pipes, {
      request: (method, params, signal) => this.answer(method, params, signal),
      notification: (method, params) => {
        // Unknown notifications are ignored, as the protocol asks.
        if (method === clientMethods.sessionUpdate) decodeUpdate(params, this.sink, report);
      },
      report,
    });
  }

  async initialize(request: InitializeRequest, signal?: AbortSignal): Promise<InitializeResponse> {
    const answer = await this.rpc.request(agentMethods.initialize, request, signal);
    const response = understood(agentMethods.initialize, v.safeParse(initializeResponse, answer));
    if (response.protocolVersion === PROTOCOL_VERSION) return response;
    throw new UserError(
      `This agent speaks version ${response.protocolVersion} of the Agent Client Protocol, and Parley speaks version ${PROTOCOL_VERSION}. Choose another version of the agent.`,
      ['openSettings', 'selectAgent'],
    );
  }

  async newSession(request: NewSessionRequest): Promise<NewSessionResponse> {
    const answer = await this.rpc.request(agentMethods.newSession, request);
    return understood(agentMethods.newSession, v.safeParse(newSessionResponse, answer));
  }

  async prompt(request: PromptRequest): Promise<{ readonly stopReason: string }> {
    const { sessionId } = request;
    this.cancelling.delete(sessionId);
    try {
      const answer = await this.rpc.request(agentMethods.prompt, request);
      const reason = isObject(answer) ? answer['stopReason'] : undefined;
      if (typeof reason === 'string' && reason !== '') return { stopReason: inSnakeCase(reason) };
      this.report('stop reason', 'The agent ended a turn without a stop reason.');
      return { stopReason: this.cancelling.has(sessionId) ? 'cancelled' : 'end_turn' };
    } finally {
      this.cancelling.delete(sessionId);
    }
  }

  async cancel(sessionId: string): Promise<void> {
    this.cancelling.add(sessionId);
    await this.rpc.notify(agentMethods.cancel, { sessionId });
  }

  dispose(): void {
    this.rpc.dispose();
  }

  /** @returns `undefined` for a method that is not known. */
  private answer(
    method: string,
    params: unknown,
    signal: AbortSignal,
  ): Promise<unknown> | undefined {
    switch (method) {
      case clientMethods.requestPermission:
        return this.handlers.requestPermission(decodePermission(params, this.report), signal);
      case clientMethods.readTextFile:
        return this.handlers.readTextFile(
          fitting(v.safeParse(readTextFileRequest, params)),
          signal,
        );
      case clientMethods.writeTextFile:
        return this.handlers.writeTextFile(
          fitting(v.safeParse(writeTextFileRequest, params)),
          signal,
        );
      default:
        return this.terminal(method, params, signal);
    }
  }

  private terminal(
    method: string,
    params: unknown,
    signal: AbortSignal,
  ): Promise<unknown> | undefined {
    const { handlers } = this;
    switch (method) {
      case clientMethods.createTerminal:
        return handlers.createTerminal(fitting(v.safeParse(createTerminalRequest, params)), signal);
      case clientMethods.terminalOutput:
        return handlers.terminalOutput(fitting(v.safeParse(terminalRequest, params)), signal);
      case clientMethods.waitForTerminalExit:
        return handlers.waitForTerminalExit(fitting(v.safeParse(terminalRequest, params)), signal);
      case clientMethods.killTerminal:
        return handlers.killTerminal(fitting(v.safeParse(terminalRequest, params)), signal);
      case clientMethods.releaseTerminal:
        return handlers.releaseTerminal(fitting(v.safeParse(terminalRequest, params)), signal);
      default:
        return undefined;
    }
  }
}

type Parsed<T> =
  | { readonly success: true; readonly output: T }
  | { readonly success: false; readonly issues: readonly v.BaseIssue<unknown>[] };

/** The params of a request of the agent, which hears what is wrong with them. */
function fitting<T>(parsed: Parsed<T>): T {
  if (parsed.success) return parsed.output;
  throw new RequestError(ErrorCode.invalidParams, `Invalid params. ${faultIn(parsed.issues)}`);
}

/** The answer to a request of ours, without which there is no going on. */
function understood<T>(method: string, parsed: Parsed<T>): T {
  if (parsed.success) return parsed.output;
  throw new UserError(
    `The agent's answer to ${quoted(method)} cannot be understood. ${faultIn(parsed.issues)}`,
    ['showLog'],
  );
}

/** "endTurn", as some agents write it, is "end_turn". */
function inSnakeCase(reason: string): string {
  return reason.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
