import type { SessionUpdate, ToolCallUpdate } from '../../protocol/acp.ts';
import { bounded, noteOf } from './bounds.ts';
import { CANCELLED } from './history.ts';
import type { KeptUpdate } from './kept.ts';
import { lineOf } from './lines.ts';

type Chunk = Extract<KeptUpdate, { messageId?: unknown; content: unknown; sessionUpdate: string }>;

/** Characters of a message that may wait to be written in one line. */
const MAX_WAITING = 4_096;

/**
 * Writes down what happens in one session while it happens: messages in few lines, calls when they begin and when they end, so
 * that a process that is killed loses no more than its last words.
 */
export class SessionRecord {
  private waiting: Chunk | undefined;
  /** What has changed about the calls that have not ended. */
  private readonly open = new Map<string, ToolCallUpdate>();
  private lastMark = '';

  /**
   * @param append Adds whole lines to the session's file; never throws.
   * @param title What the session is called, if it is called anything yet.
   */
  constructor(
    private readonly append: (lines: string) => void,
    public title?: string,
  ) {}

  /** Something that was told to the client, or by the person. What no conversation is told again with is passed over. */
  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.takeChunk(update);
        break;
      case 'tool_call':
        this.write(update);
        if (!isOver(update)) this.open.set(update.toolCallId, { toolCallId: update.toolCallId });
        break;
      case 'tool_call_update':
        this.takeChange(update);
        break;
      case 'plan':
        this.write(update);
        break;
      case 'session_info_update':
        if (update.title !== undefined) this.title = update.title ?? undefined;
        break;
      default:
    }
  }

  /** The turn is over. @returns The calls that nobody has ended: they are recorded as failed, with the reason. */
  endTurn(): readonly ToolCallUpdate[] {
    const left = [...this.open.keys()].map((toolCallId) => ({
      toolCallId,
      status: 'failed' as const,
      content: [noteOf(CANCELLED)],
      rawOutput: { reason: 'cancelled' },
    }));
    for (const end of left) this.takeChange({ sessionUpdate: 'tool_call_update', ...end });
    this.flush();
    return left;
  }

  /** What the session is called now, and what the person has chosen, if that is news. */
  mark(choices: Readonly<Record<string, unknown>>): void {
    const { title } = this;
    const line = lineOf({ mark: { ...(title !== undefined && { title }), choices } });
    if (line === this.lastMark) return;
    this.flush();
    this.lastMark = line;
    this.append(line);
  }

  private takeChunk(update: Chunk): void {
    const { waiting } = this;
    if (
      waiting?.sessionUpdate === update.sessionUpdate &&
      waiting.messageId === update.messageId &&
      waiting.content.type === 'text' &&
      update.content.type === 'text'
    ) {
      const text = waiting.content.text + update.content.text;
      this.waiting = { ...waiting, content: { type: 'text', text } };
      if (text.length > MAX_WAITING) this.flush();
      return;
    }
    this.flush();
    this.waiting = update;
  }

  private takeChange(update: Extract<KeptUpdate, { sessionUpdate: 'tool_call_update' }>): void {
    const before = this.open.get(update.toolCallId);
    if (!before) return;
    const all = { ...before, ...update };
    if (!isOver(all)) {
      this.open.set(update.toolCallId, all);
      return;
    }
    this.open.delete(update.toolCallId);
    this.write({ ...all, sessionUpdate: 'tool_call_update' });
  }

  private flush(): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) this.writeNow(waiting);
  }

  private write(update: KeptUpdate): void {
    this.flush();
    this.writeNow(update);
  }

  private writeNow(update: KeptUpdate): void {
    const kept = bounded(update);
    if (kept) this.append(lineOf({ update: kept }));
  }
}

function isOver({ status }: { readonly status?: unknown }): boolean {
  return status === 'completed' || status === 'failed';
}
