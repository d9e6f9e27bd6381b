import type { RequestPermissionResponse } from '../../protocol/acp.ts';
import type { PermissionRequest } from '../../protocol/connection.ts';
import { quoted } from '../../protocol/trace.ts';
import type { ToolCallEntry } from '../../thread/thread.ts';
import type { Agent } from '../agents/agent.ts';
import { CANCELLED } from '../agents/sessionRouter.ts';
import type { Log } from '../ports.ts';
import type { PermissionDesk } from '../requests/permissionDesk.ts';
import { choicesOf, questionOf } from '../requests/permissionQuestion.ts';
import type { ThreadStore } from './threadStore.ts';
import { titleOf } from './threadTitle.ts';

/** Permission requests that may wait in one chat: nobody would answer more. */
const OPEN_REQUESTS = 100;

interface ChatPermissionsParts {
  readonly id: string;
  readonly agent: Agent;
  readonly store: ThreadStore;
  readonly desk: PermissionDesk;
  readonly log: Log;
  readonly newId: () => string;
}

/** The permission requests of one chat: each becomes part of its thread, waits on the desk, and is answered once. */
export class ChatPermissions {
  private flooded = false;

  constructor(private readonly parts: ChatPermissionsParts) {}

  /** @param signal Aborts when the agent takes its request back or goes away. */
  async requested(
    request: PermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const { id, agent, store, desk, log } = this.parts;
    if (desk.countOf(id) >= OPEN_REQUESTS) {
      // Once is enough: who floods us must not flood the log.
      if (!this.flooded) log.warn(`${agent.id}: too many permission requests at once; refused`);
      this.flooded = true;
      return CANCELLED;
    }
    const permissionId = this.parts.newId();
    const options = choicesOf(request.options, (message) => {
      log.warn(`${agent.id}: ${message}`);
    });
    const toolCall = { ...request.toolCall, sessionUpdate: 'tool_call_update' } as const;
    store.dispatch({ type: 'permissionAsked', permissionId, toolCall, options });
    const question = questionOf({
      permissionId,
      chatTitle: titleOf(store.thread),
      agentName: agent.info.name,
      options,
      call: this.callOf(permissionId),
    });
    const optionId = await desk.ask(id, question, signal);
    log.info(
      `${agent.id}: permission ${optionId === null ? 'cancelled' : `answered with ${quoted(optionId)}`}`,
    );
    store.dispatch({ type: 'permissionAnswered', permissionId, optionId });
    return optionId === null ? CANCELLED : { outcome: { outcome: 'selected', optionId } };
  }

  /** The call that a request is about; it is in the latest turn, near the end. */
  private callOf(permissionId: string): ToolCallEntry | null {
    const entry = this.parts.store.thread.latest?.entries.findLast(
      (item) => item.kind === 'tool' && item.permissions.some(({ id }) => id === permissionId),
    );
    return entry?.kind === 'tool' ? entry : null;
  }
}
