import * as vscode from 'vscode';
import type { UserShell } from '../../client/ports.ts';

/** The shell that VS Code's own terminals start. */
export class EditorShell implements UserShell {
  path(): string {
    return vscode.env.shell;
  }
}
