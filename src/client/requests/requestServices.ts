import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { FileAccess } from '../files/access.ts';
import { FileQueue } from '../files/fileQueue.ts';
import type { TextFiles } from '../files/textFiles.ts';
import { platformOf } from '../files/paths.ts';
import type {
  Documents,
  Log,
  Settings,
  TextCodec,
  UserShell,
  VirtualFiles,
  Workspace,
  WriteConflicts,
} from '../ports.ts';
import { Terminals } from '../terminals/terminals.ts';
import { Gate } from './gate.ts';

/** Requests that touch files or start programs which are in work at a time, over all chats, and of one chat. */
const PLACES = { all: 8, each: 6 };

/** What only files need. */
export interface FilePorts {
  readonly documents: Documents;
  readonly codec: TextCodec;
  readonly virtual: VirtualFiles;
  readonly conflicts: WriteConflicts;
}

export interface RequestPorts {
  /** Called with the first file that an agent reads or writes, and again with the next one only if it rejects. */
  readonly filePorts: () => Promise<FilePorts>;
  readonly shell: UserShell;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly log: Log;
}

/** What all chats of the window share to serve the requests of their agents. */
export class RequestServices implements Disposable {
  private readonly owned = new Disposables();
  readonly access: FileAccess;
  private loadedTexts: Promise<TextFiles> | undefined;
  readonly terminals: Terminals;
  readonly gate = new Gate(PLACES.all, PLACES.each);
  /** Writes of one file come one after the other, and those that wait for that hold no place. */
  readonly writes = new FileQueue();
  readonly shell: UserShell;
  readonly workspace: Workspace;
  readonly log: Log;

  constructor(private readonly ports: RequestPorts) {
    const { workspace, log } = ports;
    this.shell = ports.shell;
    this.workspace = workspace;
    this.log = log;
    this.access = new FileAccess({ workspace, platform: platformOf(process.platform) });
    this.terminals = this.owned.add(new Terminals({ log }));
  }

  /** What reads and writes; it is loaded with the first file. What fails to load may be there for the next one. */
  texts(): Promise<TextFiles> {
    return (this.loadedTexts ??= this.loadTexts().catch((error: unknown) => {
      this.loadedTexts = undefined;
      throw error;
    }));
  }

  private async loadTexts(): Promise<TextFiles> {
    const { settings, log, filePorts } = this.ports;
    const [{ TextFiles }, ports] = await Promise.all([
      import('../files/textFiles.ts'),
      filePorts(),
    ]);
    // A question to the person must not keep others from their files.
    const conflicts: WriteConflicts = {
      resolve: (conflict, signal) =>
        this.gate.outside(() => ports.conflicts.resolve(conflict, signal)),
    };
    return new TextFiles({ ...ports, conflicts, settings, log });
  }

  dispose(): void {
    this.owned.dispose();
  }
}
