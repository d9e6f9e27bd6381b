import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import type { PermissionPrompt, PermissionQuestion } from '../../client/ports.ts';
import { cut, escapeNotice } from './plainText.ts';
import { PermissionPick, type PickExtras, type PickPlace } from './permissionPick.ts';

/** Key for the keybindings of the pick: `onScreen`, or `looking` while it has stepped aside; unset without one. */
const PICK = 'parley.permissionPick';

/** Asks for permission with a quick pick, or tells of a request with a notification. */
export class QuickPickPermissionPrompt implements PermissionPrompt {
  private shown: PermissionPick | undefined;

  constructor(private readonly extras: PickExtras) {}

  async ask(question: PermissionQuestion, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    const owned = new Disposables();
    const pick = owned.add(new PermissionPick(question, this.extras, () => performance.now()));
    this.shown = pick;
    setPlace('onScreen');
    owned.add(pick.onDidMove(setPlace));
    const close = (): void => {
      pick.close();
    };
    signal.addEventListener('abort', close, { once: true });
    try {
      return await pick.answer();
    } finally {
      signal.removeEventListener('abort', close);
      owned.dispose();
      if (this.shown === pick) {
        this.shown = undefined;
        setPlace(undefined);
      }
    }
  }

  /** VS Code cannot take a message back: one whose request is settled does nothing any more. */
  async notify(question: PermissionQuestion, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const owned = new Disposables();
    const gone = new Promise<undefined>((resolve) => {
      const end = (): void => {
        resolve(undefined);
      };
      signal.addEventListener('abort', end, { once: true });
      owned.add({
        dispose: () => {
          signal.removeEventListener('abort', end);
        },
      });
    });
    const show = vscode.l10n.t('Show');
    const what = cut(question.title === '' ? question.kind : question.title, 200);
    const where = cut(question.chatTitle, 60);
    const message = escapeNotice(
      question.reason === ''
        ? vscode.l10n.t('{0} asks for your permission: {1} ({2})', question.agentName, what, where)
        : vscode.l10n.t(
            'Parley asks for your permission: {0} ({1}, {2})',
            what,
            question.agentName,
            where,
          ),
    );
    try {
      const chosen = await Promise.race([
        vscode.window.showInformationMessage(message, show),
        gone,
      ]);
      return chosen === show;
    } finally {
      owned.dispose();
    }
  }

  /** Shows everything that the request on screen says, in an editor; the pick steps aside. */
  async showDetails(): Promise<void> {
    await this.shown?.showDetails();
  }

  /** Shows the changes that the request on screen is about, in the diff editor; the pick steps aside. */
  async showChanges(): Promise<void> {
    await this.shown?.showChanges();
  }

  /** Brings a pick that has stepped aside back on screen. */
  comeBack(): void {
    this.shown?.comeBack();
  }
}

function setPlace(place: PickPlace | undefined): void {
  void vscode.commands.executeCommand('setContext', PICK, place);
}
