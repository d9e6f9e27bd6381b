import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { softlyEqual } from '../../src/client/files/lines.ts';
import { FileFault } from '../../src/client/ports.ts';
import { fileSequence } from '../fakes/fileSequences.ts';
import { playFileSequence, type FileStage, type StagedWrite } from '../fakes/playFileSequence.ts';
import { AgentFiles, closeAll, workspaceFolder } from './editor.ts';
import { until } from './extension.ts';
import { smallestReplacement } from './smallestReplacement.ts';

/** How many histories are played: `npm run soak` plays more. `PARLEY_SEEDS=84,144` plays these. */
const COUNT = Number(process.env['PARLEY_SOAK'] ?? '') || 25;
const SEEDS =
  process.env['PARLEY_SEEDS']?.split(',').map(Number) ??
  Array.from({ length: COUNT }, (_, index) => index + 1);

/** Milliseconds for one history: some thirty steps, each with a save that VS Code takes its time for. */
const LIMIT = 60_000;

describe('what a person, an agent and other programs write into one file, in a real editor', () => {
  for (const seed of SEEDS) {
    it(`is never lost without somebody's will: history ${seed}`, async function () {
      this.timeout(LIMIT);
      const sequence = fileSequence(seed);
      // Each has a file of its own: VS Code keeps documents for a while after their tabs are closed.
      const file = path.join(workspaceFolder(), `history-${seed}.txt`);
      try {
        const stage = new EditorStage(file, sequence.initial);
        assert.deepEqual(await playFileSequence(sequence, stage), []);
      } finally {
        await closeAll();
        fs.rmSync(file, { force: true });
      }
    });
  }
});

/** A file on the disk, its document in this VS Code, and an agent. */
class EditorStage implements FileStage {
  private readonly agent = new AgentFiles();

  constructor(
    private readonly file: string,
    initial: string,
  ) {
    fs.writeFileSync(file, initial);
  }

  async open(): Promise<void> {
    await this.show();
    await this.rest();
  }

  async close(): Promise<void> {
    await this.show();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  }

  document(): { readonly text: string; readonly isDirty: boolean } | null {
    const document = this.found();
    return document === undefined ? null : { text: document.getText(), isDirty: document.isDirty };
  }

  saved(): Promise<string> {
    return Promise.resolve(fs.readFileSync(this.file, 'utf8'));
  }

  async type(text: string): Promise<void> {
    const document = this.existing();
    const change = smallestReplacement(document.getText(), text);
    if (change === null) return;
    const at = document.positionAt(change.start);
    // An agent may have changed the document since it was looked at: a person then types at the same line.
    const isTaken = async (): Promise<boolean> => {
      const end = change.end === change.start ? at : document.positionAt(change.end);
      const range = document.validateRange(new vscode.Range(at, end));
      const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
      if (editor !== undefined) {
        return editor.edit((edit) => {
          edit.replace(range, change.text);
        });
      }
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, range, change.text);
      return vscode.workspace.applyEdit(edit);
    };
    await until('typing', async () => (await isTaken()) || undefined);
  }

  async undo(): Promise<void> {
    await this.command('undo');
  }

  async redo(): Promise<void> {
    await this.command('redo');
  }

  async save(): Promise<void> {
    await this.existing().save();
  }

  async revert(): Promise<void> {
    await this.command('workbench.action.files.revert');
  }

  async writeOutside(text: string): Promise<void> {
    fs.writeFileSync(this.file, text);
    await this.rest();
  }

  writeOutsideSoon(text: string): Promise<void> {
    fs.writeFileSync(this.file, text);
    return Promise.resolve();
  }

  agentRead(): Promise<string> {
    return this.agent.read(this.file);
  }

  async agentWrite(content: string, write: StagedWrite): Promise<boolean> {
    this.agent.answer = (conflict) => Promise.resolve(write.answer(conflict));
    const written = this.agent.write(this.file, content).then(
      () => true,
      (error: unknown) => {
        if (error instanceof FileFault) return false;
        throw error;
      },
    );
    // What another program does at the same moment cannot be told from what it did before or after: only the person acts.
    const typing =
      write.interruption?.by === 'person' && this.found() !== undefined
        ? write.interrupt()
        : Promise.resolve();
    const [isWritten] = await Promise.all([written, typing]);
    await this.rest();
    return isWritten;
  }

  private async command(name: string): Promise<void> {
    if (this.found() === undefined) return;
    await this.show();
    await vscode.commands.executeCommand(name);
  }

  private async show(): Promise<void> {
    await vscode.window.showTextDocument(vscode.Uri.file(this.file), { preview: false });
  }

  /** A clean document shows what is saved. */
  private async rest(): Promise<void> {
    await until('the document to show the saved text', () => {
      const document = this.found();
      const isAtRest =
        document === undefined ||
        document.isDirty ||
        softlyEqual(document.getText(), fs.readFileSync(this.file, 'utf8'));
      return isAtRest || undefined;
    });
  }

  private existing(): vscode.TextDocument {
    const document = this.found();
    assert.ok(document, 'No document is open.');
    return document;
  }

  private found(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) => uri.scheme === 'file' && uri.fsPath === this.file && !isClosed,
    );
  }
}
