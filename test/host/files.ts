import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileFault } from '../../src/client/ports.ts';
import { AgentFiles, signal } from './editor.ts';
import { until } from './extension.ts';

const WHOLE = { line: null, limit: null };
const UTF8_MARK = [0xef, 0xbb, 0xbf];

describe('files, as an agent reads and writes them', () => {
  const files = new AgentFiles();
  let folder = '';

  const read = (file: string, range: Parameters<AgentFiles['read']>[1] = WHOLE) =>
    files.read(file, range, signal);
  const write = (file: string, text: string) => files.write(file, text, signal);

  const onDisk = (name: string, content: string | Uint8Array): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, content);
    return file;
  };

  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-files-')));
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('are read from the disk when no editor has them', async () => {
    const file = onDisk('plain.txt', 'one\ntwo\n');
    assert.equal(await read(file), 'one\ntwo\n');
    fs.writeFileSync(file, 'three\n');
    assert.equal(await read(file), 'three\n', 'what another program wrote is seen at once');
  });

  it('are what is typed and not saved, where there is such a text', async () => {
    const file = onDisk('dirty.txt', 'saved\n');
    const document = await opened(file);
    await typed(document, 'typed ');
    assert.equal(await read(file), 'typed saved\n');
    assert.deepEqual(await read(file, { line: 2, limit: 1 }), '');
    assert.equal(fs.readFileSync(file, 'utf8'), 'saved\n');
  });

  it('are given by lines: the first has the number 1, and the limit counts lines', async () => {
    const file = onDisk('lines.txt', 'one\ntwo\nthree\nfour\n');
    assert.equal(await read(file, { line: 1, limit: 1 }), 'one\n');
    assert.equal(await read(file, { line: 2, limit: 2 }), 'two\nthree\n');
    assert.equal(await read(file, { line: 3, limit: null }), 'three\nfour\n');
    assert.equal(await read(file, { line: null, limit: 2 }), 'one\ntwo\n');
    assert.equal(await read(file, { line: 9, limit: 2 }), '');
  });

  it('that are missing are a fault of that kind, with a sentence that names the file', async () => {
    const file = path.join(folder, 'nothing.txt');
    await assert.rejects(read(file), isFault('notFound', /no such file/i, file));
  });

  it('are no folders, and the sentence says so, for reading and for writing', async () => {
    await assert.rejects(read(folder), isFault('failed', /folder, not a file/i, folder));
    await assert.rejects(write(folder, 'x'), isFault('failed', /folder, not a file/i, folder));
    assert.ok(fs.statSync(folder).isDirectory());
  });

  it('are written where no editor has them, with the folders that are missing', async () => {
    const file = path.join(folder, 'new', 'deep', 'file.txt');
    await write(file, 'hello\n');
    assert.equal(fs.readFileSync(file, 'utf8'), 'hello\n');
  });

  it('that are open are changed in the document and saved; one undo brings the old text back', async () => {
    const before = 'first\nsecond\nthird\n';
    const after = 'FIRST\nsecond\nTHIRD\nfourth\n';
    const file = onDisk('open.txt', before);
    const document = await opened(file);
    await write(file, after);
    assert.equal(document.getText(), after);
    assert.equal(document.isDirty, false);
    assert.equal(fs.readFileSync(file, 'utf8'), after);

    await vscode.commands.executeCommand('undo');
    await until('the old text', () => (document.getText() === before ? true : undefined));
    assert.equal(document.isDirty, true);
    assert.equal(fs.readFileSync(file, 'utf8'), after, 'an undo does not save');
  });

  it('with unsaved text become, as a whole, what is written, if the person says so', async () => {
    files.answer = () => Promise.resolve({ kind: 'theirs' });
    const file = onDisk('both.txt', 'old\n');
    const document = await opened(file);
    await typed(document, 'typed ');
    await write(file, 'new\n');
    assert.equal(document.getText(), 'new\n');
    assert.equal(document.isDirty, false);
    assert.equal(fs.readFileSync(file, 'utf8'), 'new\n');
  });

  for (const open of [false, true]) {
    const where = open ? 'in an editor' : 'on the disk';

    it(`${where} keep their CRLF`, async () => {
      const file = onDisk(`crlf-${String(open)}.txt`, 'a\r\nb\r\n');
      if (open) await opened(file);
      assert.equal(await read(file), 'a\r\nb\r\n');
      await write(file, 'a\nB\nc\n');
      assert.equal(fs.readFileSync(file, 'latin1'), 'a\r\nB\r\nc\r\n');
    });

    it(`${where} keep the mark of UTF-8, which nobody reads as text`, async () => {
      const file = onDisk(
        `mark-${String(open)}.txt`,
        Buffer.concat([Buffer.from(UTF8_MARK), Buffer.from('grün\n')]),
      );
      if (open) await opened(file);
      assert.equal(await read(file), 'grün\n');
      await write(file, 'blau\n');
      assert.deepEqual(
        [...fs.readFileSync(file)],
        [...UTF8_MARK, ...Buffer.from('blau\n', 'utf8')],
      );
    });

    for (const [name, mark, swap] of [
      ['UTF-16LE', [0xff, 0xfe], false],
      ['UTF-16BE', [0xfe, 0xff], true],
    ] as const) {
      const bytes = (text: string): Buffer => {
        const little = Buffer.from(text, 'utf16le');
        return Buffer.concat([Buffer.from(mark), swap ? little.swap16() : little]);
      };

      it(`${where} stay ${name}`, async () => {
        const file = onDisk(`${name}-${String(open)}.txt`, bytes('grün\n'));
        if (open) await opened(file);
        assert.equal(await read(file), 'grün\n');
        await write(file, 'żółty\n');
        assert.deepEqual([...fs.readFileSync(file)], [...bytes('żółty\n')]);
      });
    }
  }

  it('that are not written in time are not written at all', async () => {
    const file = onDisk('late.txt', 'old\n');
    await assert.rejects(files.write(file, 'new\n', AbortSignal.abort()));
    assert.equal(fs.readFileSync(file, 'utf8'), 'old\n');
  });

  it('written at once by many never mix: the last one wins', async () => {
    const file = path.join(folder, 'race.txt');
    const texts = Array.from({ length: 8 }, (_, index) => `${index}\n`.repeat(20_000 - index));
    await Promise.all(texts.map((text) => write(file, text)));
    assert.equal(fs.readFileSync(file, 'utf8'), texts.at(-1));
  });

  it('open no tab, whether they are read or written, known to VS Code or not', async () => {
    const known = onDisk('known.txt', 'old\n');
    const document = await vscode.workspace.openTextDocument(known);
    const unknown = onDisk('unknown.txt', 'old\n');
    for (const file of [known, unknown]) {
      await read(file);
      await write(file, 'new\n');
    }
    assert.equal(document.getText(), 'new\n');

    // VS Code opens a tab for a text that stays unsaved, after a while: when it does, it would have done so for ours.
    const unsaved = await vscode.workspace.openTextDocument(onDisk('unsaved.txt', 'x\n'));
    await typed(unsaved, 'typed ');
    const tabs = await until('a tab for an unsaved text', () => {
      const labels = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      return labels.length > 0 ? labels.map(({ label }) => label) : undefined;
    });
    assert.deepEqual(tabs, ['unsaved.txt']);
    await vscode.window.showTextDocument(unsaved);
  });
});

async function opened(file: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  return document;
}

async function typed(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.equal(document.isDirty, true);
}

function isFault(kind: FileFault['kind'], sentence: RegExp, file: string) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof FileFault, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, sentence);
    assert.ok(error.message.includes(file), error.message);
    return true;
  };
}
