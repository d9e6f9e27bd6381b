import type {
  ContentBlock,
  PlanEntry,
  StopReason,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '../protocol/acp.ts';
import { Complaint } from './complaint.ts';
import type { Choices } from './options.ts';
import type { Pace } from './pace.ts';
import { chunks } from './pace.ts';
import type { SessionClient } from './server/api.ts';
import type { Workspace } from './workspace.ts';

/** What one chat remembers from turn to turn. */
export interface Memory {
  messages: number;
  calls: number;
  titled: boolean;
  /** The person has allowed every edit in this chat: its mode is "auto". */
  editsAllowed: boolean;
  readonly choices: Choices;
  /** Command lines of the model that the person has allowed for the rest of this chat, word for word. */
  readonly commandsAllowed: Set<string>;
}

/** A file that the person attached to the prompt; with its text where the client sent it along. */
export interface Attachment {
  readonly name: string;
  readonly text?: string;
}

/** What a tool call says about itself before it runs. */
export interface ToolStart {
  /** In words: "Read src/a.ts". */
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations?: ToolCallLocation[];
  readonly rawInput?: unknown;
}

/** What a tool call has brought. */
export interface ToolResult<T> {
  readonly value: T;
  readonly content?: ToolCallContent[];
  readonly locations?: ToolCallLocation[];
}

/** The language model of a chat, if there is one. */
export interface TurnModel {
  /** Whether plain words go to a model. */
  readonly isThere: boolean;
  /** Whether these words ask for what no skill can do. */
  isNeededFor(text: string): boolean;
  /** Answers with the model; without one, says so and refuses. */
  answer(turn: Turn, content: readonly ContentBlock[]): Promise<StopReason>;
  /** Says which model it is; without one, says so and refuses. */
  describe(turn: Turn): Promise<StopReason>;
}

/** One prompt on its way to an answer: everything a skill needs to look, to think and to speak. */
export class Turn {
  constructor(
    readonly client: SessionClient,
    readonly signal: AbortSignal,
    readonly workspace: Workspace,
    readonly attachments: readonly Attachment[],
    readonly memory: Memory,
    private readonly pace: Pace,
    readonly model: TurnModel,
  ) {}

  /** Streams a message. @param most Into how many pieces it is cut at most. */
  async say(text: string, most?: number): Promise<void> {
    const id = this.nextMessageId();
    for (const chunk of chunks(text, most)) {
      await this.client.message(chunk, id);
      await this.pace.chunk(this.signal);
    }
  }

  /** Streams a message whose pieces come one by one. */
  async sayAll(pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const id = this.nextMessageId();
    for await (const piece of pieces) {
      for (const chunk of chunks(piece)) {
        await this.client.message(chunk, id);
        await this.pace.chunk(this.signal);
      }
    }
  }

  async think(text: string): Promise<void> {
    const id = this.nextMessageId();
    for (const chunk of chunks(text)) {
      await this.client.thought(chunk, id);
      await this.pace.chunk(this.signal);
    }
  }

  async plan(entries: readonly PlanEntry[]): Promise<void> {
    await this.client.plan(entries);
  }

  /** A moment, so that a person can follow. */
  async beat(): Promise<void> {
    await this.pace.step(this.signal);
  }

  nextCallId(): string {
    this.memory.calls += 1;
    return `call-${this.memory.calls}`;
  }

  /**
   * Does something as a tool call that the client shows. A failure is shown in it too, and thrown on; a cancelled
   * turn leaves the call as it is, for the client has settled it already.
   */
  async tool<T>(start: ToolStart, work: () => Promise<ToolResult<T>>): Promise<T> {
    const toolCallId = this.nextCallId();
    await this.client.toolCall({ toolCallId, status: 'in_progress', ...start });
    try {
      const { value, ...shown } = await work();
      await this.client.toolCallUpdate({ toolCallId, status: 'completed', ...shown });
      return value;
    } catch (error) {
      if (!this.signal.aborted) {
        const reason = error instanceof Complaint ? error.message : 'Something went wrong inside.';
        await this.client.toolCallUpdate({
          toolCallId,
          status: 'failed',
          content: [textContent(reason)],
        });
      }
      throw error;
    }
  }

  nextMessageId(): string {
    this.memory.messages += 1;
    return `message-${this.memory.messages}`;
  }
}

/** Something that the agent can do. */
export interface Skill {
  /** The slash command, without the slash. */
  readonly name: string;
  /** One sentence for the list of commands. */
  readonly description: string;
  /** What may follow the command; left out where nothing may. */
  readonly hint?: string;
  /** How to ask for it, for /help. */
  readonly example: string;
  run(turn: Turn, argument: string): Promise<StopReason>;
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}
