import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { SYSTEM_CALLS } from '../../src/client/files/replaceFile.ts';
import { fault, NOBODY, room, systemError, withoutRoot, type Room } from './clientFilesRoom.ts';

const posix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;

function modeOf(file: string): string {
  return (fs.statSync(file).mode & 0o7777).toString(8);
}

for (const footing of ['handles', 'paths'] as const) {
  if (footing === 'handles' && process.platform !== 'linux') continue;
  describe(`a file that is written with ${footing}`, () => {
    test('is a new one with the old mode, and nothing else stays behind', async (t) => {
      const it = room(t, { footing });
      fs.chmodSync(it.put('a.sh', 'old\n'), 0o755);
      const { ino } = fs.statSync(it.path('a.sh'));
      assert.deepEqual(await it.write('a.sh', 'new\n'), { before: 'old\n', after: 'new\n' });
      assert.equal(it.text('a.sh'), 'new\n');
      if (posix) assert.equal(modeOf(it.path('a.sh')), '755');
      assert.notEqual(fs.statSync(it.path('a.sh')).ino, ino);
      assert.deepEqual(it.names(), ['a.sh']);
    });

    test('is created, its folders too, with the usual mode', async (t) => {
      const it = room(t, { footing });
      assert.deepEqual(await it.write('x/y/z/a.txt', 'new'), { before: null, after: 'new' });
      assert.equal(it.text('x/y/z/a.txt'), 'new');
      const usual = it.put('usual', '');
      assert.equal(modeOf(it.path('x/y/z/a.txt')), modeOf(usual));
    });

    test(
      'is not created through a link that has come to the place',
      { skip: !posix },
      async (t) => {
        const it = room(t, { footing });
        const outside = room(t);
        fs.symlinkSync(outside.folder, it.path('folder'));
        await assert.rejects(it.write('folder/a.txt', 'x'), fault('refused', /link/));
        await assert.rejects(it.write('folder/new/a.txt', 'x'), fault('refused', /link/));
        fs.symlinkSync(outside.path('a.txt'), it.path('a.txt'));
        await assert.rejects(it.write('a.txt', 'x'), fault('refused', /link/));
        assert.deepEqual(outside.names(), []);
      },
    );
  });
}

describe('a file that is written', () => {
  test('keeps its owner', { skip: !isRoot }, async (t) => {
    const it = room(t);
    fs.chownSync(it.put('a.txt', 'old'), NOBODY, NOBODY);
    await it.write('a.txt', 'new');
    const { uid, gid } = fs.statSync(it.path('a.txt'));
    assert.deepEqual([uid, gid], [NOBODY, NOBODY]);
  });

  test('is overwritten where its owner could not be kept', { skip: !isRoot }, async (t) => {
    const it = room(t);
    fs.chmodSync(it.put('a.txt', 'old'), 0o666);
    const { ino } = fs.statSync(it.path('a.txt'));
    withoutRoot(t, it);
    await it.write('a.txt', 'new');
    assert.equal(it.text('a.txt'), 'new');
    assert.deepEqual(
      [fs.statSync(it.path('a.txt')).ino, fs.statSync(it.path('a.txt')).uid],
      [ino, 0],
    );
    assert.deepEqual(it.names(), ['a.txt']);
  });

  test('stays the same file under all its names, and the log says why', async (t) => {
    const it = room(t);
    it.put('a.txt', 'old and longer');
    fs.linkSync(it.path('a.txt'), it.path('b.txt'));
    await it.write('a.txt', 'new');
    assert.equal(it.text('b.txt'), 'new');
    assert.deepEqual(it.names(), ['a.txt', 'b.txt']);
    assert.ok(it.log.lines.some((line) => /^warn .*several names.*a\.txt/.test(line)));
  });

  for (const code of ['EXDEV', 'EBUSY', 'EPERM', 'EACCES']) {
    test(`is overwritten where it cannot be renamed over (${code})`, async (t) => {
      const rename = (): Promise<void> => Promise.reject(systemError(code));
      const it = room(t, { calls: { ...SYSTEM_CALLS, rename } });
      it.put('a.txt', 'old and longer');
      await it.write('a.txt', 'new');
      assert.equal(it.text('a.txt'), 'new');
      assert.deepEqual(it.names(), ['a.txt']);
      assert.ok(it.log.lines.some((line) => line.includes(code)));
    });
  }

  test('is overwritten in a folder that takes no new files', { skip: !posix }, async (t) => {
    const it = room(t);
    fs.mkdirSync(it.path('folder'));
    fs.chmodSync(it.put('folder/a.txt', 'old and longer'), 0o666);
    if (isRoot) fs.chownSync(it.path('folder/a.txt'), NOBODY, NOBODY);
    fs.chmodSync(it.path('folder'), 0o555);
    it.beforeRemoval = () => {
      fs.chmodSync(it.path('folder'), 0o755);
    };
    withoutRoot(t, it);
    await it.write('folder/a.txt', 'new');
    assert.equal(it.text('folder/a.txt'), 'new');
    assert.ok(it.log.lines.some((line) => line.includes('without a copy')));
  });

  test('waits a moment for another program on Windows', async (t) => {
    let tries = 0;
    const rename = (from: string, to: string): Promise<void> => {
      tries++;
      return tries < 3 ? Promise.reject(systemError('EPERM')) : fs.promises.rename(from, to);
    };
    const it = room(t, { platform: 'win32', calls: { ...SYSTEM_CALLS, rename } });
    const { ino } = fs.statSync(it.put('a.txt', 'old'));
    await it.write('a.txt', 'new');
    assert.equal(tries, 3);
    assert.notEqual(fs.statSync(it.path('a.txt')).ino, ino);
  });

  test('is refused if it is read-only, and not replaced', { skip: !posix }, async (t) => {
    const it = room(t);
    fs.chmodSync(it.put('a.txt', 'old'), 0o444);
    await assert.rejects(it.write('a.txt', 'new'), fault('refused', /permission/));
    it.editor.show(it.path('a.txt'));
    await assert.rejects(it.write('a.txt', 'new'), fault('refused', /permission/));
    assert.equal(it.text('a.txt'), 'old');
    assert.deepEqual(it.names(), ['a.txt']);
  });

  test(
    'is refused if only others may write it, also where a rename could',
    { skip: !isRoot },
    async (t) => {
      const it = room(t);
      fs.chmodSync(it.put('a.txt', 'old'), 0o644);
      withoutRoot(t, it);
      await assert.rejects(it.write('a.txt', 'new'), fault('refused', /permission/));
      assert.equal(it.text('a.txt'), 'old');
    },
  );

  test('is refused by name if the name is too long, a folder, or below a file', async (t) => {
    const it = room(t);
    await assert.rejects(it.write('x'.repeat(300), 'a'), fault('failed', /name .*too long/));
    fs.mkdirSync(it.path('folder'));
    await assert.rejects(it.write('folder', 'a'), fault('failed', /is a folder/));
    it.put('a.txt', 'a');
    await assert.rejects(it.write('a.txt/b', 'a'), fault('failed', /is a file, not a folder/));
    const name = 'n'.repeat(255);
    await it.write(name, 'as long as can be');
    assert.equal(it.text(name), 'as long as can be');
  });

  test('is as it was when the disk is full, and so is the folder', async (t) => {
    const write = (): Promise<void> => Promise.reject(systemError('ENOSPC'));
    const it = room(t, { calls: { ...SYSTEM_CALLS, write } });
    it.put('a.txt', 'old');
    await assert.rejects(it.write('a.txt', 'new'), fault('failed', /disk is full/));
    await assert.rejects(it.write('b.txt', 'new'), fault('failed', /disk is full/));
    assert.equal(it.text('a.txt'), 'old');
    assert.deepEqual(it.names(), ['a.txt']);
  });

  test('is as it was when the disk is full half-way through overwriting it', async (t) => {
    const write = async (handle: fs.promises.FileHandle): Promise<void> => {
      await handle.write(Buffer.from('ne'), 0, 2, 0);
      throw systemError('ENOSPC');
    };
    const it = room(t, { calls: { ...SYSTEM_CALLS, write } });
    it.put('a.txt', 'old');
    fs.linkSync(it.path('a.txt'), it.path('b.txt'));
    await assert.rejects(it.write('a.txt', 'new'), fault('failed', /disk is full/));
    assert.equal(it.text('a.txt'), 'old');
    assert.deepEqual(it.names(), ['a.txt', 'b.txt']);
  });

  test('is as it was on a disk that is really full', async (t) => {
    const it = room(t);
    if (!mounted(it, 'size=64k')) {
      t.skip('no small disk can be mounted here');
      return;
    }
    it.put('disk/a.txt', 'old');
    await assert.rejects(
      it.write('disk/a.txt', 'x'.repeat(100_000)),
      fault('failed', /disk is full/),
    );
    assert.equal(it.text('disk/a.txt'), 'old');
    assert.deepEqual(fs.readdirSync(it.path('disk')), ['a.txt']);
  });

  test('is refused on a read-only disk', async (t) => {
    const it = room(t);
    if (!mounted(it, 'size=64k')) {
      t.skip('no small disk can be mounted here');
      return;
    }
    it.put('disk/a.txt', 'old');
    execFileSync('mount', ['-o', 'remount,ro', it.path('disk')]);
    await assert.rejects(it.write('disk/a.txt', 'new'), fault('refused', /read-only/));
    await assert.rejects(it.write('disk/b.txt', 'new'), fault('refused', /read-only/));
  });

  test('is overwritten where it is a mount of its own', async (t) => {
    const it = room(t);
    it.put('source', 'old');
    it.put('a.txt', '');
    try {
      execFileSync('mount', ['--bind', it.path('source'), it.path('a.txt')], { stdio: 'ignore' });
    } catch {
      t.skip('nothing can be mounted here');
      return;
    }
    it.beforeRemoval = () => {
      execFileSync('umount', [it.path('a.txt')]);
    };
    await it.write('a.txt', 'new');
    assert.equal(it.text('source'), 'new');
  });

  test('is not touched if it holds the text already', async (t) => {
    const it = room(t);
    it.put('a.txt', 'same\r\n');
    const before = fs.statSync(it.path('a.txt'), { bigint: true });
    await it.write('a.txt', 'same\n');
    const after = fs.statSync(it.path('a.txt'), { bigint: true });
    assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
  });

  test('is merged with what another program writes at the last moment', async (t) => {
    let once = true;
    const it = room(t, {
      calls: {
        ...SYSTEM_CALLS,
        write: async (handle, bytes) => {
          if (once) fs.writeFileSync(it.path('a.txt'), 'OTHER\nb\nc\nd\n');
          once = false;
          await SYSTEM_CALLS.write(handle, bytes);
        },
      },
    });
    it.put('a.txt', 'a\nb\nc\nd\n');
    await it.read('a.txt');
    await it.write('a.txt', 'a\nb\nc\nAGENT\n');
    assert.equal(it.text('a.txt'), 'OTHER\nb\nc\nAGENT\n');
    assert.deepEqual(it.names(), ['a.txt']);
  });

  test('is not replaced when a document becomes dirty at the last moment', async (t) => {
    let once = true;
    const it = room(t, {
      calls: {
        ...SYSTEM_CALLS,
        write: async (handle, bytes) => {
          if (once) it.editor.show(it.path('a.txt')).type('TYPED\nb\nc\nd\n');
          once = false;
          await SYSTEM_CALLS.write(handle, bytes);
        },
      },
    });
    it.put('a.txt', 'a\nb\nc\nd\n');
    await it.read('a.txt');
    await it.write('a.txt', 'a\nb\nc\nAGENT\n');
    assert.equal(it.editor.find(it.path('a.txt'))?.text(), 'TYPED\nb\nc\nAGENT\n');
    assert.equal(it.text('a.txt'), 'TYPED\nb\nc\nAGENT\n');
  });

  test(
    'is not saved through a document whose path leads elsewhere by now',
    { skip: !posix },
    async (t) => {
      const it = room(t);
      const outside = room(t);
      fs.mkdirSync(it.path('folder'));
      it.put('folder/a.txt', 'old\n');
      it.editor.show(it.path('folder/a.txt')).type('typed\n');
      await it.read('folder/a.txt');
      fs.renameSync(it.path('folder'), it.path('moved'));
      outside.put('a.txt', 'outside\n');
      fs.symlinkSync(outside.folder, it.path('folder'));
      await assert.rejects(
        it.write('folder/a.txt', 'new\n'),
        fault('refused', /leads to another file/),
      );
      assert.equal(outside.text('a.txt'), 'outside\n');
    },
  );

  test('does not wait for other files', async (t) => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let first = true;
    const it = room(t, {
      calls: {
        ...SYSTEM_CALLS,
        write: async (handle, bytes) => {
          const wait = first;
          first = false;
          if (wait) await held;
          await SYSTEM_CALLS.write(handle, bytes);
        },
      },
    });
    const slow = it.write('slow.txt', 'slow');
    // A read of a file that is being written waits for it; others do not.
    await it.write(path.join('x', 'quick.txt'), 'quick');
    assert.equal(await it.read('x/quick.txt'), 'quick');
    release();
    await slow;
    assert.equal(it.text('slow.txt'), 'slow');
  });
});

/** A small disk of its own at `disk`. Removed before the room. */
function mounted(it: Room, options: string): boolean {
  fs.mkdirSync(it.path('disk'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', it.path('disk')], {
      stdio: 'ignore',
    });
  } catch {
    return false;
  }
  it.beforeRemoval = () => {
    execFileSync('umount', [it.path('disk')]);
  };
  return true;
}
