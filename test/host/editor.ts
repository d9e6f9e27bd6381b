import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { platformOf } from '../../src/client/files/paths.ts';
import type { Place } from '../../src/client/files/place.ts';
import { KnownTexts } from '../../src/client/files/knownTexts.ts';
import { TextFiles } from '../../src/client/files/textFiles.ts';
import { FileFault, type ConflictAnswer, type WriteConflict } from '../../src/client/ports.ts';
import { EditorDocuments } from '../../src/vscode/ports/documents.ts';
import { EditorCodec } from '../../src/vscode/ports/textCodec.ts';
import { EditorVirtualFiles } from '../../src/vscode/ports/virtualFiles.ts';
import { RecordingLog } from '../fakes/recordingLog.ts';
import { until } from './extension.ts';

export const { signal } = new AbortController();

/** What an agent has of this VS Code's files; a conflict is answered by `answer`. */
export class AgentFiles {
  readonly log = new RecordingLog();
  readonly documents = new EditorDocuments({
    platform: platformOf(process.platform),
    log: this.log,
  });
  readonly codec = new EditorCodec();
  runSaveActions = false;
  answer: (conflict: WriteConflict) => Promise<ConflictAnswer> = () =>
    Promise.resolve({ kind: 'mine' });
  private known = new KnownTexts();
  private readonly files = new TextFiles({
    documents: this.documents,
    codec: this.codec,
    virtual: new EditorVirtualFiles(),
    conflicts: { resolve: (conflict) => this.answer(conflict) },
    settings: { maxReadBytes: () => 1 << 24, runSaveActions: () => this.runSaveActions },
    log: this.log,
  });

  read(
    file: string,
    range: { readonly line: number | null; readonly limit: number | null } = WHOLE,
    abort = signal,
  ): Promise<string> {
    return this.files.read(placeOf(file), range, this.known, abort);
  }

  async write(file: string, content: string, abort = signal): Promise<string> {
    const writer = { agentName: 'Test agent', known: this.known };
    return (await this.files.write(placeOf(file), content, writer, abort)).after;
  }

  /** As another agent, which knows nothing. */
  forget(): void {
    this.known = new KnownTexts();
  }
}

const WHOLE = { line: null, limit: null };

/** The path with every link followed, as far as it exists. */
function placeOf(file: string): Place {
  const missing: string[] = [];
  let folder = file;
  while (!fs.existsSync(folder)) {
    missing.unshift(path.basename(folder));
    folder = path.dirname(folder);
  }
  return { kind: 'disk', path: file, real: path.join(fs.realpathSync(folder), ...missing) };
}

/** The first workspace folder on the disk. */
export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  assert.ok(folder, 'No folder is open.');
  return folder.uri.fsPath;
}

export async function opened(
  file: string,
  options: vscode.TextDocumentShowOptions = {},
): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document, { preview: false, ...options });
  return document;
}

/** As typing at the beginning does: one undo step, nothing saved. */
export async function typed(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.equal(document.isDirty, true);
}

export async function undone(document: vscode.TextDocument): Promise<string> {
  await vscode.window.showTextDocument(document, { preview: false });
  const { version } = document;
  await vscode.commands.executeCommand('undo');
  await until('an undo', () => document.version !== version || undefined);
  return document.getText();
}

export function tabLabels(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
}

/** Closes all editors; what is typed and not saved is given up. */
export async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.isClosed) continue;
    await vscode.window.showTextDocument(document, { preview: false });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** User settings for as long as `work` runs. */
export async function withSettings<T>(
  settings: Readonly<Record<string, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  const set = async (name: string, value: unknown): Promise<void> => {
    const all = vscode.workspace.getConfiguration();
    await all.update(name, value, vscode.ConfigurationTarget.Global);
  };
  const old = Object.keys(settings).map(
    (name) => [name, vscode.workspace.getConfiguration().inspect(name)?.globalValue] as const,
  );
  for (const [name, value] of Object.entries(settings)) await set(name, value);
  try {
    return await work();
  } finally {
    for (const [name, value] of old) await set(name, value);
  }
}

/** For `assert.rejects`. */
export function isFault(kind: FileFault['kind'], sentence: RegExp, file: string) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof FileFault, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, sentence);
    assert.ok(error.message.includes(file), error.message);
    return true;
  };
}
