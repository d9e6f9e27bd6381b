import { Cancelled } from '../../../../src/base/errors.ts';
import { KnownTexts } from '../../../../src/client/files/knownTexts.ts';
import { TextFiles } from '../../../../src/client/files/textFiles.ts';
import { FileFault } from '../../../../src/client/ports.ts';
import { FakeConflicts } from '../../../fakes/fakeConflicts.ts';
import { FakeSettings } from '../../../fakes/fakeSettings.ts';
import { FakeVirtualFiles } from '../../../fakes/fakeVirtualFiles.ts';
import { ModelEditor } from '../../../fakes/modelEditor.ts';
import type { FileStage, StagedWrite } from '../../../fakes/playFileSequence.ts';
import { RecordingLog } from '../../../fakes/recordingLog.ts';
import { TestCodec } from '../../../fakes/testCodec.ts';

const PLACE = { kind: 'virtual', path: '/w/file.txt' } as const;

/** One file in memory, its editor and its agent. */
export class ModelStage implements FileStage {
  private readonly virtual = new FakeVirtualFiles();
  private readonly codec = new TestCodec();
  private readonly conflicts = new FakeConflicts();
  private readonly known = new KnownTexts();
  private readonly editor = new ModelEditor({
    read: () => this.text(),
    write: (_path, text) => {
      this.put(text);
    },
  });
  private readonly files = new TextFiles({
    documents: this.editor,
    codec: this.codec,
    virtual: this.virtual,
    conflicts: this.conflicts,
    settings: new FakeSettings(),
    log: new RecordingLog(),
  });
  /** What became of the agent's requests. */
  readonly counts = { written: 0, refused: 0, conflicts: 0, interrupted: 0 };

  constructor(initial: string) {
    this.put(initial);
  }

  open(): Promise<void> {
    this.editor.show(PLACE.path);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.editor.close(PLACE.path);
    return Promise.resolve();
  }

  document(): { readonly text: string; readonly isDirty: boolean } | null {
    const document = this.editor.find(PLACE.path);
    return document === undefined ? null : { text: document.text(), isDirty: document.isDirty };
  }

  saved(): Promise<string> {
    return Promise.resolve(this.text());
  }

  type(text: string): Promise<void> {
    this.editor.find(PLACE.path)?.type(text);
    return Promise.resolve();
  }

  undo(): Promise<void> {
    this.editor.find(PLACE.path)?.undo();
    return Promise.resolve();
  }

  redo(): Promise<void> {
    this.editor.find(PLACE.path)?.redo();
    return Promise.resolve();
  }

  async save(): Promise<void> {
    await this.editor
      .find(PLACE.path)
      ?.save(true)
      .catch((error: unknown) => {
        if (!(error instanceof FileFault)) throw error;
      });
  }

  revert(): Promise<void> {
    this.editor.find(PLACE.path)?.revert();
    return Promise.resolve();
  }

  writeOutside(text: string): Promise<void> {
    this.put(text);
    this.editor.find(PLACE.path)?.refresh();
    return Promise.resolve();
  }

  writeOutsideSoon(text: string): Promise<void> {
    this.put(text);
    return Promise.resolve();
  }

  async agentRead(): Promise<string> {
    return this.files.read(PLACE, { line: null, limit: null }, this.known, never());
  }

  async agentWrite(content: string, write: StagedWrite): Promise<boolean> {
    let left = write.interruption?.after ?? Infinity;
    const step = async (): Promise<void> => {
      left--;
      if (left !== -1) return;
      this.counts.interrupted++;
      await write.interrupt();
    };
    this.codec.onStep = step;
    this.virtual.onRead = step;
    const document = this.editor.find(PLACE.path);
    if (document !== undefined) document.onStep = step;
    this.conflicts.answer = async (conflict) => {
      this.counts.conflicts++;
      const answer = write.answer(conflict);
      await step();
      return answer;
    };
    try {
      await this.files.write(PLACE, content, { agentName: 'An Agent', known: this.known }, never());
      this.counts.written++;
      return true;
    } catch (error) {
      if (!(error instanceof FileFault) || error instanceof Cancelled) throw error;
      this.counts.refused++;
      return false;
    } finally {
      this.codec.onStep = () => undefined;
      this.virtual.onRead = () => undefined;
      if (document !== undefined) document.onStep = () => undefined;
      this.editor.find(PLACE.path)?.refresh();
    }
  }

  private text(): string {
    return Buffer.from(this.virtual.files.get(PLACE.path) ?? []).toString('utf8');
  }

  private put(text: string): void {
    this.virtual.files.set(PLACE.path, Buffer.from(text, 'utf8'));
  }
}

function never(): AbortSignal {
  return new AbortController().signal;
}
