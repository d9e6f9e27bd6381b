import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import type { WriteConflict } from '../../client/ports.ts';
import { cut, escapeNotice } from './plainText.ts';

const MARKER = /^(<{7}|>{7}) /m;
const NAME_LENGTH = 80;

/**
 * An editor with both texts and conflict markers, in which VS Code offers its own actions for conflicts. It is a file, so
 * that closing it unsaved asks, as with any file. Saving it is the answer.
 */
export class MergeEditor implements vscode.Disposable {
  private readonly owned = new Disposables();

  private constructor(private readonly document: vscode.TextDocument) {}

  /** @param folder An empty one. */
  static async open(folder: string, conflict: WriteConflict): Promise<MergeEditor> {
    const file = path.join(folder, path.basename(conflict.path));
    await fs.writeFile(file, conflict.marked, { mode: 0o600 });
    const document = await vscode.workspace.openTextDocument(file, { encoding: 'utf8' });
    await vscode.window.showTextDocument(document, { preview: false });
    return new MergeEditor(document);
  }

  /** The text that the person wants; `undefined` if the editor was closed or the person gave up. */
  async merged(): Promise<string | undefined> {
    for (;;) {
      const text = await this.used();
      if (text === undefined || !MARKER.test(text) || (await this.agreesToMarkers())) {
        if (text !== undefined) await this.close();
        return text;
      }
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  private used(): Promise<string | undefined> {
    const { document, owned } = this;
    return new Promise((resolve) => {
      const saved = (): void => {
        resolve(document.getText());
      };
      owned.add(
        vscode.workspace.onDidSaveTextDocument((other) => {
          if (other === document) saved();
        }),
      );
      owned.add(
        vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
          if (closed.some((tab) => this.isMine(tab)) && !this.isShown()) resolve(undefined);
        }),
      );
      if (!this.isShown()) resolve(undefined);
      void this.offer().then(async (choice) => {
        if (
          choice === 'use' &&
          !document.isClosed &&
          (!document.isDirty || (await document.save()))
        ) {
          saved();
        }
        if (choice === 'keep') resolve(undefined);
      });
    });
  }

  /** Putting the message away is no answer: the editor is still there. */
  private async offer(): Promise<'use' | 'keep' | undefined> {
    const use = vscode.l10n.t('Use This Text');
    const keep = vscode.l10n.t('Keep Mine');
    const name = cut(escapeNotice(path.basename(this.document.fileName)), NAME_LENGTH);
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t('Merge {0} in the editor. Save it to use the text.', name),
      use,
      keep,
    );
    if (chosen === use) return 'use';
    return chosen === keep ? 'keep' : undefined;
  }

  private async agreesToMarkers(): Promise<boolean> {
    const anyway = vscode.l10n.t('Use Anyway');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t('There are still conflict markers in the merged text.'),
      anyway,
      vscode.l10n.t('Go On Merging'),
    );
    return chosen === anyway;
  }

  private isShown(): boolean {
    return this.tabs().length > 0;
  }

  private tabs(): readonly vscode.Tab[] {
    return vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.filter((tab) => this.isMine(tab)),
    );
  }

  private isMine({ input }: vscode.Tab): boolean {
    return (
      input instanceof vscode.TabInputText && input.uri.toString() === this.document.uri.toString()
    );
  }

  private async close(): Promise<void> {
    if (!this.document.isDirty) await vscode.window.tabGroups.close(this.tabs(), true);
  }
}
