import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { FileFault } from '../../../src/client/ports.ts';
import { FileHandler } from '../../../src/client/requests/fileHandler.ts';
import { TestFolders } from '../../fakes/clientFloor.ts';
import { FakeWorkspace } from '../../fakes/fakeWorkspace.ts';
import { MemoryFiles } from '../../fakes/memoryFiles.ts';
import { RecordingLog } from '../../fakes/recordingLog.ts';

const signal = new AbortController().signal;

function setUp(t: TestContext, folders?: readonly string[]) {
  const test = new TestFolders();
  t.after(() => {
    test.remove();
  });
  const workspace = new FakeWorkspace(folders ?? [test.workspace]);
  const files = new MemoryFiles();
  const handler = new FileHandler(files, workspace, new RecordingLog());
  const at = (...parts: string[]): string => path.join(test.workspace, ...parts);
  const read = async (file: string, line?: number, limit?: number): Promise<string> => {
    const { content } = await handler.read(
      {
        sessionId: 's',
        path: file,
        ...(line === undefined ? {} : { line }),
        ...(limit === undefined ? {} : { limit }),
      },
      signal,
    );
    return content;
  };
  const write = (file: string, content: string) =>
    handler.write({ sessionId: 's', path: file, content }, signal);
  return { root: test.root, workspace, files, at, read, write };
}

test('reads a file of the workspace, whole or by lines that count from 1', async (t) => {
  const { files, at, read } = setUp(t);
  files.files.set(at('a.txt'), 'one\ntwo\nthree\n');
  assert.equal(await read(at('a.txt')), 'one\ntwo\nthree\n');
  assert.equal(await read(at('a.txt'), 2, 1), 'two\n');
  assert.equal(await read(at('a.txt'), 0, 1), 'one\n');
});

test('writes a file that is not there yet, in folders that are not there yet', async (t) => {
  const { files, at, write } = setUp(t);
  assert.deepEqual(await write(at('new', 'deep', 'a.txt'), 'x'), {});
  assert.equal(files.files.get(at('new', 'deep', 'a.txt')), 'x');
});

test('a missing file is the error -32002 with words that agents look for', async (t) => {
  const { at, read } = setUp(t);
  await assert.rejects(read(at('none')), {
    code: -32002,
    message: `Resource not found: ${at('none')}`,
  });
});

for (const [what, make] of [
  ['a relative path', () => 'a.txt'],
  ['the parent folder', (root: string) => path.join(root, 'workspace', '..', 'secret')],
  ['a folder whose name only begins alike', (root: string) => path.join(root, 'workspace2', 'a')],
  ['a system file', () => '/etc/passwd'],
  ['an address', () => 'file:///etc/passwd'],
  ['nothing', () => ''],
] as const) {
  test(`${what} is refused before anything is read or written`, async (t) => {
    const { root, files, read, write } = setUp(t);
    const file = make(root);
    await assert.rejects(read(file), { code: -32602, message: /absolute|outside/ });
    await assert.rejects(write(file, 'x'), { code: -32602 });
    assert.deepEqual(files.asked, []);
  });
}

test('links that lead out of the workspace are refused, at every level', async (t) => {
  const { root, files, at, read, write } = setUp(t);
  fs.mkdirSync(path.join(root, 'secret'));
  fs.writeFileSync(path.join(root, 'secret', 'key'), '');
  fs.symlinkSync(path.join(root, 'secret'), at('folder'));
  fs.symlinkSync(path.join(root, 'secret', 'key'), at('file'));
  fs.symlinkSync('../secret/new', at('dangling'));
  fs.symlinkSync('folder', at('link-to-link'));
  for (const file of ['folder/key', 'folder/new/deep', 'file', 'dangling', 'link-to-link/key']) {
    await assert.rejects(read(at(file)), { code: -32602 }, file);
    await assert.rejects(write(at(file), 'x'), { code: -32602 }, file);
  }
  fs.symlinkSync('loop', at('loop'));
  await assert.rejects(read(at('loop')), { code: -32603 });
  assert.deepEqual(files.asked, []);
});

test('links inside the workspace are followed by the name that the agent used', async (t) => {
  const { files, at, read } = setUp(t);
  fs.mkdirSync(at('real'));
  fs.symlinkSync('real', at('link'));
  files.files.set(at('link', 'a'), 'x');
  assert.equal(await read(at('link', 'a')), 'x');
});

test('a workspace folder that is a link works by either name, and the editor hears its own', async (t) => {
  const { root, workspace } = setUp(t);
  const [real] = workspace.folders();
  assert.ok(real);
  const link = path.join(root, 'opened');
  fs.symlinkSync(real, link);
  const { files, read } = setUp(t, [link]);
  files.files.set(path.join(link, 'a'), 'x');
  assert.equal(await read(path.join(link, 'a')), 'x');
  assert.equal(await read(path.join(real, 'a')), 'x');
});

test('every folder of the workspace counts, and with none there is nothing to read', async (t) => {
  const { root } = setUp(t);
  const { files, read } = setUp(t, [path.join(root, 'one'), path.join(root, 'two')]);
  files.files.set(path.join(root, 'two', 'a'), 'x');
  assert.equal(await read(path.join(root, 'two', 'a')), 'x');
  await assert.rejects(setUp(t, []).read('/anything'), { code: -32602, message: /No folder/ });
});

test('a workspace that is not trusted can be read, not written', async (t) => {
  const { workspace, files, at, read, write } = setUp(t);
  files.files.set(at('a'), 'x');
  workspace.setTrust(false);
  assert.equal(await read(at('a')), 'x');
  await assert.rejects(write(at('a'), 'y'), { code: -32602, message: /not trusted/ });
  assert.equal(files.files.get(at('a')), 'x');
});

for (const [kind, code] of [
  ['refused', -32602],
  ['failed', -32603],
] as const) {
  test(`a fault of kind ${kind} is ${code} with its own sentence`, async (t) => {
    const { files, at, read } = setUp(t);
    files.read = () => Promise.reject(new FileFault(kind, 'It is a folder.'));
    await assert.rejects(read(at('a')), { code, message: 'It is a folder.' });
  });
}

test('a read that the agent took back is answered as cancelled', async (t) => {
  const { files, at, read } = setUp(t);
  files.read = () => Promise.reject(new DOMException('stop', 'AbortError'));
  await assert.rejects(read(at('a')), { code: -32800 });
});
