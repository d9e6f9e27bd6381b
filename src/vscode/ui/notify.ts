import * as vscode from 'vscode';
import { Cancelled, UserError, type ErrorAction } from '../../base/errors.ts';
import type { Log } from '../../client/ports.ts';
import { escapeNotice } from '../ports/plainText.ts';

/** Opens the settings editor on what Parley contributes. */
export async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:parley.parley');
}

/** The one place that shows errors: every command, intent and button goes through it. */
export class Notify {
  constructor(private readonly log: Log) {}

  /** Runs something that the person asked for; what goes wrong is shown, nothing is thrown. */
  async run(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.error(error);
    }
  }

  /** Shows a `UserError` in its own words; anything else is a fault of ours, for the log. */
  error(error: unknown): void {
    if (error instanceof Cancelled) return;
    if (error instanceof UserError) {
      this.log.warn(error.message);
      void this.show(error.message, error.actions);
      return;
    }
    this.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    void this.show(vscode.l10n.t('Something went wrong in Parley. The log says more.'), [
      'showLog',
    ]);
  }

  private async show(message: string, actions: readonly ErrorAction[]): Promise<void> {
    const buttons = actions.map((action) => ({ title: label(action), action }));
    const chosen = await vscode.window.showErrorMessage(escapeNotice(message), ...buttons);
    if (chosen !== undefined) await this.run(() => act(chosen.action));
  }
}

function label(action: ErrorAction): string {
  switch (action) {
    case 'restartAgent':
      return vscode.l10n.t('Restart');
    case 'showLog':
      return vscode.l10n.t('Show Log');
    case 'openSettings':
      return vscode.l10n.t('Open Settings');
    case 'selectAgent':
      return vscode.l10n.t('Select Agent');
  }
}

async function act(action: ErrorAction): Promise<void> {
  if (action === 'openSettings') await openSettings();
  else await vscode.commands.executeCommand(`parley.${action}`);
}
