import * as vscode from 'vscode';
import { softlyEqual } from '../../client/files/lines.ts';

/** How long a clean document may take to show what is on the disk, in milliseconds. */
const LIMIT = 2000;
/** How long VS Code's file watchers are waited for, in milliseconds. */
const WATCHERS = 400;

/**
 * Waits, in bounded time, until a clean document shows `text`, which is on the disk under it. VS Code takes up changes on
 * its own, by one step that can be undone, where it watches files; it does not watch those outside of the workspace whose
 * tab is hidden.
 * @returns Whether the document shows it; line ends count as equal.
 */
export async function showsText(document: vscode.TextDocument, text: string): Promise<boolean> {
  if (await changesTo(document, text, WATCHERS)) return true;
  if (document.isDirty || document.isClosed) return false;
  await readAgain(document).catch(() => undefined);
  return changesTo(document, text, LIMIT - WATCHERS);
}

/**
 * Lets VS Code read a clean document from the disk now. There is no call for that; but to open a document in another
 * encoding reads it, and a byte-order mark makes no other text of UTF-8. Others wait for VS Code.
 */
async function readAgain(document: vscode.TextDocument): Promise<void> {
  const { uri, encoding } = document;
  if (encoding !== 'utf8' && encoding !== 'utf8bom') return;
  const other = encoding === 'utf8' ? 'utf8bom' : 'utf8';
  await vscode.workspace.openTextDocument(uri, { encoding: other });
  await vscode.workspace.openTextDocument(uri, { encoding });
}

/** Resolves early where it cannot happen any more: the document is dirty or closed. */
async function changesTo(
  document: vscode.TextDocument,
  text: string,
  limit: number,
): Promise<boolean> {
  const shows = (): boolean => !document.isDirty && softlyEqual(document.getText(), text);
  if (shows()) return true;
  if (document.isDirty || document.isClosed) return false;
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
      resolve(shows());
    };
    const timer = setTimeout(end, limit);
    const listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && (shows() || document.isDirty)) end();
      }),
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (closed === document) end();
      }),
    ];
  });
}
