/**
 * What the application needs from an editor, by role. `src/vscode/ports` has the adapters; tests have fakes.
 */
import type { Event } from '../base/event.ts';
import type { DiffContent, PermissionChoice } from '../thread/thread.ts';

/** A log with levels. Never given prompts, file contents or values of environment variables above level `trace`. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** An agent as the settings describe it, not yet expanded. */
export interface AgentSetting {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
  /** Where the value comes from. One from a workspace needs trust, and consent to its command line. */
  readonly origin: 'user' | 'workspace';
}

/** A language model for the bundled agent. */
export interface ReferenceModel {
  /** As the person typed it; `''` if there is none. */
  readonly baseUrl: string;
  readonly model: string;
  /** What it has room for. */
  readonly contextTokens: number;
}

/** Keys of model endpoints. */
export interface ModelKeys {
  /** The key that the person gave for the host of this address; `''` if none. */
  keyFor(baseUrl: string): Promise<string>;
}

export interface Settings {
  /** By name; entries that are not well-formed are left out and logged. */
  agents(): ReadonlyMap<string, AgentSetting>;
  /** A key of `agents()`, or `reference`. */
  defaultAgent(): string;
  /** Writes the choice where the person would: user settings, or the workspace's where it already has a value. */
  setDefaultAgent(id: string): Promise<void>;
  permissionPrompt(): 'quickPick' | 'notification' | 'card';
  trace(): boolean;
  /** Milliseconds. */
  initializeTimeout(): number;
  /** Bytes. */
  maxLineBytes(): number;
  /** Whether format on save and other save actions may run when an agent's write is saved. */
  runSaveActions(): boolean;
  /** The largest file that is read as a whole, in bytes. */
  maxReadBytes(): number;
  /** From the person's own settings on this machine: no workspace may say where their key and prompts go. */
  referenceModel(): ReferenceModel;
  readonly onDidChange: Event<void>;
}

export interface Workspace {
  /** Absolute paths of the workspace folders on this disk, in the person's order. */
  folders(): readonly string[];
  /** Absolute POSIX paths of the workspace folders that are not on this disk, in the person's order. */
  virtualFolders(): readonly string[];
  trusted(): boolean;
  /** Folders or trust changed. */
  readonly onDidChange: Event<void>;
}

/** Why a file could not be read or written, in a sentence that a model can act on. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(
    readonly kind: 'notFound' | 'refused' | 'failed',
    message: string,
  ) {
    super(message);
  }
}

/** Replaces what lies between two offsets of a text, in UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A document that the editor holds, with a tab or without. */
export interface OpenDocument {
  /** The absolute path, as the editor spells it. */
  readonly path: string;
  /** New and never saved; saving creates the file. */
  readonly isUntitled: boolean;
  /** Something was typed that is not on the disk. */
  readonly isDirty: boolean;
  /** The editor's name of the encoding that saving uses, such as `utf8bom` or `shiftjis`. */
  readonly encoding: string;
  /** With the document's line ends: `\n` throughout or `\r\n` throughout. */
  text(): string;
  /**
   * Makes all edits in one undo step; they are sorted and do not overlap.
   * @param before The text that the offsets count in.
   * @returns False if the text is no longer `before`; nothing was changed then. Rejects with a `FileFault` if the
   *   document takes no edits.
   */
  edit(before: string, edits: readonly TextEdit[]): Promise<boolean>;
  /**
   * Saves what the document holds. Rejects with a `FileFault`, and the document then keeps its text.
   * @param actions Whether format on save and the like may run.
   */
  save(actions: boolean): Promise<void>;
}

export interface Documents {
  /** The document of a file, found whatever its case on a disk that does not tell case apart. */
  find(path: string): OpenDocument | undefined;
  /**
   * Resolves when a clean document shows what is on the disk, or there is none; in bounded time. Called after the disk was
   * changed under it.
   */
  refreshed(path: string, text: string): Promise<void>;
}

export interface DecodedText {
  /** Without the byte-order mark; line ends as they are. */
  readonly text: string;
  /** What `encode` takes to give the same bytes again, the byte-order mark included. */
  readonly encoding: string;
}

/** Text and bytes, as the editor and its settings for a file read and write them. */
export interface TextCodec {
  /** Rejects with a `FileFault` for bytes that are not text. */
  decode(bytes: Uint8Array, path: string): Promise<DecodedText>;
  /**
   * Rejects with a `FileFault` if the encoding cannot hold the text.
   * @param encoding `null` for a new file: as the settings say.
   */
  encode(text: string, path: string, encoding: string | null): Promise<Uint8Array>;
}

/** Files of the workspace that are not on this disk. Errors are `FileFault`s. */
export interface VirtualFiles {
  /**
   * Rejects, before anything is loaded, for a file that is larger.
   * @param path An absolute POSIX path inside one of `Workspace.virtualFolders`.
   */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Parents are created. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** False for a file system that is read-only, or that the editor does not know. */
  writable(path: string): boolean;
}

/** An agent's text and the person's, which changed the same lines since the agent read them. */
export interface WriteConflict {
  readonly path: string;
  readonly agentName: string;
  /** What the person has now. */
  readonly mine: string;
  /** What the agent wants to write. */
  readonly theirs: string;
  /** Both, with conflict markers around the lines that both changed. */
  readonly marked: string;
}

/** Asks the person what becomes of a conflict. */
export interface WriteConflicts {
  /**
   * `mine`: the agent is refused. `theirs`: the agent's text is written. `merged`: the person made one text of both, which
   * is written. Putting the question away is `mine`: nothing is lost that the person typed.
   */
  resolve(conflict: WriteConflict, signal: AbortSignal): Promise<ConflictAnswer>;
}

export type ConflictAnswer =
  | { readonly kind: 'mine' }
  | { readonly kind: 'theirs' }
  | { readonly kind: 'merged'; readonly text: string };

/** The person's own shell. */
export interface UserShell {
  /** The absolute path or the name of its program. */
  path(): string;
}

export interface PermissionQuestion {
  readonly permissionId: string;
  readonly chatTitle: string;
  readonly agentName: string;
  /** What the agent called it; agents choose these words, so they are text, never markup. */
  readonly title: string;
  /** The protocol's tool kind in words for a person. */
  readonly kind: string;
  /** The full command or file, with all its lines; `''` if the agent did not say. */
  readonly subject: string;
  /** What else Parley knows of it, in its own words, a line each: where a command is to run, what it changes. */
  readonly facts: readonly string[];
  readonly diffs: readonly DiffContent[];
  /** In the agent's order. */
  readonly options: readonly PermissionChoice[];
  /** Why Parley itself asks, in its own words; `''` where the agent asks. */
  readonly reason: string;
}

/** Asks the person in the editor's own way. */
export interface PermissionPrompt {
  /**
   * Shows the question until it is answered, put away or `signal` aborts.
   * @returns The chosen option's id; `undefined` when it was put away: that is no answer.
   */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Tells that a request waits in a chat that is not in view.
   * @returns True if the person wants to see it now.
   */
  notify(question: PermissionQuestion, signal: AbortSignal): Promise<boolean>;
}

/** The chat view, as far as deciding how to ask depends on it. */
export interface ChatWindow {
  /** The chat that the person can see now; `undefined` while the view is hidden. */
  chatInView(): string | undefined;
  readonly onDidChange: Event<void>;
  /** Shows the view with this chat. */
  reveal(chatId: string): Promise<void>;
}

export interface LaunchQuestion {
  readonly agentId: string;
  /** The whole command line, quoted as a shell would need it. */
  readonly commandLine: string;
  readonly cwd: string;
  /** Names only: values may be secrets. */
  readonly envNames: readonly string[];
}

/** Asks before a program that a workspace names is started for the first time. */
export interface LaunchConsent {
  agree(question: LaunchQuestion): Promise<boolean>;
}

/** Small values that outlive the window. */
export interface Memory {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}
