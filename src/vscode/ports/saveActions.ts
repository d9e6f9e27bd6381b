import * as vscode from 'vscode';

/** A delay of auto save that leaves no time to save before it does, in milliseconds. */
const SOON = 500;

/**
 * Whether the person's settings let VS Code change this document's text when it is saved. Extensions that do so without a
 * setting of VS Code are not known here.
 */
export function changesOnSave(document: vscode.TextDocument): boolean {
  const files = vscode.workspace.getConfiguration('files', document);
  const editor = vscode.workspace.getConfiguration('editor', document);
  return (
    ['trimTrailingWhitespace', 'insertFinalNewline', 'trimFinalNewlines'].some(
      (name) => files.get(name) === true,
    ) ||
    editor.get('formatOnSave') === true ||
    namesActions(editor.get('codeActionsOnSave'))
  );
}

/** Whether auto save may be faster than a save of ours that follows an edit. */
export function savesAtOnce(document: vscode.TextDocument): boolean {
  const files = vscode.workspace.getConfiguration('files', document);
  const delay: unknown = files.get('autoSaveDelay');
  return files.get('autoSave') === 'afterDelay' && !(typeof delay === 'number' && delay >= SOON);
}

/** Either a list of kinds, or an object that says for each kind when. */
function namesActions(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((when) => when !== false && when !== 'never');
}
