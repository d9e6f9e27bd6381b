import * as vscode from 'vscode';
import type { AgentOffer } from '../../client/agents/catalog.ts';
import type { ChatSummary } from '../../thread/status.ts';
import { escapeLabel } from '../ports/plainText.ts';
import { openSettings } from './notify.ts';

interface IdItem extends vscode.QuickPickItem {
  readonly id: string | undefined;
}

/** Lets the person choose an agent. @returns Its id; `undefined` if none was chosen. */
export async function pickAgent(
  offers: readonly AgentOffer[],
  current: string,
): Promise<string | undefined> {
  const items: readonly IdItem[] = [
    ...offers.map((offer) => ({
      id: offer.id,
      label: escapeLabel(offer.name),
      description: offer.id === current ? vscode.l10n.t('current') : '',
      detail: escapeLabel(offer.detail),
    })),
    { id: undefined, label: '', kind: vscode.QuickPickItemKind.Separator },
    { id: undefined, label: vscode.l10n.t('Edit settings…'), iconPath: icon('settings-gear') },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Agent for new chats'),
    matchOnDetail: true,
  });
  if (chosen !== undefined && chosen.id === undefined) await openSettings();
  return chosen?.id;
}

/** Lets the person choose one of the chats. @returns Its id; `undefined` if none was chosen. */
export async function pickChat(
  chats: readonly ChatSummary[],
  current: string,
): Promise<string | undefined> {
  const items: readonly IdItem[] = chats.map((chat) => ({
    id: chat.id,
    label: escapeLabel(chat.title),
    description: chat.id === current ? vscode.l10n.t('current') : '',
    detail: escapeLabel(`${stateWord(chat.state)} · ${chat.agentName} · ${when(chat.updatedAt)}`),
    iconPath: icon(stateIcon(chat.state)),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Switch to a chat'),
    matchOnDetail: true,
  });
  return chosen?.id;
}

function icon(id: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id);
}

function when(at: number): string {
  return new Date(at).toLocaleString(vscode.env.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
}

function stateWord(state: ChatSummary['state']): string {
  switch (state) {
    case 'idle':
      return vscode.l10n.t('Idle');
    case 'running':
      return vscode.l10n.t('Running');
    case 'waiting':
      return vscode.l10n.t('Waiting for your permission');
    case 'failed':
      return vscode.l10n.t('Failed');
  }
}

function stateIcon(state: ChatSummary['state']): string {
  switch (state) {
    case 'idle':
      return 'comment';
    case 'running':
      return 'loading~spin';
    case 'waiting':
      return 'question';
    case 'failed':
      return 'error';
  }
}
