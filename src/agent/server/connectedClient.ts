import type { AgentContext } from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type {
  ClientCapabilities,
  PermissionOption,
  SessionConfigOption,
  SessionUpdate,
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
import { untilAborted } from './abort.ts';
import { knownTo } from './choices.ts';
import type { Form, FormAnswer, PageToVisit } from './forms.ts';
import { actionOf, readFormAnswer } from './forms.ts';
import { Teller } from './teller.ts';
import { createTerminal } from './terminals.ts';

const { elicitation } = methods.client;

/** A session's client on a live connection, for as long as one signal has not aborted and the work is not over. */
export class ConnectedClient extends Teller implements SessionClient {
  private isOver = false;

  constructor(
    readonly wire: AgentContext,
    readonly sessionId: string,
    readonly capabilities: ClientCapabilities,
    readonly lifetime: AbortSignal,
  ) {
    super();
  }

  /** The request that this client belonged to has been answered: nothing may follow. */
  end(): void {
    this.isOver = true;
  }

  async update(update: SessionUpdate): Promise<void> {
    this.check();
    const params = jsonable({ sessionId: this.sessionId, update });
    await untilAborted(this.wire.notify(methods.client.session.update, params), this.lifetime);
  }

  override settings(options: readonly SessionConfigOption[]): Promise<void> {
    return super.settings(knownTo(this.capabilities, options));
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

  async fillIn(message: string, form: Form, signal: AbortSignal): Promise<FormAnswer> {
    const { fields, required, ...about } = form;
    const requestedSchema = {
      type: 'object' as const,
      ...about,
      properties: { ...fields },
      ...(required && { required: [...required] }),
    };
    const request = jsonable({ sessionId: this.sessionId, message, requestedSchema });
    const answer: unknown = await this.ask(signal, (cancellation) =>
      this.wire.request(elicitation.create, { ...request, mode: 'form' }, cancellation),
    );
    return readFormAnswer(answer, form);
  }

  async visit(
    message: string,
    { id, url }: PageToVisit,
    signal: AbortSignal,
  ): Promise<FormAnswer['action']> {
    const request = { sessionId: this.sessionId, message, elicitationId: id, url };
    const answer: unknown = await this.ask(signal, (cancellation) =>
      this.wire.request(elicitation.create, { ...request, mode: 'url' }, cancellation),
    );
    return actionOf(answer);
  }

  async visited(id: string): Promise<void> {
    this.check();
    const told = this.wire.notify(elicitation.complete, { elicitationId: id });
    await untilAborted(told, this.lifetime);
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
