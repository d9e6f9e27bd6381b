import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { AgentCatalog } from '../../client/agents/catalog.ts';
import { escapeNotice } from '../ports/plainText.ts';
import { runCheck } from './checkAgentProcess.ts';
import { pickAgent } from './chatPicks.ts';
import type { DiffView } from './diffView.ts';

/** What the turns of a check are made with if the person names nothing else: it makes most agents ask for permission. */
const PROMPT = 'Create a file named hello.txt with one line in it.';

/**
 * Checks an agent against the protocol and opens the report.
 *
 * @param current The agent that is marked in the list.
 * @param named Asks which agent if it is not given.
 */
export async function checkAgent(
  catalog: AgentCatalog,
  editors: DiffView,
  current: string,
  named?: string,
): Promise<void> {
  const id = named ?? (await pickAgent(catalog.choices(), current));
  if (id === undefined) return;
  const prompt = await askForPrompt();
  if (prompt === undefined) return;
  const launch = await catalog.allowed(id);
  // The program that checks is the bundled agent's.
  const checker = catalog.resolve('reference');
  const name = catalog.nameOf(id);
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: escapeNotice(vscode.l10n.t('Checking {0}', name)),
      cancellable: true,
    },
    (progress, token) =>
      runCheck({ checker, launch, prompt }, token, ({ number, of, title }) => {
        progress.report({ message: title, increment: number === 1 ? 0 : 100 / of });
      }),
  );
  if (outcome.kind === 'cancelled') return;
  if (outcome.kind === 'failed') {
    throw new UserError(vscode.l10n.t('{0} could not be checked. {1}', name, outcome.reason), [
      'openSettings',
      'showLog',
    ]);
  }
  const title = vscode.l10n.t('Check of {0}', name.replaceAll(/[/\\]/g, '-'));
  await editors.showText(`${title}.md`, outcome.report);
  await vscode.commands.executeCommand('markdown.showPreviewToSide');
}

/** @returns The prompt for turns, empty for none; `undefined` if the person wants no check. */
async function askForPrompt(): Promise<string | undefined> {
  const without = {
    label: vscode.l10n.t('Without Prompts'),
    detail: vscode.l10n.t('Free: nothing is sent to a model.'),
  };
  const withPrompts = {
    label: vscode.l10n.t('With Prompts'),
    detail: vscode.l10n.t(
      'Up to seven turns in an empty folder, which may cost money. What the agent asks permission for is allowed.',
    ),
  };
  const chosen = await vscode.window.showQuickPick([without, withPrompts], {
    title: vscode.l10n.t('What to check'),
  });
  if (chosen === undefined) return undefined;
  if (chosen === without) return '';
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Prompt for the turns'),
    prompt: vscode.l10n.t('One that makes the agent ask for permission shows the most.'),
    value: PROMPT,
  });
}
