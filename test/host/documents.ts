import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { EditorDocuments } from '../../src/vscode/ports/documents.ts';
import { RecordingLog } from '../fakes/recordingLog.ts';
import { closeAll, opened, typed, undone, workspaceFolder } from './editor.ts';

const BEFORE = 'one\ntwo\nthree\n';

describe('documents', () => {
  const log = new RecordingLog();
  const documents = new EditorDocuments({ platform: 'posix', log });
  let folder = '';
  const inWorkspace: string[] = [];

  const onDisk = (name: string, text = BEFORE): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  };

  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-documents-')));
  });

  afterEach(closeAll);

  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
    for (const file of inWorkspace) fs.rmSync(file, { force: true });
  });

  it('are found by their path, with a tab or without', async () => {
    const file = onDisk('found.txt');
    assert.equal(documents.find(file), undefined);
    await vscode.workspace.openTextDocument(file);
    const document = documents.find(file);
    assert.equal(document?.path, file);
    assert.equal(document.text(), BEFORE);
    assert.equal(document.isDirty, false);
    assert.equal(document.isUntitled, false);
    assert.equal(document.encoding, 'utf8');
  });

  it('are found in another case where the platform does not tell case apart, and nowhere else', async () => {
    const file = onDisk('Case.txt');
    await vscode.workspace.openTextDocument(file);
    const other = file.toUpperCase();
    assert.equal(documents.find(other), undefined);
    for (const platform of ['win32', 'darwin'] as const) {
      assert.equal(new EditorDocuments({ platform, log }).find(other)?.path, file);
    }
  });

  it('are found in either form of Unicode where the platform does not tell them apart', async () => {
    const file = onDisk('gr\u00fcn.txt');
    await vscode.workspace.openTextDocument(file);
    const other = file.normalize('NFD');
    assert.equal(documents.find(other), undefined);
    assert.equal(new EditorDocuments({ platform: 'darwin', log }).find(other)?.path, file);
  });

  it('that are new and have a path are found by it', async () => {
    const file = path.join(folder, 'new.txt');
    const uri = vscode.Uri.file(file).with({ scheme: 'untitled' });
    await typed(await vscode.workspace.openTextDocument(uri), 'typed');
    const document = documents.find(file);
    assert.equal(document?.isUntitled, true);
    assert.equal(document.isDirty, true);
    assert.equal(document.text(), 'typed');
  });

  it('of another scheme are never the file of that path', async () => {
    const file = path.join(folder, 'shown.txt');
    const provider = vscode.workspace.registerTextDocumentContentProvider('parley-test', {
      provideTextDocumentContent: () => 'not the file',
    });
    try {
      const uri = vscode.Uri.file(file).with({ scheme: 'parley-test' });
      await vscode.workspace.openTextDocument(uri);
      assert.equal(documents.find(file), undefined);
    } finally {
      provider.dispose();
    }
  });

  it('take several edits as one undo step', async () => {
    const file = onDisk('edits.txt');
    const shown = await opened(file);
    const edits = [
      { start: 0, end: 3, text: 'ONE' },
      { start: 8, end: 8, text: 'and ' },
    ];
    assert.equal(await documents.find(file)?.edit(BEFORE, edits), true);
    assert.equal(shown.getText(), 'ONE\ntwo\nand three\n');
    assert.equal(shown.isDirty, true);
    assert.equal(await undone(shown), BEFORE);
  });

  it('take no edits that were made for another text', async () => {
    const file = onDisk('other.txt');
    const shown = await opened(file);
    const document = documents.find(file);
    await typed(shown, 'typed ');
    assert.equal(await document?.edit(BEFORE, [{ start: 0, end: 3, text: 'X' }]), false);
    assert.equal(shown.getText(), `typed ${BEFORE}`);
  });

  for (const home of ['in the workspace', 'outside of it, without a tab']) {
    it(`show what another program wrote when they were asked to: ${home}`, async () => {
      const file =
        home === 'in the workspace'
          ? path.join(workspaceFolder(), 'documents-refreshed.txt')
          : path.join(folder, 'refreshed.txt');
      if (home === 'in the workspace') inWorkspace.push(file);
      fs.writeFileSync(file, BEFORE);
      const shown = await vscode.workspace.openTextDocument(file);
      fs.writeFileSync(file, 'newer\n');
      await documents.refreshed(file, 'newer\n');
      assert.equal(shown.getText(), 'newer\n');
      assert.equal(shown.isDirty, false);
      assert.equal(shown.encoding, 'utf8');
    });
  }

  it('with unsaved text are left alone, at once', async () => {
    const file = onDisk('unsaved.txt');
    const shown = await opened(file);
    await typed(shown, 'typed ');
    fs.writeFileSync(file, 'newer\n');
    const start = performance.now();
    await documents.refreshed(file, 'newer\n');
    assert.ok(performance.now() - start < 1000);
    assert.equal(shown.getText(), `typed ${BEFORE}`);
  });

  it('that do not come to show a text are waited for in bounded time', async () => {
    const file = onDisk('never.txt');
    await opened(file);
    const start = performance.now();
    await documents.refreshed(file, 'never on the disk');
    assert.ok(performance.now() - start < 5000);
  });
});
