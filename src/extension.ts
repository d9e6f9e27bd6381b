import type * as vscode from 'vscode';
import { Shell } from './vscode/shell.ts';

/** VS Code gives `deactivate` no other way to find what `activate` made. */
let shell: Shell | undefined;

/** Tells VS Code what there is. The application itself is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): void {
  shell = new Shell(context, async () => {
    const { createApplication } = await import('./app.ts');
    return createApplication(context);
  });
}

/** Ends the agents and writes what is not yet written. VS Code waits a few seconds for this. */
export async function deactivate(): Promise<void> {
  const last = shell;
  shell = undefined;
  await last?.close();
}
