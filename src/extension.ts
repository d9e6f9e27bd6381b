import type * as vscode from 'vscode';

/** Composition root: the only file that knows every part, and the only place where parts are created. */
export function activate(_context: vscode.ExtensionContext): void {
  // Parts are wired here as they come.
}
