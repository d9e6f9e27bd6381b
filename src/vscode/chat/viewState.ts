import type { ChatViewState } from '../../bridge/messages.ts';
import type { Agents } from '../../client/agents/agents.ts';
import type { Workspace } from '../../client/ports.ts';
import type { Chats } from '../../client/session/chats.ts';
import type { ViewSource } from './chatPage.ts';

/** What the chat page shows, read from the application at the moment of asking. */
export class ViewState implements ViewSource {
  constructor(
    private readonly chats: Chats,
    private readonly agents: Agents,
    private readonly workspace: Workspace,
  ) {}

  view(): ChatViewState {
    return { ...this.parts(), thread: this.chats.active.thread };
  }

  parts(): Omit<ChatViewState, 'thread'> {
    const chat = this.chats.active;
    return {
      chat: { id: chat.id, readOnly: chat.readOnly },
      agent: chat.agent.info,
      chats: this.chats.list(),
      agents: this.agents
        .choices()
        .map(({ id, name, detail }) => ({ id, name, detail, chosen: id === chat.agent.id })),
      workspace: {
        hasFolder: this.workspace.folders().length + this.workspace.virtualFolders().length > 0,
        folders: this.workspace.folders(),
        trusted: this.workspace.trusted(),
      },
    };
  }
}
