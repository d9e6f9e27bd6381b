import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { turnAt } from '../../bridge/patch.ts';
import type { Chat } from '../../client/session/chat.ts';
import { plainText } from '../../thread/screen.ts';
import type { DiffView } from './diffView.ts';

/** Characters that are shown in an editor: VS Code opens no document of more than 50 MiB for extensions. */
const SHOWN = 20_000_000;

/** Shows all that is known of what a command printed, in a read-only editor. */
export async function openTerminalOutput(
  chat: Chat,
  terminalId: string,
  editors: DiffView,
): Promise<void> {
  const terminal = Object.hasOwn(chat.thread.terminals, terminalId)
    ? chat.thread.terminals[terminalId]
    : undefined;
  if (terminal === undefined) throw gone();
  await show(chat.requests.fullOutput(terminalId) ?? terminal.output, editors);
}

/** Shows what a command of the agent's own printed, in a read-only editor. */
export async function openOutput(
  chat: Chat,
  place: { readonly turn: number; readonly entry: number },
  editors: DiffView,
): Promise<void> {
  const entry = turnAt(chat.thread, place.turn)?.entries[place.entry];
  if (entry?.kind !== 'tool' || entry.output === '') throw gone();
  await show(entry.output, editors);
}

async function show(output: string, editors: DiffView): Promise<void> {
  const text = plainText(output);
  const left = text.length - SHOWN;
  const shown =
    left <= 0
      ? text
      : `${vscode.l10n.t('({0} characters before this are left out.)', left)}\n${text.slice(left)}`;
  await editors.showText(`${vscode.l10n.t('Command output')}.log`, shown);
}

function gone(): UserError {
  return new UserError(vscode.l10n.t('This output is gone.'));
}
