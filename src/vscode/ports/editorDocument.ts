import fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { faultOf } from '../../client/files/faults.ts';
import { softlyEqual } from '../../client/files/lines.ts';
import {
  FileFault,
  type Log,
  type OpenDocument,
  type TextCodec,
  type TextEdit,
} from '../../client/ports.ts';
import { writeUnder } from './documentUnder.ts';
import { isReadOnly } from './readOnly.ts';
import { changesOnSave, savesAtOnce } from './saveActions.ts';
import { savedFile } from './savedFile.ts';
import { isLossy } from './textCodec.ts';

export interface DocumentParts {
  readonly codec: TextCodec;
  readonly log: Log;
}

/** Edits that are made when the document is saved. */
interface Waiting {
  readonly edits: readonly TextEdit[];
  readonly before: string;
  readonly after: string;
  readonly version: number;
}

/**
 * A document, and the way to save it as it is. VS Code leaves out format on save and the like only where it saves the
 * active editor's document. Where the person's settings have such actions and the document is not the active editor's,
 * nothing is edited: what is to be saved is written under the clean document, which then takes it up, in one step that can
 * be undone. If it has unsaved text, that is saved first, as the person's settings say, so that undo leads back to it. It
 * is the same with a clean document that has no tab: VS Code opens one if it is unsaved for a moment too long.
 */
export class EditorDocument implements OpenDocument {
  private waiting: Waiting | undefined;

  constructor(
    private readonly document: vscode.TextDocument,
    private readonly parts: DocumentParts,
  ) {}

  get path(): string {
    return this.document.uri.fsPath;
  }

  get isUntitled(): boolean {
    return this.document.isUntitled;
  }

  get isDirty(): boolean {
    return this.document.isDirty || this.current() !== undefined;
  }

  get encoding(): string {
    return this.document.encoding;
  }

  text(): string {
    return this.current()?.after ?? this.document.getText();
  }

  async edit(before: string, edits: readonly TextEdit[]): Promise<boolean> {
    const { document } = this;
    if (isReadOnly(document)) throw this.readOnly();
    await this.refuseLossy();
    if (document.isClosed || this.text() !== before) return false;
    if (this.current() !== undefined) await this.applyWaiting();
    if (!this.mustWait()) return this.apply(before, edits);
    const after = edited(before, edits);
    this.waiting = { edits, before, after, version: document.version };
    return true;
  }

  async save(actions: boolean): Promise<void> {
    const { waiting } = this;
    if (waiting !== undefined && this.current() === undefined) {
      this.waiting = undefined;
      throw new FileFault(
        'failed',
        `The person changed the document while it was to be written. Nothing was written; read it again: ${this.path}`,
      );
    }
    if (waiting === undefined) await this.saveDocument(actions);
    else if (actions) {
      await this.applyWaiting();
      await this.saveDocument(actions);
    } else {
      this.waiting = undefined;
      if (this.document.isDirty) await this.saveWithActions();
      await writeUnder(this.document, waiting.after, this.parts);
    }
  }

  /** What waits, as long as nothing else has changed the document. */
  private current(): Waiting | undefined {
    const { waiting, document } = this;
    return waiting?.version === document.version && !document.isClosed ? waiting : undefined;
  }

  /** Bytes that are none of the encoding are shown as U+FFFD, and saving writes that instead of them. */
  private async refuseLossy(): Promise<void> {
    const { document, path } = this;
    if (document.isUntitled || !document.getText().includes('\ufffd')) return;
    try {
      const { bytes } = await savedFile(path);
      const decoded = await this.parts.codec.decode(bytes, path);
      // Asks for the refusal, in its words.
      if (isLossy(decoded)) await this.parts.codec.encode('', path, decoded.encoding);
    } catch (error) {
      throw faultOf(error, path, 'written');
    }
  }

  private mustWait(): boolean {
    const { document } = this;
    if (document.isUntitled) return false;
    if (!document.isDirty && !hasTab(document)) return true;
    return changesOnSave(document) && (!isActive(document) || savesAtOnce(document));
  }

  private async applyWaiting(): Promise<void> {
    const waiting = this.current();
    this.waiting = undefined;
    if (waiting === undefined || (await this.apply(waiting.before, waiting.edits))) return;
    throw new FileFault(
      'failed',
      `The document was changed while it was to be written. Nothing was written; read it again: ${this.path}`,
    );
  }

  private async apply(before: string, edits: readonly TextEdit[]): Promise<boolean> {
    const { document } = this;
    const applied = await this.replace(edits);
    // An editor that takes no edits says nothing of it.
    if (applied && document.getText() === before) throw this.readOnly();
    if (applied && (document.isDirty || (await this.isOnDisk()))) return true;
    const after = edited(before, edits);
    if (!applied && (document.isClosed || document.getText() !== before)) return false;
    if (applied && document.getText() === after) await this.takeBack(before);
    throw this.readOnly();
  }

  /**
   * Makes the edits at the offsets of the text that the document has now. Where an editor shows the document, through it:
   * VS Code then compares versions in the very step that makes the edits. A workspace edit is compared, prepared and only
   * then made, and what a person types in between moves its offsets. Nobody types where no editor is.
   */
  private async replace(edits: readonly TextEdit[]): Promise<boolean> {
    const { document } = this;
    const ranges = edits.map(({ start, end, text }) => ({
      range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
      text,
    }));
    const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
    if (editor !== undefined) {
      return editor.edit((change) => {
        for (const { range, text } of ranges) change.replace(range, text);
      });
    }
    const change = new vscode.WorkspaceEdit();
    for (const { range, text } of ranges) change.replace(document.uri, range, text);
    return vscode.workspace.applyEdit(change);
  }

  /** A document that the person has made read-only is changed all the same, but never counts as changed. */
  private async takeBack(before: string): Promise<void> {
    const { document } = this;
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), before);
    await vscode.workspace.applyEdit(change);
  }

  /** Whether the disk has the document's text, as after an auto save. */
  private async isOnDisk(): Promise<boolean> {
    if (this.document.isUntitled) return true;
    try {
      const { bytes } = await savedFile(this.path);
      const { text } = await this.parts.codec.decode(bytes, this.path);
      return softlyEqual(text, this.document.getText());
    } catch {
      return false;
    }
  }

  private readOnly(): FileFault {
    return new FileFault(
      'refused',
      `The open document is read-only in the editor, so nothing was written: ${this.path}`,
    );
  }

  private async saveDocument(actions: boolean): Promise<void> {
    const { document } = this;
    if (actions) return this.saveWithActions();
    const wanted = document.getText();
    if (!document.isUntitled && document.isDirty && isActive(document)) {
      await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
      if (this.isDirty && document.getText() === wanted) throw await this.unsaved();
      return;
    }
    await this.saveWithActions();
    // An extension, or an action that comes with the first save of a new file, changed what nobody can have typed.
    const saved = document.isClosed ? await this.savedFile() : document;
    if (saved.isDirty || saved.getText() === wanted || isActive(saved)) return;
    await writeUnder(saved, wanted, this.parts);
  }

  private async saveWithActions(): Promise<void> {
    const { document } = this;
    if (!document.isDirty && !document.isUntitled) return;
    if (!(await document.save())) throw await this.unsaved();
  }

  /** The document of a new file's path, after the first save. */
  private async savedFile(): Promise<vscode.TextDocument> {
    return vscode.workspace.openTextDocument(vscode.Uri.file(this.path));
  }

  /** VS Code tells the person why a save failed, but not us. */
  private async unsaved(): Promise<FileFault> {
    const stays = 'It stays in the editor, unsaved';
    try {
      await fs.access(this.path, fs.constants.W_OK);
    } catch (error) {
      const reason = faultOf(error, this.path, 'written');
      const kind = reason instanceof FileFault ? reason.kind : 'failed';
      return new FileFault(kind, `${reason.message} (${stays}.)`);
    }
    return new FileFault(
      'failed',
      `The text could not be saved: the editor refused, for example because the file was changed on the disk. ${stays}: ${this.path}`,
    );
  }
}

/** Whether the commands for the active editor are about this document. */
function isActive(document: vscode.TextDocument): boolean {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return (
    vscode.window.activeTextEditor?.document === document &&
    input instanceof vscode.TabInputText &&
    input.uri.toString() === document.uri.toString()
  );
}

function hasTab(document: vscode.TextDocument): boolean {
  const uri = document.uri.toString();
  return vscode.window.tabGroups.all.some((group) =>
    group.tabs.some(({ input }) => {
      if (input instanceof vscode.TabInputText) return input.uri.toString() === uri;
      return input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri;
    }),
  );
}

function edited(before: string, edits: readonly TextEdit[]): string {
  let done = 0;
  const parts: string[] = [];
  for (const { start, end, text } of edits) {
    parts.push(before.slice(done, start), text);
    done = end;
  }
  return parts.join('') + before.slice(done);
}
