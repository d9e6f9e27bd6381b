import * as vscode from 'vscode';
import type { LaunchConsent, LaunchQuestion } from '../../client/ports.ts';
import { escapeLine, escapeLines } from './plainText.ts';

/** Nobody reads a command line in this many milliseconds: a faster answer was a key meant for elsewhere. */
const READING = 1000;

/** Asks with a modal dialog: a repository wants to start a program, so nothing else can be done by accident. */
export class ModalLaunchConsent implements LaunchConsent {
  async agree(question: LaunchQuestion): Promise<boolean> {
    for (;;) {
      const asked = Date.now();
      const agreed = await ask(question);
      if (!agreed || Date.now() - asked >= READING) return agreed;
    }
  }
}

async function ask(question: LaunchQuestion): Promise<boolean> {
  const start = vscode.l10n.t('Start');
  const environment =
    question.envNames.length === 0
      ? vscode.l10n.t('nothing')
      : question.envNames.map(escapeLine).join(', ');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'This workspace wants to start the agent “{0}”. Start it only if you trust this command.',
      escapeLine(question.agentId),
    ),
    {
      modal: true,
      detail: [
        escapeLines(question.commandLine),
        '',
        vscode.l10n.t('Folder: {0}', escapeLine(question.cwd)),
        vscode.l10n.t('Sets in its environment: {0}', environment),
      ].join('\n'),
    },
    start,
  );
  return chosen === start;
}
