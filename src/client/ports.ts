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
  readonly onDidChange: Event<void>;
}

export interface Workspace {
  /** Absolute paths of the workspace folders on this disk, in the person's order. */
  folders(): readonly string[];
  trusted(): boolean;
  /** Folders or trust changed. */
  readonly onDidChange: Event<void>;
}

/** Text files as the person sees them. Errors are `FileFault`s. */
export interface WorkspaceFiles {
  /** @param line 1-based first line. @param limit Count of lines. `null`: from the start; to the end. */
  read(
    path: string,
    range: { readonly line: number | null; readonly limit: number | null },
    signal: AbortSignal,
  ): Promise<string>;
  write(path: string, content: string, signal: AbortSignal): Promise<void>;
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
  readonly diffs: readonly DiffContent[];
  /** In the agent's order. */
  readonly options: readonly PermissionChoice[];
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
