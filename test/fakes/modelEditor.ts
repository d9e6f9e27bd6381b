import {
  FileFault,
  type Documents,
  type OpenDocument,
  type TextEdit,
} from '../../src/client/ports.ts';

/** What documents are loaded from and saved to, as text. */
export interface ModelDisk {
  /** `null`: there is no file. */
  read(path: string): string | null;
  write(path: string, text: string, encoding: string): void;
}

/** One state of a document; the same object again after undo and redo. */
interface State {
  readonly text: string;
}

/** A document as VS Code has it: line ends of one kind, an undo history, dirty while it is not in its saved state. */
export class ModelDocument implements OpenDocument {
  private readonly end: string;
  private readonly past: State[] = [];
  private readonly future: State[] = [];
  private now: State;
  private savedState: State | null;
  /** What the disk held when the document was loaded or saved. */
  private onDisk: string | null;
  readonly saves: { readonly actions: boolean; readonly text: string }[] = [];
  /** The edits of each undo step that was not typed. */
  readonly edits: (readonly TextEdit[])[] = [];
  /** Called before an edit is made, and before a save. */
  onStep: (step: 'edit' | 'save') => void | Promise<void> = () => undefined;
  /** What saving makes of the text when save actions run. */
  format: (text: string) => string = (text) => text;
  /** Why the document takes no edits. */
  readOnly: FileFault | null = null;

  constructor(
    readonly path: string,
    private readonly disk: ModelDisk,
    readonly isUntitled: boolean,
    readonly encoding: string,
  ) {
    this.onDisk = isUntitled ? null : disk.read(path);
    this.end = this.onDisk?.includes('\r\n') === true ? '\r\n' : '\n';
    this.now = { text: this.withOwnEnds(this.onDisk ?? '') };
    this.savedState = isUntitled ? null : this.now;
  }

  get isDirty(): boolean {
    return this.savedState === null ? this.now.text !== '' : this.now !== this.savedState;
  }

  text(): string {
    return this.now.text;
  }

  /** The texts that undo and redo lead to. */
  history(): readonly string[] {
    return [...this.past, ...this.future].map(({ text }) => text);
  }

  /** The person changes the text: one undo step. */
  type(text: string): void {
    this.past.push(this.now);
    this.future.length = 0;
    this.now = { text: this.withOwnEnds(text) };
  }

  undo(): void {
    this.travel(this.past, this.future);
  }

  redo(): void {
    this.travel(this.future, this.past);
  }

  async edit(before: string, edits: readonly TextEdit[]): Promise<boolean> {
    await this.onStep('edit');
    if (this.readOnly !== null) throw this.readOnly;
    if (this.now.text !== before) return false;
    let text = '';
    let done = 0;
    for (const { start, end, text: put } of edits) {
      if (start < done || end < start) throw new Error('the edits overlap or are not sorted');
      text += before.slice(done, start) + put;
      done = end;
    }
    this.edits.push(edits);
    this.type(text + before.slice(done));
    return true;
  }

  async save(actions: boolean): Promise<void> {
    await this.onStep('save');
    if (this.isOvertaken()) {
      throw new FileFault('failed', `The document is older than the file: ${this.path}`);
    }
    if (actions && this.format(this.now.text) !== this.now.text) {
      this.type(this.format(this.now.text));
    }
    this.disk.write(this.path, this.now.text, this.encoding);
    this.onDisk = this.disk.read(this.path);
    this.savedState = this.now;
    this.saves.push({ actions, text: this.now.text });
  }

  /** Whether something else was saved since the document was loaded or saved. */
  isOvertaken(): boolean {
    return this.disk.read(this.path) !== this.onDisk;
  }

  /** A clean document takes up what is saved; one more undo step, as in VS Code. */
  refresh(): void {
    if (!this.isDirty && this.isOvertaken()) this.revert();
  }

  revert(): void {
    this.onDisk = this.disk.read(this.path);
    this.type(this.onDisk ?? '');
    this.savedState = this.now;
  }

  private travel(from: State[], to: State[]): void {
    const state = from.pop();
    if (state === undefined) return;
    to.push(this.now);
    this.now = state;
  }

  private withOwnEnds(text: string): string {
    return text.replaceAll(/\r\n|\r|\n/g, this.end);
  }
}

/** An editor's documents over a disk that a test holds in its hands. */
export class ModelEditor implements Documents {
  private readonly open = new Map<string, ModelDocument>();
  readonly refreshes: { readonly path: string; readonly text: string }[] = [];
  /** An editor that does not notice what is saved under its documents. */
  neverRefreshes = false;

  constructor(private readonly disk: ModelDisk) {}

  find(path: string): ModelDocument | undefined {
    return this.open.get(path);
  }

  refreshed(path: string, text: string): Promise<void> {
    this.refreshes.push({ path, text });
    if (!this.neverRefreshes) this.open.get(path)?.refresh();
    return Promise.resolve();
  }

  /** @param untitled A new document, for a file that does not exist. */
  show(path: string, { untitled = false, encoding = 'utf8' } = {}): ModelDocument {
    const shown = this.open.get(path) ?? new ModelDocument(path, this.disk, untitled, encoding);
    this.open.set(path, shown);
    return shown;
  }

  close(path: string): void {
    this.open.delete(path);
  }
}
