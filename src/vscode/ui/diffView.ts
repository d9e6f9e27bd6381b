import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { DiffContent } from '../../thread/thread.ts';

const SCHEME = 'parley-diff';

/** Milliseconds in which VS Code replaces one preview by another. */
const REPLACE = 250;

/**
 * Read-only documents of what agents propose, and the editors that show them. Their texts are kept as long as VS Code
 * has the document open.
 */
export class DiffView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly texts = new Map<string, string>();
  private readonly closed = this.owned.add(new Emitter<void>());
  private count = 0;
  private looking: NodeJS.Timeout | undefined;

  /** The last of these editors was closed. */
  readonly onDidClose = this.closed.event;

  constructor() {
    this.owned.add(vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.owned.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.texts.delete(document.uri.toString());
      }),
    );
    this.owned.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(isOurs)) this.lookAtTabs();
      }),
    );
    this.owned.add({
      dispose: () => {
        clearTimeout(this.looking);
      },
    });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.texts.get(uri.toString()) ??
      vscode.l10n.t(
        'This preview belongs to a window that was closed. Open it again from the chat.',
      )
    );
  }

  /**
   * Opens the native diff editor; several diffs open as one editor with all of them.
   * @param made The changes were made, not only proposed.
   */
  async showDiffs(diffs: readonly DiffContent[], made = false): Promise<void> {
    const [first, ...others] = diffs;
    if (first === undefined) return;
    if (others.length === 0) {
      const { before, after } = this.sides(first);
      const name = path.basename(first.path);
      const title = made
        ? vscode.l10n.t('{0} (changed by the agent)', name)
        : vscode.l10n.t('{0} (proposed by the agent)', name);
      await vscode.commands.executeCommand('vscode.diff', before, after, title, {
        preview: true,
      } satisfies vscode.TextDocumentShowOptions);
      return;
    }
    const resources = diffs.map((diff) => {
      const { before, after } = this.sides(diff);
      return [vscode.Uri.file(diff.path), before, after];
    });
    const title = vscode.l10n.t('{0} files (proposed by the agent)', diffs.length);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /** Opens a text in a read-only editor of that name. */
  async showText(name: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.document(name, text));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.owned.dispose();
    this.texts.clear();
  }

  /** A preview that replaces another one closes that first: what counts is what is there a moment later. */
  private lookAtTabs(): void {
    clearTimeout(this.looking);
    this.looking = setTimeout(() => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      if (!tabs.some(isOurs)) this.closed.fire();
    }, REPLACE);
  }

  private sides(diff: DiffContent): { before: vscode.Uri; after: vscode.Uri } {
    const name = path.basename(diff.path);
    return {
      before: this.document(name, diff.oldText ?? ''),
      after: this.document(name, diff.newText),
    };
  }

  /** The name's extension tells VS Code the language. */
  private document(name: string, text: string): vscode.Uri {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.count}/${name}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}

function isOurs({ input }: vscode.Tab): boolean {
  if (input instanceof vscode.TabInputText) return input.uri.scheme === SCHEME;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === SCHEME;
}
