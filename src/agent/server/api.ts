import type {
  AvailableCommand,
  ClientCapabilities,
  ContentBlock,
  EnvVariable,
  McpServer,
  PermissionOption,
  PlanEntry,
  SessionConfigOption,
  SessionInfoUpdate,
  SessionModeState,
  SessionUpdate,
  StopReason,
  TerminalExitStatus,
  TerminalOutputResponse,
  ToolCall,
  ToolCallUpdate,
} from '../../protocol/acp.ts';
import type { Form, FormAnswer, PageToVisit } from './forms.ts';

/** What an agent tells about itself in the answer to `initialize`. */
export interface AgentInfo {
  /** A name for programs: short, lower case, without spaces. */
  readonly name: string;
  /** A name for people. */
  readonly title: string;
  readonly version: string;
  /** Kinds of prompt content beyond text and links, which every agent takes. Left out means not supported. */
  readonly prompt?: {
    readonly image?: boolean;
    readonly audio?: boolean;
    readonly embeddedContext?: boolean;
  };
  /** Kinds of MCP servers that the agent connects to. A session with any other is refused. */
  readonly mcp?: { readonly stdio?: boolean; readonly http?: boolean; readonly sse?: boolean };
  /** Whether a session may have more folders than one. Left out means not. */
  readonly additionalDirectories?: boolean;
}

/** What a client wants of a session beyond its folder; only what the agent has declared. */
export interface SessionSetup {
  readonly mcpServers: readonly McpServer[];
  /** Absolute paths. */
  readonly additionalDirectories: readonly string[];
}

/**
 * The conversation's side of the library: whoever embeds `serve` implements this and `Session`. What an agent can do
 * beyond it, it says by having more methods (`SessionLoader`, `AgentExtras`).
 *
 * Whatever a method throws is answered with "internal error" and told to the log; a `Refusal` is told to the client.
 */
export interface Agent {
  readonly info: AgentInfo;
  /**
   * Starts a conversation.
   *
   * @param cwd The absolute path of the session's folder, as the client named it. It need not exist.
   * @param signal Aborts when the session ends, with the connection at the latest, and also when nobody wants it any
   *   more before it is there: whatever the session has started must end with it.
   */
  newSession(cwd: string, signal: AbortSignal, setup: SessionSetup): Session | Promise<Session>;
}

/** An agent that can open its conversations again. Only with this is `loadSession` advertised. */
export interface SessionLoader {
  /**
   * Opens a conversation again and replays it to the client: `client.userMessage` and `client.message`, in the order in
   * which it went. The request is answered when this has returned.
   *
   * @param id What the client calls it. The session must have it; undefined says that there is none.
   * @param client Usable until this returns.
   * @param signal As in `newSession`.
   */
  loadSession(
    id: string,
    cwd: string,
    client: SessionClient,
    signal: AbortSignal,
    setup: SessionSetup,
  ): Session | undefined | Promise<Session | undefined>;
}

/** One conversation. At most one of its prompts runs at a time. */
export interface Session {
  /** Unique on this connection, and not empty. */
  readonly id: string;
  /** Left out where the session works in one way only. */
  readonly modes?: SessionModes;
  /** Left out where there is nothing to choose. */
  readonly settings?: SessionSettings;
  /** Called once, after the client has been told that the session is open; the place to advertise commands. */
  opened?(client: SessionClient): Promise<void>;
  /**
   * Answers one prompt.
   *
   * Throw a `Refusal` for an error that the client shall see as it is; anything else that is thrown reaches it as
   * "internal error" and goes to the log. What is thrown after `signal` has aborted counts as cancelled. Return soon
   * after that: the session takes no other prompt before.
   *
   * @param content What the person sent; only kinds of content that the agent has declared.
   * @param signal Aborts when the turn is cancelled or the connection ends.
   */
  prompt(
    content: readonly ContentBlock[],
    client: SessionClient,
    signal: AbortSignal,
  ): Promise<StopReason>;
}

/** Ways for a session to work, one at a time, which the person chooses. */
export interface SessionModes {
  /** Told when the session is opened. The session tells of its own changes: `client.mode`. */
  readonly state: SessionModeState;
  /** @param id One of those that `state` offers. Called at any time, also during a turn. */
  set(id: string, client: SessionClient): void | Promise<void>;
}

/** Choices that a session offers to the person. */
export interface SessionSettings {
  /**
   * All of them, each with its value. Those of type `boolean` are told only to clients that know them.
   *
   * @param capabilities What the client offers.
   */
  options(capabilities: ClientCapabilities): readonly SessionConfigOption[];
  /** @param value One that the option offers. Called at any time, also during a turn. */
  set(id: string, value: string | boolean, client: SessionClient): void | Promise<void>;
}

/** What a person decided about a permission request. */
export type PermissionAnswer =
  | { readonly outcome: 'selected'; readonly option: PermissionOption }
  | { readonly outcome: 'cancelled' };

/** Which part of a file to read: the first line (1-based) and how many lines. Left out means all. */
export interface LineRange {
  readonly line?: number;
  readonly limit?: number;
}

/**
 * The client, as one session sees it. Every promise resolves when the frame has been handed to the client's pipe, so
 * that awaiting it keeps the agent at the client's speed. All reject once the signal of the prompt that it was given to
 * has aborted, or when that prompt has returned.
 */
export interface SessionClient {
  /** What the client offers. Look before calling `readTextFile`, `writeTextFile` or `createTerminal`. */
  readonly capabilities: ClientCapabilities;
  /** Any update, for what has no method of its own here. */
  update(update: SessionUpdate): Promise<void>;
  /** A piece of what the person once said, for the replay of a conversation. */
  userMessage(content: ContentBlock | string, messageId: string): Promise<void>;
  /** A piece of the agent's answer. Pieces with the same `messageId` form one message. */
  message(text: string, messageId: string): Promise<void>;
  /** A piece of the agent's thoughts. */
  thought(text: string, messageId: string): Promise<void>;
  toolCall(call: ToolCall): Promise<void>;
  /** Fields that are left out stay as they are at the client; fields set to an empty value are emptied. */
  toolCallUpdate(update: ToolCallUpdate): Promise<void>;
  /** The whole plan, which replaces the one before; null takes it away. */
  plan(entries: readonly PlanEntry[] | null): Promise<void>;
  commands(commands: readonly AvailableCommand[]): Promise<void>;
  info(info: SessionInfoUpdate): Promise<void>;
  /** The session works in another mode now. */
  mode(id: string): Promise<void>;
  /** All of the session's options, after one has changed; those that the client does not know are left out. */
  settings(options: readonly SessionConfigOption[]): Promise<void>;
  /**
   * Asks the person, and waits as long as it takes. An answer that names none of the options counts as cancelled.
   *
   * @throws RequestError when the client answers with an error; the signal's reason when it aborts first.
   */
  requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<PermissionAnswer>;
  /**
   * Has the person fill in a form, and waits as long as it takes. Look at `capabilities.elicitation.form` before.
   *
   * @throws RequestError when the client answers with an error; the signal's reason when it aborts first.
   */
  fillIn(message: string, form: Form, signal: AbortSignal): Promise<FormAnswer>;
  /**
   * Asks the person to visit a page. An acceptance says that they will, not that they have. Look at
   * `capabilities.elicitation.url` before.
   *
   * @throws as `fillIn`.
   */
  visit(message: string, page: PageToVisit, signal: AbortSignal): Promise<FormAnswer['action']>;
  /** What the person was asked to visit that page for is done. */
  visited(id: string): Promise<void>;
  /** Reads through the client, which knows unsaved changes. @throws RequestError as the client answered. */
  readTextFile(path: string, range: LineRange, signal: AbortSignal): Promise<string>;
  /** Writes through the client. @throws RequestError as the client answered. */
  writeTextFile(path: string, content: string, signal: AbortSignal): Promise<void>;
  /**
   * Has the client run a command. Whoever creates a terminal releases it, whatever happens in between.
   *
   * @throws RequestError as the client answered: refused, not found, not executable; the signal's reason.
   */
  createTerminal(command: TerminalCommand, signal: AbortSignal): Promise<ClientTerminal>;
}

export interface TerminalCommand {
  /** A program; or, with blanks in it and no `args`, a line for the person's shell. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvVariable[];
  /** An absolute path; the session's folder if left out. */
  readonly cwd?: string;
  /** Bytes of output that the client keeps; the oldest go first. */
  readonly outputByteLimit?: number;
}

/** A command that the client runs. */
export interface ClientTerminal {
  /** What a tool call shows as content of type `terminal`. */
  readonly id: string;
  /** What it has printed so far. @throws RequestError as the client answered. */
  output(signal: AbortSignal): Promise<TerminalOutputResponse>;
  /** How it ended, once it has. @throws RequestError as the client answered; the signal's reason. */
  waitForExit(signal: AbortSignal): Promise<TerminalExitStatus>;
  /** Ends the command; the terminal stays. Sent after the turn was cancelled, too, but not waited for. Never rejects. */
  kill(): Promise<void>;
  /** Ends the command and the terminal. Sent after the turn was cancelled, too, but not waited for. Never rejects. */
  release(): Promise<void>;
}
