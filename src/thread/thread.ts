import type { ContentBlock, SessionUpdate, ToolKind } from '../protocol/acp.ts';

/**
 * A conversation as plain JSON: no clock, no functions, `null` for what is absent, so that it can be stored, sent and
 * compared. It changes only through `reduce` (which changes an event means) and `apply` (what the changes do).
 *
 * Turns and entries are only ever appended, never removed or moved: their index is their address for ever.
 */
export interface Thread {
  /** What the agent or the person named the chat; `null` until then. */
  readonly title: string | null;
  /** All turns before the latest one. Apart from `latest`, so that a chunk never copies this list. */
  readonly past: readonly Turn[];
  /** The turn that runs, or the last one that ran; `null` in a chat where nothing was said yet. */
  readonly latest: Turn | null;
  /** What the person has typed and not sent. */
  readonly draft: string;
  /** Prompts that wait for the running turn to end, oldest first. */
  readonly queue: readonly QueuedPrompt[];
  /** True after Stop: the queue waits for the person instead of going out by itself. */
  readonly queueHeld: boolean;
  /** Slash commands that the agent offers now. */
  readonly commands: readonly AgentCommand[];
  /** Tokens in the context window, as the agent last reported them. */
  readonly usage: ContextUsage | null;
  /** Commands that Parley runs or ran for the agent, by terminal id. They stay after their end and their release. */
  readonly terminals: Readonly<Record<string, Terminal>>;
}

/** A command that runs or ran in a terminal. */
export interface Terminal {
  /** The protocol's terminal id; ours, so unique over all chats. */
  readonly terminalId: string;
  /** The whole command line, quoted as a shell would need it. */
  readonly command: string;
  /** An absolute path. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** `null` while it runs; both fields `null` where nobody saw its end. */
  readonly exit: TerminalExit | null;
  /**
   * The end of what it printed, escape sequences included: at most `TERMINAL_OUTPUT_LIMIT` characters, begun at a
   * character and outside of any sequence. `screen.ts` tells what a terminal would show.
   */
  readonly output: string;
  /** Something before `output` is not shown here. The host has more of it while the window is open. */
  readonly cut: boolean;
}

export interface TerminalExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Characters of a terminal's output that a thread keeps. */
export const TERMINAL_OUTPUT_LIMIT = 65_536;

export interface QueuedPrompt {
  readonly id: string;
  readonly text: string;
}

export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  /** What to type after the command, where it takes something. */
  readonly hint: string | null;
}

/** Tokens: `used` of `size`. */
export interface ContextUsage {
  readonly used: number;
  readonly size: number;
}

/** From a prompt to its answer, with everything that happened between; late updates join the turn they came after. */
export interface Turn {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly state: TurnState;
  readonly entries: readonly Entry[];
}

export type TurnState =
  /** What an agent says before the first prompt (banners, a replayed history). */
  | { readonly kind: 'unprompted' }
  /** `cancelling`: the person pressed Stop and the agent has not yet answered. */
  | { readonly kind: 'running'; readonly cancelling: boolean }
  /** Ended by the agent's answer. `reason` is the protocol's stop reason; one that we do not know is kept as it is. */
  | { readonly kind: 'stopped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It ran when the window or the extension went away, so nobody saw its end. */
  | { readonly kind: 'interrupted' };

/** Why a turn or an agent failed, in words for a person. */
export interface Failure {
  /** One sentence. */
  readonly message: string;
  /** Details worth showing folded: the agent's own error text or data, the last lines of stderr. `''` if none. */
  readonly details: string;
}

export type Entry =
  UserEntry | AgentEntry | ThoughtEntry | BlockEntry | ToolCallEntry | PlanEntry | NoticeEntry;

/** What the person said. */
export interface UserEntry {
  readonly kind: 'user';
  readonly at: number;
  readonly messageId: string | null;
  readonly text: string;
}

/** The agent's answer, Markdown. Text only grows while the entry is open. */
export interface AgentEntry {
  readonly kind: 'agent';
  readonly at: number;
  readonly messageId: string | null;
  readonly text: string;
}

/** The agent thinking aloud, Markdown. */
export interface ThoughtEntry {
  readonly kind: 'thought';
  readonly at: number;
  /** When something else followed, or the turn ended; `null` while the thought is live. */
  readonly endedAt: number | null;
  readonly messageId: string | null;
  readonly text: string;
}

/** A content block that is not text: an image, a sound, a resource or a link to one. */
export interface BlockEntry {
  readonly kind: 'block';
  readonly at: number;
  readonly voice: 'user' | 'agent' | 'thought';
  readonly block: ContentBlock;
}

/** The agent's plan; one per turn, replaced as a whole by each update. An empty one is not shown. */
export interface PlanEntry {
  readonly kind: 'plan';
  readonly at: number;
  readonly steps: readonly PlanStep[];
}

export interface PlanStep {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** A line that Parley itself puts into the chat. */
export interface NoticeEntry {
  readonly kind: 'notice';
  readonly at: number;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
}

export interface ToolCallEntry {
  readonly kind: 'tool';
  readonly at: number;
  readonly endedAt: number | null;
  readonly toolCallId: string;
  /** `''` until the agent has named it. */
  readonly title: string;
  readonly toolKind: ToolKind;
  readonly state: ToolCallState;
  readonly content: readonly ToolContent[];
  readonly locations: readonly ToolLocation[];
  /** JSON values as the agent sent them; `null` if none. */
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
  /** Output of a terminal that the agent runs itself and reports in `_meta`; `''` if none. */
  readonly output: string;
  /** How the command of that terminal ended, as the agent told; `null` until then, or if it never does. */
  readonly exit: TerminalExit | null;
  /** The folder of that terminal, as the agent told. */
  readonly cwd: string | null;
  /** Requests for permission about this call, oldest first. */
  readonly permissions: readonly Permission[];
}

/**
 * The protocol's four states, and three that only a client knows: `waiting` (for the person's permission), `cancelled`
 * (open when its turn ended or was stopped) and `rejected` (its permission was refused).
 */
export type ToolCallState =
  'pending' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'rejected';

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'block'; readonly block: ContentBlock }
  | DiffContent
  | { readonly type: 'terminal'; readonly terminalId: string };

export interface DiffContent {
  readonly type: 'diff';
  readonly path: string;
  /** `null` for a new file. */
  readonly oldText: string | null;
  readonly newText: string;
  /** Count of lines, over the whole diff. */
  readonly added: number;
  readonly removed: number;
  /**
   * What to draw: changed lines with up to three lines around them, in order, at most 400. Lines are left out between
   * two rows where the line numbers jump. Computed here, so that no page needs an algorithm.
   */
  readonly rows: readonly DiffRow[];
  /** Rows beyond the limit, which only the diff editor shows. */
  readonly omittedRows: number;
}

/** One line of a diff. Numbers are 1-based; `null` where the line is not in that file. */
export interface DiffRow {
  readonly kind: 'same' | 'add' | 'del';
  readonly oldLine: number | null;
  readonly newLine: number | null;
  /** Without its line end; cut to 1,000 characters, the last of which is then `…`. */
  readonly text: string;
}

export interface ToolLocation {
  readonly path: string;
  /** 1-based. */
  readonly line: number | null;
}

export interface Permission {
  /** Ours, unique in the chat: the agent's own request ids may repeat. */
  readonly id: string;
  readonly at: number;
  /** Why Parley itself asks, in its own words; absent where the agent asks. No agent can set it. */
  readonly reason?: string;
  /** Where the command would run, if not in the chat's own folder: an absolute path. As Parley understood the agent. */
  readonly folder?: string;
  readonly options: readonly PermissionChoice[];
  readonly state: PermissionState;
}

export type PermissionState =
  | { readonly kind: 'open' }
  | { readonly kind: 'answered'; readonly at: number; readonly optionId: string }
  /** The turn was stopped, the agent went away or took its request back. */
  | { readonly kind: 'cancelled'; readonly at: number };

/** An option, in the agent's words. */
export interface PermissionChoice {
  readonly optionId: string;
  readonly name: string;
  /** `other` where the agent gave no kind, or one that we do not know. */
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';
}

/** Everything that can change a thread, in the past tense. `at`: milliseconds since the epoch. */
export type ThreadEvent = { readonly at: number } & ThreadHappening;

export type ThreadHappening =
  /** The person's prompt went to the agent and began a turn. */
  | { readonly type: 'prompted'; readonly turnId: string; readonly text: string }
  /** A decoded `session/update` of the agent. */
  | { readonly type: 'updated'; readonly update: SessionUpdate }
  /** `session/request_permission`. `toolCall` is as partial as the agent sent it. */
  | {
      readonly type: 'permissionAsked';
      readonly permissionId: string;
      readonly toolCall: PartialToolCall;
      readonly options: readonly PermissionChoice[];
      /** Why Parley itself asks; absent where the agent asks. */
      readonly reason?: string;
      /** As in `Permission`. */
      readonly folder?: string;
    }
  /** `optionId: null`: answered with the outcome `cancelled`. */
  | {
      readonly type: 'permissionAnswered';
      readonly permissionId: string;
      readonly optionId: string | null;
    }
  /** The person pressed Stop: open calls and permissions of the turn are cancelled at once. */
  | { readonly type: 'cancelRequested' }
  /** The agent answered the prompt. */
  | { readonly type: 'stopped'; readonly reason: string }
  /** The prompt was answered with an error, or the agent went away. */
  | { readonly type: 'failed'; readonly failure: Failure }
  /** The log ends in a running turn: nobody saw its end. */
  | { readonly type: 'interrupted' }
  | { readonly type: 'noticed'; readonly severity: NoticeEntry['severity']; readonly text: string }
  | { readonly type: 'titled'; readonly title: string | null }
  | { readonly type: 'drafted'; readonly text: string }
  | { readonly type: 'queued'; readonly prompt: QueuedPrompt }
  /** Sent or removed by the person. */
  | { readonly type: 'unqueued'; readonly promptId: string }
  | { readonly type: 'queueHeld'; readonly held: boolean }
  | {
      readonly type: 'terminalStarted';
      readonly terminalId: string;
      readonly command: string;
      readonly cwd: string;
    }
  /** Live output; `cut` if something before `text` was left out. Shown, never kept in the log: the end says it all. */
  | {
      readonly type: 'terminalPrinted';
      readonly terminalId: string;
      readonly text: string;
      readonly cut: boolean;
    }
  /** The command ended, or its terminal did. `output` and `cut` as in `Terminal`. */
  | {
      readonly type: 'terminalEnded';
      readonly terminalId: string;
      readonly exit: TerminalExit;
      readonly output: string;
      readonly cut: boolean;
    };

/** A tool call as a permission request carries it: only the id is sure to be there, `''` where the agent named no call. */
export type PartialToolCall = Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>;

/**
 * What an event does to a thread. The host applies changes to its own thread and sends the same ones to the chat page,
 * so nothing is ever compared, and a chunk costs what the chunk is long.
 */
export type Change =
  /** Fields other than the turns. */
  | {
      readonly type: 'fields';
      readonly fields: Partial<Omit<Thread, 'past' | 'latest'>>;
    }
  /** A new latest turn; the one before joins `past`. */
  | { readonly type: 'turn'; readonly turn: Turn }
  /** A turn began or ceased to be what it was. `turn` counts from 0 over `past` and `latest`. */
  | {
      readonly type: 'turnState';
      readonly turn: number;
      readonly state: TurnState;
      readonly endedAt: number | null;
    }
  /** An entry is appended (its index is the count of entries) or replaced. */
  | {
      readonly type: 'entry';
      readonly turn: number;
      readonly index: number;
      readonly entry: Entry;
    }
  /** Text is appended to an entry that has text, or to a tool call's `output`. */
  | {
      readonly type: 'text';
      readonly turn: number;
      readonly index: number;
      readonly text: string;
    }
  /** A terminal is added or replaced. */
  | { readonly type: 'terminal'; readonly terminal: Terminal }
  /** Text is appended to a terminal's output. */
  | { readonly type: 'terminalText'; readonly terminalId: string; readonly text: string };

/** A chat in which nothing was said yet. */
export const EMPTY_THREAD: Thread = {
  title: null,
  past: [],
  latest: null,
  draft: '',
  queue: [],
  queueHeld: false,
  commands: [],
  usage: null,
  terminals: {},
};
