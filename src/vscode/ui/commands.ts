import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { PermissionDesk } from '../../client/requests/permissionDesk.ts';
import type { PermissionPresenter } from '../../client/requests/permissionPresenter.ts';
import type { Chats } from '../../client/session/chats.ts';
import type { ChatView } from '../chat/chatView.ts';
import type { ChannelLog } from '../ports/log.ts';
import type { QuickPickPermissionPrompt } from '../ports/quickPickPermissionPrompt.ts';
import type { Actions } from './actions.ts';
import type { Notify } from './notify.ts';

export interface CommandParts {
  readonly chats: Chats;
  readonly desk: PermissionDesk;
  readonly view: ChatView;
  readonly presenter: PermissionPresenter;
  readonly prompt: QuickPickPermissionPrompt;
  readonly actions: Actions;
  readonly notify: Notify;
  readonly log: ChannelLog;
}

/** Registers every command of the manifest. Keybindings of people and other extensions rely on these names. */
export function registerCommands(parts: CommandParts): Disposable {
  const { chats, desk, view, presenter, prompt, actions, notify, log } = parts;
  const owned = new Disposables();
  const register = (id: string, run: (argument: unknown) => unknown): void => {
    owned.add(
      vscode.commands.registerCommand(id, (argument: unknown) => notify.run(() => run(argument))),
    );
  };

  register('parley.open', () => view.focusComposer());
  register('parley.newChat', async () => {
    actions.newChat();
    await view.focusComposer();
  });
  register('parley.selectAgent', (name) =>
    actions.selectAgent(typeof name === 'string' ? name : undefined),
  );
  register('parley.stop', () => {
    chats.active.stop();
  });
  register('parley.answerPermission', () => {
    if (desk.open.length === 0) {
      throw new UserError(vscode.l10n.t('No agent waits for your permission.'));
    }
    prompt.comeBack();
    presenter.showNext();
  });
  register('parley.switchChat', async () => {
    if (await actions.switchChat()) await view.focusComposer();
  });
  register('parley.restartAgent', () => actions.restartAgent());
  register('parley.showLog', () => {
    log.show();
  });
  register('parley.permission.showDetails', () => prompt.showDetails());
  register('parley.permission.showChanges', () => prompt.showChanges());
  register('parley.permission.comeBack', () => {
    prompt.comeBack();
  });
  return owned;
}
