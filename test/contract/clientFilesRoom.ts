import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { DiskPlace } from '../../src/client/files/place.ts';
import type { Replacing } from '../../src/client/files/replaceFile.ts';
import { KnownTexts } from '../../src/client/files/knownTexts.ts';
import { TextFiles, type Written } from '../../src/client/files/textFiles.ts';
import { FileFault } from '../../src/client/ports.ts';
import { FakeConflicts } from '../fakes/fakeConflicts.ts';
import { FakeSettings } from '../fakes/fakeSettings.ts';
import { FakeVirtualFiles } from '../fakes/fakeVirtualFiles.ts';
import { ModelEditor } from '../fakes/modelEditor.ts';
import { RecordingLog } from '../fakes/recordingLog.ts';
import { TestCodec } from '../fakes/testCodec.ts';

/** A folder of real files, and the file layer over it; no document is open unless a test shows one. */
export class Room {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-files-')));
  readonly codec = new TestCodec();
  readonly conflicts = new FakeConflicts();
  readonly settings = new FakeSettings();
  readonly known = new KnownTexts();
  readonly log = new RecordingLog();
  readonly editor = new ModelEditor({
    read: (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null),
    write: (file, text) => {
      fs.writeFileSync(file, text);
    },
  });
  readonly files: TextFiles;
  beforeRemoval: () => void = () => undefined;

  constructor(system: Partial<Pick<Replacing, 'footing' | 'platform' | 'calls'>> = {}) {
    const { codec, conflicts, settings, log } = this;
    const virtual = new FakeVirtualFiles();
    this.files = new TextFiles(
      { documents: this.editor, codec, virtual, conflicts, settings, log },
      system,
    );
  }

  remove(): void {
    this.beforeRemoval();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  put(name: string, content: string | Uint8Array): string {
    fs.writeFileSync(this.path(name), content);
    return this.path(name);
  }

  bytes(name: string): Buffer {
    return fs.readFileSync(this.path(name));
  }

  text(name: string): string {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  /** What is in the folder, in order. */
  names(): readonly string[] {
    return fs.readdirSync(this.folder).sort();
  }

  /** @param name In the folder, or absolute. */
  read(
    name: string,
    span: { readonly line?: number; readonly limit?: number } = {},
    signal = new AbortController().signal,
  ): Promise<string> {
    const { line = null, limit = null } = span;
    return this.files.read(this.place(name), { line, limit }, this.known, signal);
  }

  write(name: string, content: string, signal = new AbortController().signal): Promise<Written> {
    const writer = { agentName: 'An Agent', known: this.known };
    return this.files.write(this.place(name), content, writer, signal);
  }

  place(name: string): DiskPlace {
    const file = path.resolve(this.folder, name);
    return { kind: 'disk', path: file, real: file };
  }
}

/** A room that is removed when the test has ended. */
export function room(
  t: TestContext,
  system: Partial<Pick<Replacing, 'footing' | 'platform' | 'calls'>> = {},
): Room {
  const made = new Room(system);
  t.after(() => {
    made.remove();
  });
  return made;
}

/** For `assert.rejects`. */
export function fault(kind: FileFault['kind'], words: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof FileFault && error.kind === kind && words.test(error.message);
}

/** An error as the system gives it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Whom nothing belongs to, on most systems. */
export const NOBODY = 65534;

/** Permissions mean nothing to root: for the rest of the test, a root process is nobody, who owns the room's folder. */
export function withoutRoot(t: TestContext, it: Room): void {
  const { setegid, seteuid, getuid } = process;
  if (setegid === undefined || seteuid === undefined || getuid?.() !== 0) return;
  fs.chownSync(it.folder, NOBODY, NOBODY);
  setegid(NOBODY);
  seteuid(NOBODY);
  const back = (): void => {
    seteuid(0);
    setegid(0);
  };
  t.after(back);
  // What the test cleans up is cleaned up by root again.
  const before = it.beforeRemoval;
  it.beforeRemoval = () => {
    back();
    before();
  };
}
