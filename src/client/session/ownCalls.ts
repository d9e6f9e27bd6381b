import type { SessionUpdate, ToolCallContent } from '../../protocol/acp.ts';
import type { ToolCallEntry, Turn } from '../../thread/thread.ts';
import type { ThreadStore } from './threadStore.ts';

/** What begins the ids of calls that Parley itself puts into a chat. */
const OWN = 'parley:';

/** An agent's id of a call as the chat knows it: never one of ours, which an agent may have found in the chat's log. */
export function agentsId(toolCallId: string): string {
  return toolCallId.startsWith(OWN) ? `agent:${toolCallId}` : toolCallId;
}

export type CallFields = Omit<
  Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>,
  'sessionUpdate' | 'toolCallId'
>;

/** A tool call of Parley's own, which says what it did for the agent. */
export interface OwnCall {
  readonly toolCallId: string;
  update(fields: CallFields): void;
  /** It could not be done. */
  failed(why: string): void;
}

/** The tool calls of a chat, as far as the requests of its agent have to do with them. */
export class OwnCalls {
  constructor(
    private readonly store: ThreadStore,
    private readonly newId: () => string,
  ) {}

  get latest(): Turn | null {
    return this.store.thread.latest;
  }

  /** An id for a call that Parley begins. No agent is told it. */
  fresh(): string {
    return `${OWN}${this.newId()}`;
  }

  /** Puts a call of our own into the chat. */
  begin(fields: CallFields & { readonly title: string }): OwnCall {
    const call = this.handle(this.fresh());
    call.update(fields);
    return call;
  }

  /** The call with this id, which Parley began. */
  handle(toolCallId: string): OwnCall {
    const update = (fields: CallFields): void => {
      this.store.dispatch({
        type: 'updated',
        update: { sessionUpdate: 'tool_call_update', toolCallId, ...fields },
      });
    };
    return {
      toolCallId,
      update,
      failed: (why) => {
        update({ status: 'failed', content: [textContent(why)] });
      },
    };
  }

  /** Calls of the agent in the latest turn, newest first. */
  agentCalls(): readonly ToolCallEntry[] {
    return callsOf(this.latest)
      .filter(({ toolCallId }) => !toolCallId.startsWith(OWN))
      .reverse();
  }

  /** The newest call with this id in a turn, looked for in the latest two. */
  find(turnId: string, toolCallId: string): ToolCallEntry | null {
    const { past, latest } = this.store.thread;
    const turn = [latest, past.at(-1) ?? null].find((each) => each?.id === turnId) ?? null;
    return callsOf(turn).findLast((call) => call.toolCallId === toolCallId) ?? null;
  }

  /** Those of them that have not come to an end. */
  openCalls(): readonly ToolCallEntry[] {
    return this.agentCalls().filter(isOpen);
  }

  /** Whether a call of the latest two turns shows this terminal: it may have been made at the end of one. */
  isShown(terminalId: string): boolean {
    const { past, latest } = this.store.thread;
    return [latest, past.at(-1) ?? null].some((turn) =>
      callsOf(turn).some(({ content }) =>
        content.some((part) => part.type === 'terminal' && part.terminalId === terminalId),
      ),
    );
  }
}

/** Whether it has not come to an end. */
export function isOpen({ state }: ToolCallEntry): boolean {
  return state === 'pending' || state === 'waiting' || state === 'running';
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

function callsOf(turn: Turn | null): ToolCallEntry[] {
  return (turn?.entries ?? []).filter((entry) => entry.kind === 'tool');
}
