import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { Workspace } from '../../client/ports.ts';

/** The workspace of this window. Folders that are not on this disk (virtual ones) are not for agents. */
export class WindowWorkspace implements Workspace, vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly changed = this.owned.add(new Emitter<void>());

  readonly onDidChange = this.changed.event;

  constructor() {
    const fire = (): void => {
      this.changed.fire();
    };
    this.owned.add(vscode.workspace.onDidChangeWorkspaceFolders(fire));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(fire));
  }

  folders(): readonly string[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath);
  }

  virtualFolders(): readonly string[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme !== 'file')
      .map((folder) => folder.uri.path);
  }

  trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  dispose(): void {
    this.owned.dispose();
  }
}
