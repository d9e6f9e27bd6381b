import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import type { PermissionDesk } from '../../client/requests/permissionDesk.ts';
import type { Chats } from '../../client/session/chats.ts';

/**
 * Keys for `when` clauses of keybindings and menus: `parley.running` (a turn runs in the active chat) and
 * `parley.waiting` (some request waits for the person).
 */
export class ContextKeys implements vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly told = new Map<string, boolean>();

  constructor(chats: Chats, desk: PermissionDesk) {
    const update = (): void => {
      this.tell('parley.running', chats.active.thread.latest?.state.kind === 'running');
      this.tell('parley.waiting', desk.open.length > 0);
    };
    this.owned.add(chats.onDidChangeActive(update));
    this.owned.add(chats.onDidChangeList(update));
    this.owned.add(desk.onDidChange(update));
    update();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private tell(key: string, value: boolean): void {
    if (this.told.get(key) === value) return;
    this.told.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
