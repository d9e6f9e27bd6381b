import { fileURLToPath } from 'node:url';
import type {
  AvailableCommand,
  ClientCapabilities,
  ContentBlock,
  StopReason,
} from '../protocol/acp.ts';
import { ChatClient } from './chatClient.ts';
import { Complaint } from './complaint.ts';
import { plain } from './markdown.ts';
import type { ChatModel } from './model/models.ts';
import { isModeId, modeState } from './modes.ts';
import { Choices, switchMode } from './options.ts';
import type { Pace } from './pace.ts';
import type { Session, SessionClient, SessionModes, SessionSettings } from './server/api.ts';
import type { KeptUpdate } from './sessions/kept.ts';
import type { Mark } from './sessions/lines.ts';
import type { SessionRecord } from './sessions/record.ts';
import type { Attachment, Memory, Skill } from './turn.ts';
import { Turn } from './turn.ts';
import { Workspace } from './workspace.ts';

const TITLE_CHARACTERS = 60;

/** Where a session is kept, and what it was like when it was left. */
export interface Kept {
  readonly record: SessionRecord;
  readonly mark?: Mark;
  readonly updates?: readonly KeptUpdate[];
}

/** One chat with the agent. */
export class ReferenceSession implements Session {
  private readonly workspace: Workspace;
  private readonly record: SessionRecord;
  private readonly choices: Choices;
  private readonly memory: Memory;
  private prompts: number;

  constructor(
    readonly id: string,
    readonly cwd: string,
    private readonly pace: Pace,
    private readonly model: ChatModel,
    { record, mark, updates = [] }: Kept,
  ) {
    this.workspace = new Workspace(cwd);
    this.record = record;
    this.choices = new Choices(mark?.choices);
    const isTitled = mark?.title !== undefined;
    this.prompts = lastNumber(updates);
    this.memory = memoryOf(this.choices, isTitled, this.prompts);
  }

  get modes(): SessionModes {
    return {
      state: modeState(this.choices.mode),
      set: async (id, client) => {
        if (isModeId(id)) this.choices.mode = this.choices.toldMode = id;
        this.keepChoices();
        await client.settings(this.choices.options(client.capabilities));
      },
    };
  }

  get settings(): SessionSettings {
    return {
      options: (capabilities: ClientCapabilities) => this.choices.options(capabilities),
      set: async (id, value, client) => {
        this.choices.set(id, value);
        this.keepChoices();
        await this.tellMode(client);
      },
    };
  }

  async opened(client: SessionClient): Promise<void> {
    const { skills } = await import('./skills.ts');
    await client.commands(skills.map(advertise));
  }

  /** Tells the client the conversation so far. */
  async replay(updates: readonly KeptUpdate[], client: SessionClient): Promise<void> {
    const { title } = this.record;
    if (title !== undefined) await client.info({ title });
    for (const update of updates) {
      const isThought = update.sessionUpdate === 'agent_thought_chunk';
      if (this.choices.thoughts || !isThought) await client.update(update);
    }
  }

  async prompt(
    content: readonly ContentBlock[],
    client: SessionClient,
    signal: AbortSignal,
  ): Promise<StopReason> {
    const { workspace, record, choices, memory, model } = this;
    const text = textOf(content);
    const chat = new ChatClient(client, record, choices);
    const pace = choices.paceOf(this.pace);
    const turn = new Turn(chat, signal, workspace, attachmentsOf(content), memory, pace, model);
    this.prompts += 1;
    const messageId = `prompt-${this.prompts}`;
    for (const block of content) {
      record.take({ sessionUpdate: 'user_message_chunk', messageId, content: block });
    }
    try {
      await this.giveTitle(text, chat);
      // What it can do is much, and who only starts the agent needs none of it.
      const { answer } = await import('./router.ts');
      return await answer(turn, text, content);
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      await turn.say(error.message);
      return 'end_turn';
    } finally {
      await this.endTurn(client, signal);
    }
  }

  /** No call stays without a result, and what was chosen on the way is told. */
  private async endTurn(client: SessionClient, signal: AbortSignal): Promise<void> {
    const left = this.record.endTurn();
    this.keepChoices();
    // A client that cancels has settled its calls by itself.
    if (signal.aborted) return;
    for (const call of left) await client.toolCallUpdate(call);
    await this.tellMode(client);
  }

  private async tellMode(client: SessionClient): Promise<void> {
    await switchMode(this.choices, this.choices.mode, client);
  }

  private keepChoices(): void {
    this.record.mark(this.choices.toJSON());
  }

  /** The first prompt names the chat. */
  private async giveTitle(text: string, client: SessionClient): Promise<void> {
    if (this.memory.titled) return;
    const title = plain(text, TITLE_CHARACTERS);
    if (title === '') return;
    this.memory.titled = true;
    await client.info({ title });
  }
}

function memoryOf(choices: Choices, titled: boolean, last: number): Memory {
  return {
    messages: last,
    calls: last,
    titled,
    commandsAllowed: new Set(),
    choices,
    get editsAllowed() {
      return choices.mode === 'auto';
    },
    set editsAllowed(isAllowed) {
      // A yes to an edit that was asked before the person chose to plan is no yes to a plan.
      if (isAllowed && choices.mode === 'ask') choices.mode = 'auto';
    },
  };
}

/** Messages and calls that come now must not be taken for those that were there before. */
function lastNumber(updates: readonly KeptUpdate[]): number {
  return updates.reduce((last, update) => {
    const id = 'toolCallId' in update ? update.toolCallId : '';
    const messageId = 'messageId' in update ? update.messageId : undefined;
    const number = Number(/-(\d{1,9})$/.exec(messageId ?? id)?.[1] ?? 0);
    return Math.max(last, number);
  }, 0);
}

function advertise({ name, description, hint }: Skill): AvailableCommand {
  return { name, description, ...(hint === undefined ? {} : { input: { hint } }) };
}

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function attachmentsOf(content: readonly ContentBlock[]): readonly Attachment[] {
  return content.flatMap((block): Attachment[] => {
    if (block.type === 'resource_link') return [{ name: pathOf(block.uri) }];
    if (block.type !== 'resource') return [];
    const { resource } = block;
    const name = pathOf(resource.uri);
    return 'text' in resource ? [{ name, text: resource.text }] : [{ name }];
  });
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
