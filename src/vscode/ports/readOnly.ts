import * as vscode from 'vscode';

/**
 * Whether the person's settings make a document read-only in the editor: `files.readonlyInclude` without
 * `files.readonlyExclude`. VS Code lets extensions edit such a document, and then neither counts it as changed nor saves it.
 */
export function isReadOnly(document: vscode.TextDocument): boolean {
  if (document.uri.scheme !== 'file') return false;
  const files = vscode.workspace.getConfiguration('files', document);
  return (
    matches(document, files.get('readonlyInclude')) &&
    !matches(document, files.get('readonlyExclude'))
  );
}

function matches(document: vscode.TextDocument, globs: unknown): boolean {
  if (typeof globs !== 'object' || globs === null) return false;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  return Object.entries(globs).some(
    ([glob, on]) =>
      on === true &&
      [glob, ...(folder === undefined ? [] : [new vscode.RelativePattern(folder, glob)])].some(
        (pattern) => vscode.languages.match({ pattern }, document) > 0,
      ),
  );
}
