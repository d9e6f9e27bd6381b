import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  AgentFiles,
  closeAll,
  isFault,
  opened,
  tabLabels,
  typed,
  undone,
  withSettings,
  workspaceFolder,
} from './editor.ts';
import { until } from './extension.ts';

/** A language that only this formatter knows, so that VS Code asks nobody which one to take. */
const ENDING = '.ini';
const FORMATTED = '# formatted\n';

/** All that VS Code does to a text when it is saved. */
const MANGLING = {
  'editor.formatOnSave': true,
  'editor.formatOnSaveMode': 'file',
  'files.trimTrailingWhitespace': true,
  'files.insertFinalNewline': true,
  'files.trimFinalNewlines': true,
};

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
/** Each of the actions would change it. */
const AFTER = 'ONE   \ntwo\nthree\nfour\nFIVE\n\n\n\nsix';

const PLACES = ['active', 'in a hidden tab', 'in an editor beside', 'without a tab'] as const;

describe('what an agent writes into a document', () => {
  const agent = new AgentFiles();
  let outside = '';
  let inside = '';
  let count = 0;
  let formatter: vscode.Disposable;

  const fileIn = (folder: string, text: string): string => {
    count += 1;
    const file = path.join(folder, `saving-${count}${ENDING}`);
    fs.writeFileSync(file, text);
    return file;
  };

  const shown = async (
    file: string,
    where: (typeof PLACES)[number],
  ): Promise<vscode.TextDocument> => {
    const other = fileIn(path.dirname(file), 'other\n');
    switch (where) {
      case 'active':
        return opened(file);
      case 'in a hidden tab': {
        const document = await opened(file);
        await opened(other);
        return document;
      }
      case 'in an editor beside': {
        const document = await opened(file, { viewColumn: vscode.ViewColumn.One });
        await opened(other, { viewColumn: vscode.ViewColumn.Two });
        return document;
      }
      case 'without a tab':
        return vscode.workspace.openTextDocument(file);
    }
  };

  before(() => {
    outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-saving-')));
    inside = path.join(workspaceFolder(), 'saving');
    fs.mkdirSync(inside);
    formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: `**/saving-*${ENDING}` },
      {
        provideDocumentFormattingEdits: (document) =>
          document.getText().startsWith(FORMATTED)
            ? []
            : [vscode.TextEdit.insert(new vscode.Position(0, 0), FORMATTED)],
      },
    );
  });

  afterEach(closeAll);

  after(() => {
    formatter.dispose();
    fs.rmSync(outside, { recursive: true, force: true });
    fs.rmSync(inside, { recursive: true, force: true });
  });

  it('is changed by format on save and the like where the person saves', async () => {
    const document = await shown(fileIn(inside, BEFORE), 'active');
    await withSettings(MANGLING, async () => {
      await typed(document, 'typed   \n');
      assert.ok(await document.save());
    });
    assert.equal(document.getText(), `${FORMATTED}typed\n${BEFORE}`);
  });

  for (const [settings, names] of [
    [{}, 'no save actions'],
    [MANGLING, 'format on save and the like'],
  ] as const) {
    for (const home of ['in the workspace', 'outside of it']) {
      for (const where of PLACES) {
        it(`is saved as it is, with one undo back and no tab: ${names}, ${home}, ${where}`, async () => {
          const file = fileIn(home === 'in the workspace' ? inside : outside, BEFORE);
          const document = await shown(file, where);
          const tabs = tabLabels();
          await withSettings(settings, async () => {
            assert.equal(await agent.write(file, AFTER), AFTER);
            assert.equal(document.getText(), AFTER);
            assert.equal(fs.readFileSync(file, 'utf8'), AFTER);
            assert.equal(document.isDirty, false);
            assert.deepEqual(tabLabels(), tabs);
          });
          assert.equal(await undone(document), BEFORE);
          // A conflict would keep it from being saved.
          assert.ok(await document.save());
          assert.equal(fs.readFileSync(file, 'utf8'), BEFORE);
        });
      }
    }
  }

  it('runs through format on save and the like where the settings say so', async () => {
    agent.runSaveActions = true;
    try {
      for (const where of PLACES) {
        const file = fileIn(inside, BEFORE);
        await shown(file, where);
        await withSettings(MANGLING, () => agent.write(file, AFTER));
        const saved = `${FORMATTED}ONE\ntwo\nthree\nfour\nFIVE\n\n\n\nsix\n`;
        assert.equal(fs.readFileSync(file, 'utf8'), saved, where);
      }
    } finally {
      agent.runSaveActions = false;
    }
  });

  for (const where of ['active', 'in a hidden tab'] as const) {
    it(`keeps, by one undo, what the person had typed: ${where}`, async () => {
      const file = fileIn(inside, BEFORE);
      const document = await shown(file, where);
      await typed(document, 'typed\n');
      await withSettings({ 'files.trimTrailingWhitespace': true }, async () => {
        await agent.read(file);
        await agent.write(file, `typed\n${AFTER}`);
      });
      assert.equal(fs.readFileSync(file, 'utf8'), `typed\n${AFTER}`);
      assert.equal(document.isDirty, false);
      assert.equal(await undone(document), `typed\n${BEFORE}`);
    });
  }

  it('is saved as it is with an auto save that is very fast', async () => {
    await withSettings(
      { ...MANGLING, 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 1 },
      async () => {
        for (const where of PLACES) {
          const file = fileIn(inside, BEFORE);
          const document = await shown(file, where);
          await agent.write(file, AFTER);
          assert.equal(fs.readFileSync(file, 'utf8'), AFTER, where);
          assert.equal(document.getText(), AFTER, where);
          assert.equal(document.isDirty, false, where);
        }
      },
    );
  });

  it('is saved as it is though another extension changes what is saved', async () => {
    const file = fileIn(inside, BEFORE);
    const document = await shown(file, 'in a hidden tab');
    const meddler = vscode.workspace.onWillSaveTextDocument((event) => {
      event.waitUntil(
        Promise.resolve([vscode.TextEdit.insert(new vscode.Position(0, 0), 'meddled\n')]),
      );
    });
    try {
      await agent.write(file, AFTER);
      assert.equal(fs.readFileSync(file, 'utf8'), AFTER);
      assert.equal(document.getText(), AFTER);
      assert.equal(document.isDirty, false);
    } finally {
      meddler.dispose();
    }
  });

  it('is never unsaved where there is no tab: VS Code could open one at that moment', async () => {
    const file = fileIn(inside, BEFORE);
    const document = await vscode.workspace.openTextDocument(file);
    const dirty: boolean[] = [];
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) dirty.push(document.isDirty);
    });
    try {
      await agent.write(file, AFTER);
      assert.equal(document.getText(), AFTER);
      assert.ok(dirty.length > 0 && !dirty.includes(true), dirty.join());
    } finally {
      listener.dispose();
    }
  });

  for (const where of ['active', 'in an editor beside'] as const) {
    it(`leaves the selection on its text: ${where}`, async () => {
      const lines = Array.from({ length: 60 }, (_, index) =>
        index % 10 === 0 ? `[part ${index}]` : `  line ${index}`,
      );
      const file = fileIn(inside, lines.join('\n'));
      const document = await shown(file, where);
      const editor = vscode.window.visibleTextEditors.find((each) => each.document === document);
      assert.ok(editor);
      editor.selection = new vscode.Selection(31, 2, 32, 4);
      const selected = document.getText(editor.selection);
      const changed = lines.map((line, index) => (index === 1 || index === 58 ? 'new' : line));
      await agent.write(file, ['above', ...changed].join('\n'));
      assert.equal(document.getText(editor.selection), selected);
      assert.equal(editor.selection.start.line, 32);
    });
  }

  it('does not reach a document that is read-only in the editor, and the agent hears why', async () => {
    for (const pattern of ['**/saving-*', 'saving/*']) {
      for (const settings of [{}, MANGLING]) {
        const file = fileIn(inside, BEFORE);
        const document = await shown(file, 'in a hidden tab');
        await withSettings(
          { ...settings, 'files.readonlyInclude': { [pattern]: true } },
          async () => {
            await assert.rejects(agent.write(file, AFTER), isFault('refused', /read-only/, file));
          },
        );
        assert.equal(document.getText(), BEFORE);
        assert.equal(document.isDirty, false);
        assert.equal(fs.readFileSync(file, 'utf8'), BEFORE);
      }
    }
  });

  it('does not reach a document that the person has made read-only for now', async () => {
    const file = fileIn(inside, BEFORE);
    const document = await shown(file, 'active');
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    try {
      await assert.rejects(agent.write(file, AFTER), isFault('refused', /read-only/, file));
      assert.equal(document.getText(), BEFORE);
      assert.equal(document.isDirty, false);
      assert.equal(fs.readFileSync(file, 'utf8'), BEFORE);
    } finally {
      await vscode.commands.executeCommand(
        'workbench.action.files.resetActiveEditorReadonlyInSession',
      );
    }
  });

  it('stays in the editor when its folder is gone, and the agent hears why', async () => {
    const folder = path.join(outside, 'gone');
    fs.mkdirSync(folder);
    const file = fileIn(folder, BEFORE);
    const document = await shown(file, 'active');
    await typed(document, 'typed\n');
    fs.rmSync(folder, { recursive: true });
    fs.writeFileSync(folder, 'a file now');
    await assert.rejects(agent.write(file, `typed\n${AFTER}`));
    assert.match(document.getText(), /^typed\n/);
    assert.equal(document.isDirty, true);
  });

  it('makes the file of a new document that has a path, as it is', async () => {
    for (const settings of [{}, MANGLING]) {
      count += 1;
      const file = path.join(inside, `saving-new-${count}${ENDING}`);
      const uri = vscode.Uri.file(file).with({ scheme: 'untitled' });
      const document = await vscode.workspace.openTextDocument(uri);
      await typed(document, 'typed\n');
      assert.equal(await agent.read(file), 'typed\n');
      const labels = tabLabels();
      await withSettings(settings, () => agent.write(file, `typed\n${AFTER}`));
      assert.equal(fs.readFileSync(file, 'utf8'), `typed\n${AFTER}`);
      assert.ok(tabLabels().length <= Math.max(1, labels.length), tabLabels().join());
      await until('no unsaved document', () =>
        vscode.workspace.textDocuments.some((each) => each.isDirty) ? undefined : true,
      );
    }
  });
});
