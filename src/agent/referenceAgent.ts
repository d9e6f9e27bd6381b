import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { AvailableCommand, ContentBlock, StopReason } from '../protocol/acp.ts';
import { Complaint } from './complaint.ts';
import { plain } from './markdown.ts';
import type { Pace } from './pace.ts';
import { answer } from './router.ts';
import type { Agent, Session, SessionClient } from './server/api.ts';
import { skills } from './skills.ts';
import type { Attachment, Memory } from './turn.ts';
import { Turn } from './turn.ts';
import { VERSION } from './version.ts';
import { Workspace } from './workspace.ts';

const TITLE_CHARACTERS = 60;

/** The agent that comes with Parley: offline, deterministic, and honest about having no model inside. */
export class ReferenceAgent implements Agent {
  readonly info = {
    name: 'parley-reference',
    title: 'Parley Reference Agent',
    version: VERSION,
    prompt: { embeddedContext: true },
  };

  constructor(private readonly pace: Pace) {}

  newSession(cwd: string): Session {
    return new ReferenceSession(cwd, this.pace);
  }
}

class ReferenceSession implements Session {
  readonly id = randomUUID();
  private readonly workspace: Workspace;
  private readonly memory: Memory = { messages: 0, calls: 0, titled: false, editsAllowed: false };

  constructor(
    cwd: string,
    private readonly pace: Pace,
  ) {
    this.workspace = new Workspace(cwd);
  }

  async opened(client: SessionClient): Promise<void> {
    await client.commands(skills.map(advertise));
  }

  async prompt(
    content: readonly ContentBlock[],
    client: SessionClient,
    signal: AbortSignal,
  ): Promise<StopReason> {
    const text = textOf(content);
    await this.giveTitle(text, client);
    const { workspace, memory, pace } = this;
    const turn = new Turn(client, signal, workspace, attachmentsOf(content), memory, pace);
    try {
      return await answer(turn, text);
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      await turn.say(error.message);
      return 'end_turn';
    }
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

function advertise({ name, description, hint }: (typeof skills)[number]): AvailableCommand {
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
