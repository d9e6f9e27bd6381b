import type {
  ClientCapabilities,
  PermissionOption,
  SessionUpdate,
  ToolCallUpdate,
} from '../protocol/acp.ts';
import { Complaint } from './complaint.ts';
import type { Choices } from './options.ts';
import type {
  ClientTerminal,
  LineRange,
  PermissionAnswer,
  SessionClient,
  TerminalCommand,
} from './server/api.ts';
import type { Form, FormAnswer, PageToVisit } from './server/forms.ts';
import { Teller } from './server/teller.ts';
import type { SessionRecord } from './sessions/record.ts';

/** The client as a chat sees it: what it is told is kept, and the person's choices hold, whoever forgets to look. */
export class ChatClient extends Teller implements SessionClient {
  constructor(
    private readonly client: SessionClient,
    private readonly record: SessionRecord,
    private readonly choices: Choices,
  ) {
    super();
  }

  get capabilities(): ClientCapabilities {
    return this.client.capabilities;
  }

  async update(update: SessionUpdate): Promise<void> {
    if (update.sessionUpdate === 'agent_thought_chunk' && !this.choices.thoughts) return;
    await this.client.update(update);
    this.record.take(update);
  }

  requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<PermissionAnswer> {
    return this.client.requestPermission(toolCall, options, signal);
  }

  readTextFile(path: string, range: LineRange, signal: AbortSignal): Promise<string> {
    return this.client.readTextFile(path, range, signal);
  }

  async writeTextFile(path: string, content: string, signal: AbortSignal): Promise<void> {
    this.mayChange();
    await this.client.writeTextFile(path, content, signal);
  }

  async createTerminal(command: TerminalCommand, signal: AbortSignal): Promise<ClientTerminal> {
    this.mayChange();
    return this.client.createTerminal(command, signal);
  }

  fillIn(message: string, form: Form, signal: AbortSignal): Promise<FormAnswer> {
    return this.client.fillIn(message, form, signal);
  }

  visit(message: string, page: PageToVisit, signal: AbortSignal): Promise<FormAnswer['action']> {
    return this.client.visit(message, page, signal);
  }

  visited(id: string): Promise<void> {
    return this.client.visited(id);
  }

  /** @throws Complaint in mode "plan": this is where it is held, however the change came about. */
  private mayChange(): void {
    if (this.choices.mode !== 'plan') return;
    throw new Complaint('In the mode “Plan” nothing is changed, and nothing is run.');
  }
}
