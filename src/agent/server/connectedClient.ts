import type { AgentContext } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type {
  AvailableCommand,
  ClientCapabilities,
  ContentBlock,
  PermissionOption,
  PlanEntry,
  SessionInfoUpdate,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from '../../protocol/acp.ts';
import type {
  ClientTerminal,
  LineRange,
  PermissionAnswer,
  SessionClient,
  TerminalCommand,
} from './api.ts';
import type { Cancellation } from './asking.ts';
import { asked } from './asking.ts';
import { createTerminal } from './terminals.ts';
import { untilAborted } from './abort.ts';

/** A session's client on a live connection, for as long as one signal has not aborted and the work is not over. */
export class ConnectedClient implements SessionClient {
  private isOver = false;

  constructor(
    readonly wire: AgentContext,
    readonly sessionId: string,
    readonly capabilities: ClientCapabilities,
    readonly lifetime: AbortSignal,
  ) {}

  /** The request that this client belonged to has been answered: nothing may follow. */
  end(): void {
    this.isOver = true;
  }

  async update(update: SessionUpdate): Promise<void> {
    this.check();
    const params = jsonable({ sessionId: this.sessionId, update });
    await untilAborted(this.wire.notify(methods.client.session.update, params), this.lifetime);
  }

  userMessage(content: ContentBlock | string, messageId: string): Promise<void> {
    const block = typeof content === 'string' ? { type: 'text' as const, text: content } : content;
    return this.update({ sessionUpdate: 'user_message_chunk', messageId, content: block });
  }

  message(text: string, messageId: string): Promise<void> {
    const content = { type: 'text' as const, text };
    return this.update({ sessionUpdate: 'agent_message_chunk', messageId, content });
  }

  thought(text: string, messageId: string): Promise<void> {
    const content = { type: 'text' as const, text };
    return this.update({ sessionUpdate: 'agent_thought_chunk', messageId, content });
  }

  toolCall(call: ToolCall): Promise<void> {
    return this.update({ ...call, sessionUpdate: 'tool_call' });
  }

  toolCallUpdate(update: ToolCallUpdate): Promise<void> {
    return this.update({ ...update, sessionUpdate: 'tool_call_update' });
  }

  plan(entries: readonly PlanEntry[] | null): Promise<void> {
    return this.update({ sessionUpdate: 'plan', entries: [...(entries ?? [])] });
  }

  commands(commands: readonly AvailableCommand[]): Promise<void> {
    return this.update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [...commands],
    });
  }

  info(info: SessionInfoUpdate): Promise<void> {
    return this.update({ ...info, sessionUpdate: 'session_info_update' });
  }

  async requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<PermissionAnswer> {
    const request = jsonable({ sessionId: this.sessionId, toolCall, options: [...options] });
    const answer: unknown = await this.ask(signal, (cancellation) =>
      this.wire.request(methods.client.session.requestPermission, request, cancellation),
    );
    const chosen = selectedOption(answer);
    const option = options.find(({ optionId }) => optionId === chosen);
    return option ? { outcome: 'selected', option } : { outcome: 'cancelled' };
  }

  async readTextFile(path: string, range: LineRange, signal: AbortSignal): Promise<string> {
    const request = { sessionId: this.sessionId, path, ...range };
    const answer: unknown = await this.ask(signal, (cancellation) =>
      this.wire.request(methods.client.fs.readTextFile, request, cancellation),
    );
    return hasContent(answer) ? answer.content : '';
  }

  async writeTextFile(path: string, content: string, signal: AbortSignal): Promise<void> {
    const request = { sessionId: this.sessionId, path, content };
    await this.ask(signal, (cancellation) =>
      this.wire.request(methods.client.fs.writeTextFile, request, cancellation),
    );
  }

  async createTerminal(command: TerminalCommand, signal: AbortSignal): Promise<ClientTerminal> {
    this.check();
    return createTerminal(this, command, signal);
  }

  /** Sends a request and gives it up, telling the client, when either signal aborts. */
  private async ask<T>(
    signal: AbortSignal,
    send: (cancellation: Cancellation) => Promise<T>,
  ): Promise<T> {
    this.check();
    return asked(AbortSignal.any([signal, this.lifetime]), send);
  }

  /** @throws Error when nothing may be sent any more; the signal's reason when it has aborted. */
  private check(): void {
    this.lifetime.throwIfAborted();
    if (this.isOver) throw new Error('The request has been answered: nothing may follow');
  }
}

/** What can be written. @throws TypeError here, where the agent hears of it, and not on the connection. */
export function jsonable<T>(value: T): T {
  JSON.stringify(value);
  return value;
}

function selectedOption(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('outcome' in answer)) return undefined;
  const { outcome } = answer;
  if (typeof outcome !== 'object' || outcome === null) return undefined;
  if (!('outcome' in outcome) || outcome.outcome !== 'selected') return undefined;
  return 'optionId' in outcome && typeof outcome.optionId === 'string'
    ? outcome.optionId
    : undefined;
}

function hasContent(answer: unknown): answer is { readonly content: string } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'content' in answer &&
    typeof answer.content === 'string'
  );
}
