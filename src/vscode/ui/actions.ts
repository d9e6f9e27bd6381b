import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { turnAt } from '../../bridge/patch.ts';
import type { AgentCatalog } from '../../client/agents/catalog.ts';
import type { Agents } from '../../client/agents/agents.ts';
import type { Settings, Workspace } from '../../client/ports.ts';
import type { PermissionDesk } from '../../client/requests/permissionDesk.ts';
import type { Chat } from '../../client/session/chat.ts';
import type { Chats } from '../../client/session/chats.ts';
import type { Intent } from '../chat/intents.ts';
import type { DiffView } from './diffView.ts';
import { pickAgent, pickChat } from './chatPicks.ts';
import { checkAgent } from './checkAgent.ts';
import { openSettings } from './notify.ts';
import { openFile } from './openFile.ts';
import { openLink } from './openLink.ts';
import { openOutput, openTerminalOutput } from './outputs.ts';
import type { TerminalPanels } from './terminalPanel.ts';

export interface ActionParts {
  readonly chats: Chats;
  readonly agents: Agents;
  readonly catalog: AgentCatalog;
  readonly desk: PermissionDesk;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly diffs: DiffView;
  readonly panels: TerminalPanels;
}

/** What the page's buttons and the commands do. Anything may throw; who calls shows it. */
export class Actions {
  constructor(private readonly parts: ActionParts) {}

  /** Makes an agent the chosen one and opens a new chat with it. @param named Asks if it is not given. */
  async selectAgent(named?: string): Promise<void> {
    const { agents, chats, settings } = this.parts;
    const offers = agents.choices();
    const id = named ?? (await pickAgent(offers, chats.active.agent.id));
    if (id === undefined) return;
    if (!offers.some((offer) => offer.id === id)) {
      throw new UserError(vscode.l10n.t('There is no agent named “{0}” in the settings.', id), [
        'selectAgent',
        'openSettings',
      ]);
    }
    // First the chat: whoever types while the setting is being written must not type into the one before.
    void chats.newChat(id).agent.start();
    if (settings.defaultAgent() !== id) await settings.setDefaultAgent(id);
  }

  /** @returns False if no chat was chosen. */
  async switchChat(): Promise<boolean> {
    const { chats } = this.parts;
    const id = await pickChat(chats.list(), chats.active.id);
    if (id !== undefined) await chats.open(id);
    return id !== undefined;
  }

  newChat(): void {
    void this.parts.chats.newChat().agent.start();
  }

  /** Checks an agent against the protocol. @param named Asks if it is not given. */
  async checkAgent(named?: string): Promise<void> {
    const { catalog, diffs, chats } = this.parts;
    await checkAgent(catalog, diffs, chats.active.agent.id, named);
  }

  async restartAgent(): Promise<void> {
    await this.parts.chats.active.agent.restart();
  }

  /** What the person did in the page. */
  async perform(intent: Intent): Promise<void> {
    const { chats, desk } = this.parts;
    switch (intent.type) {
      case 'prompt':
        this.chat(intent).prompt(intent.text);
        return;
      case 'stop':
        this.chat(intent).stop();
        return;
      case 'draft':
        chats.get(intent.chatId)?.draft(intent.text);
        return;
      case 'sendQueued':
        this.chat(intent).sendQueued(intent.promptId);
        return;
      case 'removeQueued':
        this.chat(intent).removeQueued(intent.promptId);
        return;
      case 'answerPermission':
        // Too late, or not an option: the page will see what became of the request.
        desk.answer(intent.permissionId, intent.optionId);
        return;
      case 'newChat':
        this.newChat();
        return;
      case 'openChat':
        await chats.open(intent.chatId);
        return;
      case 'chooseAgent':
        await this.selectAgent(intent.agentId);
        return;
      case 'command':
        await runCommand(intent.command);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(intent.text);
        return;
      case 'openFile':
        await openFile(intent.path, intent.line, this.parts.workspace.folders());
        return;
      case 'openLink':
        await openLink(intent.href);
        return;
      case 'openDiff':
        await this.openDiff(intent);
        return;
      case 'stopTerminal':
        this.chat(intent).requests.stopTerminal(intent.terminalId);
        return;
      case 'openTerminalOutput':
        await openTerminalOutput(this.chat(intent), intent.terminalId, this.parts.diffs);
        return;
      case 'showTerminal':
        if (this.parts.panels.show(this.chat(intent), intent.terminalId)) return;
        throw new UserError(vscode.l10n.t('This terminal is gone.'));
      case 'openOutput':
        await openOutput(this.chat(intent), intent, this.parts.diffs);
        return;
    }
  }

  private async openDiff(intent: Extract<Intent, { type: 'openDiff' }>): Promise<void> {
    const found = turnAt(this.chat(intent).thread, intent.turn)?.entries[intent.entry];
    const diff = found?.kind === 'tool' ? found.content[intent.content] : undefined;
    if (found?.kind !== 'tool' || diff?.type !== 'diff') {
      throw new UserError(vscode.l10n.t('These changes are gone.'));
    }
    await this.parts.diffs.showDiffs([diff], found.state === 'done');
  }

  /** The chat that was in the page when the person did it: another one may be active by now. */
  private chat({ chatId }: { readonly chatId: string }): Chat {
    const chat = this.parts.chats.get(chatId);
    if (chat === undefined) throw new UserError(vscode.l10n.t('This chat is not open any more.'));
    return chat;
  }
}

async function runCommand(command: Extract<Intent, { type: 'command' }>['command']): Promise<void> {
  if (command === 'openSettings') await openSettings();
  else await vscode.commands.executeCommand(`parley.${command}`);
}
