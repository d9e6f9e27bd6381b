/**
 * Everything that the extension host and the chat page say to each other. The page holds no second model: it has the
 * last view it heard and a revision. A snapshot replaces; a patch names the revision it starts from; a page that is out
 * of step says `ready` and gets a snapshot. So a page may be thrown away at any moment.
 */
import type { AgentInfo, ChatSummary } from '../thread/status.ts';
import type { Change, Thread } from '../thread/thread.ts';

export type * from '../thread/status.ts';
export type * from '../thread/thread.ts';

/** All that the page shows. */
export interface ChatViewState {
  readonly chat: ChatInfo;
  readonly thread: Thread;
  readonly agent: AgentInfo;
  /** All chats, most recently used first, the shown one included. */
  readonly chats: readonly ChatSummary[];
  /** The agents that can be chosen for a new chat. */
  readonly agents: readonly AgentChoice[];
  readonly workspace: WorkspaceInfo;
}

export interface ChatInfo {
  readonly id: string;
  /** Live in another window: shown, not written. */
  readonly readOnly: boolean;
}

export interface AgentChoice {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly chosen: boolean;
}

export interface WorkspaceInfo {
  /** False with no folder open: the agent then works in a folder of its own, and the chat says so. */
  readonly hasFolder: boolean;
  /** Absolute paths of the folders that are on a disk: of places in them only the rest is shown. */
  readonly folders?: readonly string[];
  readonly trusted: boolean;
}

/** Host to page. */
export type ToWebview =
  | { readonly type: 'snapshot'; readonly revision: number; readonly view: ChatViewState }
  | {
      readonly type: 'patch';
      /** The revision that this patch starts from; the result is `revision`. */
      readonly base: number;
      readonly revision: number;
      readonly changes: readonly Change[];
      /** Parts of the view other than the thread that are new. */
      readonly view: Partial<Omit<ChatViewState, 'thread'>>;
    }
  /** Puts the focus where the person expects it after a command. */
  | { readonly type: 'focus'; readonly target: 'composer' | 'permission' };

/**
 * Page to host: what the person did, never state. Validated by schema on arrival. What is meant for a chat names it: the
 * host may show another one by then.
 */
export type FromWebview =
  | { readonly type: 'ready' }
  | { readonly type: 'prompt'; readonly chatId: string; readonly text: string }
  | { readonly type: 'stop'; readonly chatId: string }
  /** Sent at most every 150 ms while typing, and at once on blur and before the page goes away. */
  | { readonly type: 'draft'; readonly chatId: string; readonly text: string }
  | { readonly type: 'sendQueued'; readonly chatId: string; readonly promptId: string }
  | { readonly type: 'removeQueued'; readonly chatId: string; readonly promptId: string }
  | {
      readonly type: 'answerPermission';
      readonly permissionId: string;
      readonly optionId: string;
    }
  | { readonly type: 'newChat' }
  | { readonly type: 'openChat'; readonly chatId: string }
  | { readonly type: 'chooseAgent'; readonly agentId: string }
  /** Runs the command of that name: the page has buttons for these, and nothing else can be run. */
  | {
      readonly type: 'command';
      readonly command: 'switchChat' | 'selectAgent' | 'restartAgent' | 'showLog' | 'openSettings';
    }
  | { readonly type: 'copy'; readonly text: string }
  /** A path that the agent named; the host checks that it is in the workspace. `line` is 1-based. */
  | { readonly type: 'openFile'; readonly path: string; readonly line: number | null }
  /** Only http, https and mailto are opened, and VS Code asks first. */
  | { readonly type: 'openLink'; readonly href: string }
  /** The native diff editor for one diff of a tool call, by address. */
  | {
      readonly type: 'openDiff';
      readonly chatId: string;
      readonly turn: number;
      readonly entry: number;
      readonly content: number;
    }
  /** Ends a command that Parley runs for the agent; the agent hears of it as of any end. */
  | { readonly type: 'stopTerminal'; readonly chatId: string; readonly terminalId: string }
  /** All that is still known of a terminal's output, in an editor. */
  | { readonly type: 'openTerminalOutput'; readonly chatId: string; readonly terminalId: string }
  /** The terminal in VS Code's own panel, to read along. */
  | { readonly type: 'showTerminal'; readonly chatId: string; readonly terminalId: string }
  /** The output of a command that the agent ran itself, in an editor: `ToolCallEntry.output`, by address. */
  | {
      readonly type: 'openOutput';
      readonly chatId: string;
      readonly turn: number;
      readonly entry: number;
    };
