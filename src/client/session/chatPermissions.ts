import type { RequestPermissionResponse } from '../../protocol/acp.ts';
import type { PermissionRequest } from '../../protocol/connection.ts';
import { quoted } from '../../protocol/trace.ts';
import { callWith } from '../../thread/calls.ts';
import type { PartialToolCall, PermissionChoice, ToolCallEntry } from '../../thread/thread.ts';
import type { Agent } from '../agents/agent.ts';
import { CANCELLED } from '../agents/sessionRouter.ts';
import type { Log } from '../ports.ts';
import type { PermissionDesk } from '../requests/permissionDesk.ts';
import { choicesOf, questionOf, type QuestionWords } from '../requests/permissionQuestion.ts';
import { agentsId } from './ownCalls.ts';
import type { ThreadStore } from './threadStore.ts';
import { titleOf } from './threadTitle.ts';

/** Requests that may wait in one chat: nobody would answer more. */
const OPEN_REQUESTS = 100;

interface ChatPermissionsParts {
  readonly id: string;
  readonly agent: Agent;
  readonly store: ThreadStore;
  readonly desk: PermissionDesk;
  readonly log: Log;
  readonly newId: () => string;
  /** The person has said yes to the agent's question about this call, which still says what it said then. */
  readonly allowed: (call: ToolCallEntry) => void;
  /** Where the command of a call of the agent is to run, if not in the chat's own folder. */
  readonly otherFolder: (call: ToolCallEntry) => string | null;
}

/** What the person is asked in a chat, by the agent or by Parley. */
interface AskedQuestion {
  readonly toolCall: PartialToolCall;
  readonly options: readonly PermissionChoice[];
  /** Why Parley asks; left out where the agent does. */
  readonly reason?: string;
  readonly words?: QuestionWords;
  readonly folder?: string;
  readonly allowed?: (call: ToolCallEntry) => void;
}

/** The questions of one chat: each becomes part of its thread, waits on the desk, and is answered once. */
export class ChatPermissions {
  private flooded = false;

  constructor(private readonly parts: ChatPermissionsParts) {}

  /** The agent asks. @param signal Aborts when it takes its request back or goes away. */
  async requested(
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const options = choicesOf(request.options, (message) => {
      this.parts.log.warn(`${this.parts.agent.id}: ${message}`);
    });
    const toolCall = {
      ...request.toolCall,
      toolCallId: agentsId(request.toolCall.toolCallId),
      sessionUpdate: 'tool_call_update',
    } as const;
    const { store, allowed, otherFolder } = this.parts;
    const folder = otherFolder(callWith(store.thread, toolCall, 0));
    const optionId = await this.ask(
      { toolCall, options, allowed, ...(folder === null ? {} : { folder }) },
      signal,
    );
    return optionId === null ? CANCELLED : { outcome: { outcome: 'selected', optionId } };
  }

  /**
   * Asks the person. Never rejects.
   * @returns The chosen option's id; `null` if the question was cancelled, or too many wait already.
   */
  async ask(
    { toolCall, options, reason, folder, words, allowed }: AskedQuestion,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { id, agent, store, desk, log } = this.parts;
    if (desk.countOf(id) >= OPEN_REQUESTS) {
      // Once is enough: who floods us must not flood the log.
      if (!this.flooded) log.warn(`${agent.id}: too many permission requests at once; refused`);
      this.flooded = true;
      return null;
    }
    const permissionId = this.parts.newId();
    const more = {
      ...(reason === undefined ? {} : { reason }),
      ...(folder === undefined ? {} : { folder }),
    };
    store.dispatch({ type: 'permissionAsked', permissionId, toolCall, options, ...more });
    const call = this.callOf(permissionId);
    const question = questionOf({
      permissionId,
      chatTitle: titleOf(store.thread),
      agentName: agent.info.name,
      options,
      call,
      ...more,
      ...(words === undefined ? {} : { words }),
    });
    const optionId = await desk.ask(id, question, signal);
    log.info(
      `${agent.id}: permission ${optionId === null ? 'cancelled' : `answered with ${quoted(optionId)}`}`,
    );
    const kind = options.find((option) => option.optionId === optionId)?.kind;
    const now = this.callOf(permissionId);
    store.dispatch({ type: 'permissionAnswered', permissionId, optionId });
    // Names of options are the agent's free text, in any language: one that is called "Reject" may allow. So the kind counts,
    // and card and pick say it in Parley's own words beside each name: whoever chose this one was told that it allows.
    if (call !== null && now?.rawInput === call.rawInput && kind?.startsWith('allow') === true) {
      allowed?.(call);
    }
    return optionId;
  }

  /** The call that a request is about; it is in the latest turn, near the end. */
  private callOf(permissionId: string): ToolCallEntry | null {
    const entry = this.parts.store.thread.latest?.entries.findLast(
      (item) => item.kind === 'tool' && item.permissions.some(({ id }) => id === permissionId),
    );
    return entry?.kind === 'tool' ? entry : null;
  }
}
