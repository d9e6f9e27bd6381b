import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EditorVirtualFiles } from '../../src/vscode/ports/virtualFiles.ts';
import { isFault } from './editor.ts';
import { until } from './extension.ts';
import { MemoryFileSystem } from './memoryFileSystem.ts';

const SCHEME = 'parley-memory';
const READONLY = 'parley-readonly';
/** Bytes. */
const LIMIT = 1000;
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('files of a workspace folder that is not on this disk', () => {
  const files = new EditorVirtualFiles();
  const memory = new MemoryFileSystem();
  let provider: vscode.Disposable;

  before(() => {
    provider = vscode.workspace.registerFileSystemProvider(SCHEME, memory);
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === SCHEME);
    assert.equal(folder?.uri.path, '/virtual', 'The harness opens a virtual folder.');
  });

  after(() => {
    provider.dispose();
  });

  it('are read', async () => {
    memory.files.set('/virtual/file.txt', bytes('text'));
    assert.equal(Buffer.from(await files.read('/virtual/file.txt', LIMIT)).toString(), 'text');
  });

  it('are written, with the folders that are missing', async () => {
    await files.write('/virtual/new/deep/file.txt', bytes('new'));
    assert.equal(memory.text('/virtual/new/deep/file.txt'), 'new');
    await files.write('/virtual/new/deep/file.txt', bytes('newer'));
    assert.equal(memory.text('/virtual/new/deep/file.txt'), 'newer');
  });

  it('belong to the innermost folder', async () => {
    memory.files.set('/virtual/inner/file.txt', bytes('the outer one'));
    memory.other.set('/virtual/inner/file.txt', bytes('the inner one'));
    const read = await files.read('/virtual/inner/file.txt', LIMIT);
    assert.equal(Buffer.from(read).toString(), 'the inner one');
  });

  it('that are too large are not loaded', async () => {
    const file = '/virtual/large.txt';
    memory.files.set(file, new Uint8Array(LIMIT + 1));
    memory.loaded.length = 0;
    await assert.rejects(files.read(file, LIMIT), isFault('failed', /too large.*1\.0 KB/, file));
    assert.deepEqual(memory.loaded, []);
    assert.equal((await files.read(file, LIMIT + 1)).length, LIMIT + 1);
    assert.deepEqual(memory.loaded, [file]);
  });

  it('that two folders of one path may mean are neither read nor written', async () => {
    const uris = [`${SCHEME}:/twice`, `${SCHEME}://elsewhere/twice/`, `${SCHEME}:/twice/inner`];
    const folders = uris.map((uri) => ({ uri: vscode.Uri.parse(uri) }));
    const twice = new EditorVirtualFiles(() => folders);
    memory.files.set('/twice/file.txt', bytes('the one'));
    memory.other.set('/twice/file.txt', bytes('the other'));
    memory.files.set('/twice/inner/file.txt', bytes('inner'));
    const refused = isFault('refused', /either of two folders.*elsewhere/, '/twice/file.txt');
    await assert.rejects(twice.read('/twice/file.txt', LIMIT), refused);
    await assert.rejects(twice.write('/twice/file.txt', bytes('x')), refused);
    assert.equal(twice.writable('/twice/file.txt'), false);
    assert.equal(memory.text('/twice/file.txt'), 'the one');
    const inner = await twice.read('/twice/inner/file.txt', LIMIT);
    assert.equal(Buffer.from(inner).toString(), 'inner', 'one folder alone is the innermost');
  });

  it('that are missing, or no files, are faults in words', async () => {
    const missing = '/virtual/nothing.txt';
    await assert.rejects(files.read(missing, LIMIT), isFault('notFound', /no such file/i, missing));
    const folder = '/virtual/new';
    await assert.rejects(
      files.read(folder, LIMIT),
      isFault('failed', /folder, not a file/i, folder),
    );
    await assert.rejects(
      files.write(folder, bytes('x')),
      isFault('failed', /folder, not a file/i, folder),
    );
  });

  it('outside of every such folder do not exist', async () => {
    for (const file of ['/other/file.txt', '/virtually/file.txt']) {
      await assert.rejects(files.read(file, LIMIT), isFault('notFound', /no such file/i, file));
      await assert.rejects(files.write(file, bytes('x')), isFault('notFound', /no such/i, file));
      assert.equal(files.writable(file), false);
    }
  });

  it('can be written where the file system can, and else are refused', async () => {
    const file = '/readonly/file.txt';
    memory.files.set(file, bytes('text'));
    assert.equal(files.writable('/virtual/file.txt'), true);
    assert.equal(files.writable(file), false, 'VS Code does not know that file system yet');
    const options = { isReadonly: true };
    const readonly = vscode.workspace.registerFileSystemProvider(READONLY, memory, options);
    try {
      await until('the file system', () =>
        vscode.workspace.fs.isWritableFileSystem(READONLY) === false ? true : undefined,
      );
      assert.equal(files.writable(file), false);
      await assert.rejects(files.write(file, bytes('x')), isFault('refused', /read-only/, file));
      assert.equal(Buffer.from(await files.read(file, LIMIT)).toString(), 'text');
    } finally {
      readonly.dispose();
    }
  });
});
