import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { PermissionDesk } from '../../client/requests/permissionDesk.ts';
import type { PermissionPresenter } from '../../client/requests/permissionPresenter.ts';
import type { Chats } from '../../client/session/chats.ts';
import type { ChatView } from '../chat/chatView.ts';
import type { ChannelLog } from '../ports/log.ts';
import type { QuickPickPermissionPrompt } from '../ports/quickPickPermissionPrompt.ts';
import type { Actions } from './actions.ts';
import type { CommandId } from './commandIds.ts';
import { clearModelKeys, setModelKey, type ModelKeyParts } from './modelKey.ts';

export interface CommandParts {
  readonly chats: Chats;
  readonly desk: PermissionDesk;
  readonly view: ChatView;
  readonly presenter: PermissionPresenter;
  readonly prompt: QuickPickPermissionPrompt;
  readonly actions: Actions;
  readonly modelKey: ModelKeyParts;
  readonly log: ChannelLog;
}

/** What a command does with the one argument it may be given. It may throw; who runs it shows that. */
export type Commands = Readonly<Record<CommandId, (argument: unknown) => unknown>>;

export function commandsOf(parts: CommandParts): Commands {
  const { chats, desk, view, presenter, prompt, actions, modelKey, log } = parts;
  return {
    'parley.open': () => view.focusComposer(),
    'parley.newChat': async () => {
      actions.newChat();
      await view.focusComposer();
    },
    'parley.selectAgent': (name) =>
      actions.selectAgent(typeof name === 'string' ? name : undefined),
    'parley.stop': () => {
      chats.active.stop();
    },
    'parley.answerPermission': () => {
      if (desk.open.length === 0) {
        throw new UserError(vscode.l10n.t('No agent waits for your permission.'));
      }
      prompt.comeBack();
      presenter.showNext();
    },
    'parley.switchChat': async () => {
      if (await actions.switchChat()) await view.focusComposer();
    },
    'parley.restartAgent': () => actions.restartAgent(),
    'parley.checkAgent': (name) => actions.checkAgent(typeof name === 'string' ? name : undefined),
    'parley.setModelKey': () => setModelKey(modelKey),
    'parley.clearModelKeys': () => clearModelKeys(modelKey),
    'parley.showLog': () => {
      log.show();
    },
    'parley.permission.showDetails': () => prompt.showDetails(),
    'parley.permission.showChanges': () => prompt.showChanges(),
    'parley.permission.comeBack': () => {
      prompt.comeBack();
    },
  };
}
