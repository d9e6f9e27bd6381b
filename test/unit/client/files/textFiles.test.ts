import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { Cancelled } from '../../../../src/base/errors.ts';
import { KnownTexts } from '../../../../src/client/files/knownTexts.ts';
import { TextFiles } from '../../../../src/client/files/textFiles.ts';
import { FileFault, type ConflictAnswer } from '../../../../src/client/ports.ts';
import { FakeConflicts } from '../../../fakes/fakeConflicts.ts';
import { FakeSettings } from '../../../fakes/fakeSettings.ts';
import { FakeVirtualFiles } from '../../../fakes/fakeVirtualFiles.ts';
import { ModelEditor } from '../../../fakes/modelEditor.ts';
import { RecordingLog } from '../../../fakes/recordingLog.ts';
import { TestCodec } from '../../../fakes/testCodec.ts';

const PATH = '/w/file.txt';
const PLACE = { kind: 'virtual', path: PATH } as const;
const WHOLE = { line: null, limit: null };

let virtual: FakeVirtualFiles;
let codec: TestCodec, conflicts: FakeConflicts;
let settings: FakeSettings;
let editor: ModelEditor;
let known: KnownTexts;
let files: TextFiles;

beforeEach(() => {
  virtual = new FakeVirtualFiles();
  codec = new TestCodec();
  conflicts = new FakeConflicts();
  settings = new FakeSettings();
  known = new KnownTexts();
  editor = new ModelEditor({
    read: (path) => (virtual.files.has(path) ? saved(path) : null),
    write: (path, text) => {
      save(text, path);
    },
  });
  const log = new RecordingLog();
  files = new TextFiles({ documents: editor, codec, virtual, conflicts, settings, log });
});

function save(text: string, path: string = PATH): void {
  virtual.files.set(path, Buffer.from(text));
}

function saved(path: string = PATH): string {
  return Buffer.from(virtual.files.get(path) ?? []).toString();
}

function read(span: { line: number | null; limit: number | null } = WHOLE): Promise<string> {
  return files.read(PLACE, span, known, new AbortController().signal);
}

function write(
  content: string,
  signal = new AbortController().signal,
): Promise<{ before: string | null; after: string }> {
  return files.write(PLACE, content, { agentName: 'An Agent', known }, signal);
}

function fault(kind: FileFault['kind'], words: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof FileFault && error.kind === kind && words.test(error.message);
}

describe('reading', () => {
  test('gives what is typed and not saved', async () => {
    save('saved\n');
    editor.show(PATH).type('typed\n');
    assert.equal(await read(), 'typed\n');
  });

  test('gives what is typed into a new document that has a path', async () => {
    editor.show(PATH, { untitled: true }).type('new\n');
    assert.equal(await read(), 'new\n');
  });

  test('gives what is saved where a clean document is older, and lets it catch up', async () => {
    save('old\n');
    const document = editor.show(PATH);
    save('newer\n');
    assert.equal(await read(), 'newer\n');
    assert.equal(document.text(), 'newer\n');
  });

  test('gives what is saved also where a clean document never catches up', async () => {
    save('old\n');
    editor.show(PATH);
    editor.neverRefreshes = true;
    save('newer\n');
    assert.equal(await read(), 'newer\n');
  });

  test('gives a document in the encoding that the person chose for it', async () => {
    virtual.files.set(PATH, Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]));
    codec.setting = 'windows1252';
    const document = editor.show(PATH, { encoding: 'shiftjis' });
    document.type('日本\n');
    // The model editor saves UTF-8; what counts here are the bytes.
    await document.save(false);
    virtual.files.set(PATH, Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]));
    assert.equal(await read(), '日本\n');
  });

  test('keeps line ends as they are saved, whatever a document makes of them', async () => {
    save('a\r\nb\nc\rd');
    editor.show(PATH);
    assert.equal(await read(), 'a\r\nb\nc\rd');
    assert.equal(await read({ line: 2, limit: 2 }), 'b\nc\r');
  });

  test('tells of a file that does not exist', async () => {
    await assert.rejects(read(), fault('notFound', /no such file: \/w\/file.txt/));
  });

  test('tells of a binary file', async () => {
    virtual.files.set(PATH, Buffer.from('\x7fELF\x00\x00\x01'));
    await assert.rejects(read(), fault('failed', /binary/));
  });

  test('reads UTF-16 without a mark as text', async () => {
    virtual.files.set(PATH, Buffer.from('plain text\n', 'utf16le'));
    assert.equal(await read(), 'plain text\n');
  });

  test('refuses more than the settings allow, and says what to do', async () => {
    settings.limitReads(10);
    save('0123456789A');
    await assert.rejects(read(), fault('failed', /11 bytes.*"line" and "limit"/));
    editor.show(PATH).type('short\n1234567890\n');
    await assert.rejects(read(), fault('failed', /17 bytes/));
    assert.equal(await read({ line: 1, limit: 1 }), 'short\n');
  });

  test('loads nothing of a file that is too large and not on this disk, whatever is asked for', async () => {
    settings.limitReads(10);
    save('0123456789A');
    await assert.rejects(read(), fault('failed', /too large/));
    await assert.rejects(read({ line: 2, limit: 1 }), fault('failed', /cannot be read in parts/));
    await assert.rejects(write('short'), fault('failed', /too large/));
    assert.deepEqual(virtual.loaded, []);
    assert.equal(saved(), '0123456789A');
  });

  test('ends at once when it is not wanted any more', async () => {
    save('a');
    virtual.onRead = () => new Promise(() => undefined);
    const stop = new AbortController();
    const reading = files.read(PLACE, WHOLE, known, stop.signal);
    stop.abort();
    await assert.rejects(reading, Cancelled);
  });
});

describe('writing through a document', () => {
  test('makes one undo step of the lines that change, and saves', async () => {
    save('one\ntwo\nthree\n');
    const document = editor.show(PATH);
    await read();
    assert.deepEqual(await write('one\n2wo\nthree\nfour\n'), {
      before: 'one\ntwo\nthree\n',
      after: 'one\n2wo\nthree\nfour\n',
    });
    assert.deepEqual(document.edits, [
      [
        { start: 4, end: 5, text: '2' },
        { start: 14, end: 14, text: 'four\n' },
      ],
    ]);
    assert.equal(saved(), 'one\n2wo\nthree\nfour\n');
    document.undo();
    assert.equal(document.text(), 'one\ntwo\nthree\n');
  });

  test('takes the document’s line ends', async () => {
    save('a\r\nb\r\n');
    const document = editor.show(PATH);
    await write('a\nx\nb\n');
    assert.equal(document.text(), 'a\r\nx\r\nb\r\n');
  });

  test('runs save actions only if the settings say so', async () => {
    save('a\n');
    const document = editor.show(PATH);
    document.format = (text) => text.toUpperCase();
    await write('b\n');
    settings.letSaveActionsRun(true);
    assert.equal((await write('c\n')).after, 'C\n');
    assert.deepEqual(document.saves, [
      { actions: false, text: 'b\n' },
      { actions: true, text: 'C\n' },
    ]);
  });

  test('of the same text does nothing, and only saves what is not saved', async () => {
    save('a\n');
    const document = editor.show(PATH);
    await write('a\n');
    assert.deepEqual([document.saves.length, document.edits.length], [0, 0]);
    document.type('b\n');
    await read();
    await write('b\n');
    assert.deepEqual([document.saves.length, document.edits.length], [1, 0]);
  });

  test('begins again with what the person types in between', async () => {
    save('a\nb\nc\n');
    const document = editor.show(PATH);
    await read();
    let typed = false;
    document.onStep = () => {
      if (!typed) document.type('a\nb\nc\nTYPED\n');
      typed = true;
    };
    assert.equal((await write('A\nb\nc\n')).after, 'A\nb\nc\nTYPED\n');
  });

  test('gives up on a document that changes each time, and changes nothing', async () => {
    save('a\nb\nc\n');
    const document = editor.show(PATH);
    await read();
    let count = 0;
    document.onStep = () => {
      count++;
      document.type(`a\nb\nc\n${count}\n`);
    };
    await assert.rejects(write('A\nb\nc\n'), fault('failed', /again and again/));
    assert.equal(saved(), 'a\nb\nc\n');
    assert.equal(document.edits.length, 0);
  });

  test('creates the file of a new document', async () => {
    editor.show(PATH, { untitled: true });
    await write('new\n');
    assert.equal(saved(), 'new\n');
  });

  test('refuses what the document’s encoding cannot hold, before anything changes', async () => {
    save('a\n');
    const document = editor.show(PATH, { encoding: 'windows1252' });
    await assert.rejects(write('日本\n'), fault('failed', /encoding/));
    assert.equal(document.text(), 'a\n');
  });

  test('tells that a document takes no edits', async () => {
    save('a\n');
    editor.show(PATH).readOnly = new FileFault('refused', 'read-only');
    await assert.rejects(write('b\n'), fault('refused', /read-only/));
  });
});

describe('writing without a document', () => {
  test('keeps the byte-order mark, and does not double it', async () => {
    save('\ufeffa\r\nb\r\n');
    assert.deepEqual(await write('\ufeffa\nB\n'), { before: 'a\r\nb\r\n', after: 'a\r\nB\r\n' });
    assert.equal(saved(), '\ufeffa\r\nB\r\n');
  });

  test('makes a new file as the settings say, with the mark that the agent gives it', async () => {
    await write('a\n');
    assert.equal(saved(), 'a\n');
    virtual.files.delete(PATH);
    await write('\ufeffa\n');
    assert.equal(saved(), '\ufeffa\n');
  });

  test('refuses half characters and NULs, which no file would hold as they are', async () => {
    await assert.rejects(write('a\ud800b'), fault('failed', /cannot hold/));
    await assert.rejects(write('a\0b'), fault('failed', /NUL/));
    assert.equal(virtual.files.size, 0);
  });

  test('refuses to put a text in the place of a binary file', async () => {
    virtual.files.set(PATH, Buffer.from('\x00\x01\x02\x03'));
    await assert.rejects(write('a'), fault('failed', /binary/));
  });

  test('does not touch a file that already holds the text', async () => {
    save('a\r\n');
    await write('a\n');
    assert.deepEqual(virtual.written, []);
  });

  test('refuses a file system that is read-only', async () => {
    save('a');
    virtual.isWritable = false;
    await assert.rejects(write('b'), fault('refused', /read-only/));
  });

  test('lets a clean document that is older catch up', async () => {
    save('old\n');
    editor.show(PATH);
    editor.neverRefreshes = true;
    save('newer\n');
    await write('agent\n');
    assert.equal(saved(), 'agent\n');
    assert.deepEqual(editor.refreshes.at(-1), { path: PATH, text: 'agent\n' });
  });

  test('of the same file happens one after the other, and of others at once', async () => {
    save('a\n');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const order: string[] = [];
    codec.onStep = () => (order.length === 0 ? held : undefined);
    const first = write('first\n').then(() => order.push('first'));
    const second = write('second\n').then(() => order.push('second'));
    codec.onStep = () => undefined;
    const other = { kind: 'virtual', path: '/w/other.txt' } as const;
    const signal = new AbortController().signal;
    await files.write(other, 'x', { agentName: 'An Agent', known }, signal);
    release();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first', 'second']);
    assert.equal(saved(), 'second\n');
  });

  test('can be cancelled while it waits for another', async () => {
    save('a\n');
    conflicts.answer = () => new Promise(() => undefined);
    await read();
    save('b\n');
    const endless = new AbortController();
    const first = write('c\n', endless.signal);
    const stop = new AbortController();
    const second = write('d\n', stop.signal);
    stop.abort();
    await assert.rejects(second, Cancelled);
    endless.abort();
    await assert.rejects(first, Cancelled);
    assert.equal(saved(), 'b\n');
    conflicts.answer = () => ({ kind: 'theirs' });
    assert.equal((await write('e\n')).after, 'e\n');
  });
});

describe('a file that was changed since the agent read it', () => {
  const base = 'a\nb\nc\nd\ne\n';
  const ofAgent = 'a\nb\nc\nd\nAGENT\n';

  test('is merged where the changes are apart, typed or saved, in a document or not', async () => {
    save(base);
    await read();
    save('PERSON\nb\nc\nd\ne\n');
    assert.deepEqual(await write(ofAgent), {
      before: 'PERSON\nb\nc\nd\ne\n',
      after: 'PERSON\nb\nc\nd\nAGENT\n',
    });
    const document = editor.show(PATH);
    await read();
    document.type('PERSON\nb\nTYPED\nd\nAGENT\n');
    assert.equal(
      (await write('PERSON\nb\nc\nd\nAGENT\nmore\n')).after,
      'PERSON\nb\nTYPED\nd\nAGENT\nmore\n',
    );
  });

  test('keeps the person’s lines at the next write, too', async () => {
    save(base);
    await read();
    save('PERSON\nb\nc\nd\ne\n');
    await write(ofAgent);
    assert.equal((await write('a\nb\nc\nd\nAGENT 2\n')).after, 'PERSON\nb\nc\nd\nAGENT 2\n');
    assert.equal(conflicts.asked.length, 0);
  });

  test('counts as known after a part of it was read', async () => {
    save(base);
    await read({ line: 1, limit: 1 });
    save('a\nb\nc\nd\nPERSON\n');
    await assert.rejects(write(ofAgent), fault('refused', /keeps that text/));
  });

  test('is replaced if it was never read, and merged over what is saved if it is dirty', async () => {
    save(base);
    assert.equal((await write('x\n')).after, 'x\n');
    known.forget(PLACE);
    save(base);
    editor.show(PATH).type('PERSON\nb\nc\nd\ne\n');
    assert.equal((await write(ofAgent)).after, 'PERSON\nb\nc\nd\nAGENT\n');
  });

  describe('by lines that the agent changed, too', () => {
    const mine = 'a\nb\nc\nd\nPERSON\n';

    async function writeWith(answer: () => ConflictAnswer): Promise<string> {
      save(base);
      await read();
      save(mine);
      conflicts.answer = answer;
      return (await write(ofAgent)).after;
    }

    test('stays as it is if the person says so, and the agent hears what to do', async () => {
      await assert.rejects(
        writeWith(() => ({ kind: 'mine' })),
        fault(
          'refused',
          /^The person changed \/w\/file.txt since you read it and keeps that text. Read it again.$/,
        ),
      );
      assert.equal(saved(), mine);
      assert.deepEqual(conflicts.asked, [
        {
          path: PATH,
          agentName: 'An Agent',
          mine,
          theirs: ofAgent,
          marked: 'a\nb\nc\nd\n<<<<<<< yours\nPERSON\n=======\nAGENT\n>>>>>>> An Agent\n',
        },
      ]);
    });

    test('becomes the agent’s if the person says so', async () => {
      assert.equal(await writeWith(() => ({ kind: 'theirs' })), ofAgent);
    });

    test('becomes what the person made of both', async () => {
      const text = 'a\nb\nc\nd\nBOTH\n';
      assert.equal(await writeWith(() => ({ kind: 'merged', text })), text);
    });

    test('is asked about anew if it was changed while the person was asked', async () => {
      let asked = 0;
      const after = await writeWith(() => {
        asked++;
        if (asked === 1) save('a\nb\nc\nd\nPERSON 2\n');
        return { kind: 'theirs' };
      });
      assert.equal(after, ofAgent);
      assert.deepEqual(
        conflicts.asked.map((conflict) => conflict.mine),
        [mine, 'a\nb\nc\nd\nPERSON 2\n'],
      );
    });
  });
});

test('what an agent knows is bounded, and the oldest goes first', () => {
  const texts = new KnownTexts();
  const place = (path: string): { kind: 'virtual'; path: string } => ({ kind: 'virtual', path });
  const half = 'x'.repeat(32 * 1024 * 1024);
  texts.set(place('1'), half);
  texts.set(place('2'), half);
  assert.equal(texts.get(place('1')), half);
  texts.set(place('3'), 'y');
  assert.equal(texts.get(place('2')), undefined);
  assert.equal(texts.get(place('1')), half);
  texts.set(place('4'), `${half}${half}z`);
  assert.equal(texts.get(place('4')), undefined);
});
