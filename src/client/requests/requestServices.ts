import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { FileAccess } from '../files/access.ts';
import { FileQueue } from '../files/fileQueue.ts';
import { TextFiles } from '../files/textFiles.ts';
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

export interface RequestPorts {
  readonly documents: Documents;
  readonly codec: TextCodec;
  readonly virtual: VirtualFiles;
  readonly conflicts: WriteConflicts;
  readonly shell: UserShell;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly log: Log;
}

/** What all chats of the window share to serve the requests of their agents. */
export class RequestServices implements Disposable {
  private readonly owned = new Disposables();
  readonly access: FileAccess;
  readonly texts: TextFiles;
  readonly terminals: Terminals;
  readonly gate = new Gate(PLACES.all, PLACES.each);
  /** Writes of one file come one after the other, and those that wait for that hold no place. */
  readonly writes = new FileQueue();
  readonly shell: UserShell;
  readonly workspace: Workspace;
  readonly log: Log;

  constructor(ports: RequestPorts) {
    const { documents, codec, virtual, settings, workspace, log } = ports;
    this.shell = ports.shell;
    this.workspace = workspace;
    this.log = log;
    this.access = new FileAccess({ workspace, platform: platformOf(process.platform) });
    // A question to the person must not keep others from their files.
    const conflicts: WriteConflicts = {
      resolve: (conflict, signal) =>
        this.gate.outside(() => ports.conflicts.resolve(conflict, signal)),
    };
    this.texts = new TextFiles({ documents, codec, virtual, conflicts, settings, log });
    this.terminals = this.owned.add(new Terminals({ log }));
  }

  dispose(): void {
    this.owned.dispose();
  }
}
