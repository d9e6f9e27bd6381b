import type { Disposable } from '../../base/lifecycle.ts';
import type { Event } from '../../base/event.ts';
import type { Change, Thread } from '../../thread/thread.ts';
import type { Agent } from '../agents/agent.ts';
import type { AgentSession } from '../agents/agentLink.ts';
import { CANCELLED } from '../agents/sessionRouter.ts';
import type { Log, Workspace } from '../ports.ts';
import type { PermissionDesk } from '../requests/permissionDesk.ts';
import type { RequestServices } from '../requests/requestServices.ts';
import { ChatPermissions } from './chatPermissions.ts';
import { ChatRequests } from './chatRequests.ts';
import { agentsId } from './ownCalls.ts';
import { ChatSession } from './chatSession.ts';
import type { ReadOnlyReason } from './sessionLog.ts';
import type { ThreadStore } from './threadStore.ts';
import { hasForgotten, titleOf } from './threadTitle.ts';

/** How long an agent may take no notice of Stop before the chat says so: milliseconds. */
const STOP_PATIENCE = 10_000;

/** A prompt on its way: from the moment it shows in the chat to the agent's answer. */
interface Run {
  /** `null` until the prompt has gone out. */
  session: AgentSession | null;
  cancelled: boolean;
  patience: NodeJS.Timeout | null;
}

interface ChatParts {
  readonly id: string;
  readonly agent: Agent;
  readonly store: ThreadStore;
  readonly desk: PermissionDesk;
  /** What serves the requests of agents. */
  readonly services: RequestServices;
  readonly workspace: Workspace;
  /** Folder to work in where no folder is open. */
  readonly ownFolder: string;
  readonly log: Log;
  readonly newId: () => string;
  /** Why this window only reads the chat; `null` if it writes it. */
  readonly readOnly: () => ReadOnlyReason | null;
  /** Milliseconds; `STOP_PATIENCE` but in tests. */
  readonly stopPatience?: number;
}

/** One conversation with one agent. Nothing here throws: what goes wrong becomes part of the thread. */
export class Chat implements Disposable {
  readonly id: string;
  readonly agent: Agent;
  /** What just changed in the thread, in order. */
  readonly onDidChange: Event<readonly Change[]>;

  /** What the agent may ask for, and what has come of it. */
  readonly requests: ChatRequests;

  private readonly store: ThreadStore;
  private readonly session: ChatSession;
  private readonly permissions: ChatPermissions;
  /** At most one: some agents never answer a prompt when a second one comes. */
  private run: Run | null = null;
  private disposed = false;

  constructor(private readonly parts: ChatParts) {
    this.id = parts.id;
    this.agent = parts.agent;
    this.store = parts.store;
    this.onDidChange = parts.store.onDidChange;
    this.permissions = new ChatPermissions({
      ...parts,
      allowed: (call) => {
        this.requests.allowed(call);
      },
      otherFolder: (call) => this.requests.otherFolder(call),
    });
    this.requests = new ChatRequests({
      ...parts,
      agentName: () => parts.agent.info.name,
      permissions: this.permissions,
      mayAsk: () => this.mayAsk(),
    });
    this.session = new ChatSession(parts.agent, parts.workspace, parts.ownFolder, {
      updated: (update) => {
        const isCall = 'toolCallId' in update;
        const own = isCall ? { ...update, toolCallId: agentsId(update.toolCallId) } : update;
        this.store.dispatch({ type: 'updated', update: own });
      },
      permissionRequested: (request, signal) =>
        this.mayAsk() ? this.permissions.requested(request, signal) : Promise.resolve(CANCELLED),
      serve: (cwd) => this.requests.serve(cwd),
      told: (text, severity) => {
        this.store.dispatch({ type: 'noticed', severity, text });
      },
      // A running turn hears of it by its own request; questions end by their signal.
      closed: () => undefined,
    });
  }

  /** Live in another window, or written by a newer Parley: shown, not written. */
  get readOnly(): boolean {
    return this.parts.readOnly() !== null;
  }

  get thread(): Thread {
    return this.store.thread;
  }

  /** True from a prompt until the agent has answered it. */
  get isRunning(): boolean {
    return this.run !== null;
  }

  /** The thread's title, else the first words of the first prompt, else `New chat`. */
  title(): string {
    return titleOf(this.thread);
  }

  /** Sends a prompt, or queues it while a turn runs. */
  prompt(text: string): void {
    if (text.trim() === '' || this.refused()) return;
    if (this.thread.draft !== '') this.store.dispatch({ type: 'drafted', text: '' });
    if (this.run === null) this.begin(text);
    else this.store.dispatch({ type: 'queued', prompt: { id: this.parts.newId(), text } });
  }

  /**
   * Stops the running turn: the agent is told, and open permission requests are answered `cancelled`. Commands that the
   * turn began and that still run when it has ended are ended; those of earlier turns are not.
   */
  stop(): void {
    const { run } = this;
    if (this.disposed) return;
    if (run === null || run.cancelled) {
      // What an agent asks after its turn can be waved away, too.
      this.parts.desk.cancelChat(this.id);
      return;
    }
    run.cancelled = true;
    this.store.dispatch({ type: 'cancelRequested' });
    if (run.session === null) {
      // It never went out, so nobody has to answer, and nobody waits for a session that the agent may never open.
      this.session.abandon();
      this.finish(run, () => {
        this.store.dispatch({ type: 'stopped', reason: 'cancelled' });
      });
    } else {
      run.session.cancel();
      run.patience = setTimeout(() => {
        this.notReacting(run);
      }, this.parts.stopPatience ?? STOP_PATIENCE);
    }
    this.parts.desk.cancelChat(this.id);
  }

  /** What the person has typed and not sent. */
  draft(text: string): void {
    if (this.readOnly || this.disposed) return;
    this.store.dispatch({ type: 'drafted', text });
  }

  /** Sends a queued prompt now. While a turn runs it keeps its place, and the queue goes on after the turn. */
  sendQueued(promptId: string): void {
    const prompt = this.thread.queue.find((queued) => queued.id === promptId);
    if (prompt === undefined || this.refused()) return;
    this.store.dispatch({ type: 'queueHeld', held: false });
    if (this.run !== null) return;
    this.store.dispatch({ type: 'unqueued', promptId });
    this.begin(prompt.text);
  }

  removeQueued(promptId: string): void {
    if (!this.readOnly && !this.disposed) this.store.dispatch({ type: 'unqueued', promptId });
  }

  /** Says in the chat why it cannot be written here, for this window only. */
  explainReadOnly(): void {
    this.refused();
  }

  /** Lets go of the agent. A turn that runs is `interrupted` when the chat is read again. */
  dispose(): void {
    this.disposed = true;
    if (this.run?.patience) clearTimeout(this.run.patience);
    this.run?.session?.cancel();
    this.run = null;
    this.parts.desk.cancelChat(this.id);
    // While the store still hears of it: the ends of its commands belong into the log.
    this.session.dispose();
    this.store.dispose();
  }

  /** Once the person has stopped the turn there is nothing left to ask. */
  private mayAsk(): boolean {
    return !this.disposed && this.run?.cancelled !== true;
  }

  private refused(): boolean {
    if (this.disposed) return true;
    const reason = this.parts.readOnly();
    if (reason !== null)
      this.store.show({ type: 'noticed', severity: 'warning', text: WHY[reason] });
    return reason !== null;
  }

  private begin(text: string): void {
    const run: Run = { session: null, cancelled: false, patience: null };
    this.run = run;
    const forgotten = !this.session.isOpen && hasForgotten(this.thread);
    this.store.dispatch({ type: 'prompted', turnId: this.parts.newId(), text });
    // The turn before is settled: what was still asked in it shows as cancelled, and must not be answered otherwise.
    this.parts.desk.cancelChat(this.id);
    if (forgotten) this.store.dispatch({ type: 'noticed', severity: 'info', text: FORGOTTEN });
    this.drive(run, text).then(
      (reason) => {
        this.finish(run, () => {
          this.store.dispatch({ type: 'stopped', reason });
        });
      },
      (error: unknown) => {
        this.finish(run, () => {
          this.store.dispatch({ type: 'failed', failure: this.agent.failureOf(error) });
        });
      },
    );
  }

  /** @returns The stop reason. */
  private async drive(run: Run, text: string): Promise<string> {
    const session = await this.session.open();
    if (this.run !== run) return 'cancelled';
    run.session = session;
    const { stopReason } = await session.prompt(text);
    return stopReason;
  }

  /** The end of a run, unless it has ended already; then the queue goes on, or is held. */
  private finish(run: Run, dispatch: () => void): void {
    if (this.run !== run) return;
    if (run.patience !== null) clearTimeout(run.patience);
    // Who stops a turn means all of it. An agent has had its time to end its commands as it likes.
    if (run.cancelled) this.endCommands();
    dispatch();
    this.requests.turnEnded();
    this.run = null;
    this.parts.desk.cancelChat(this.id);
    const state = this.thread.latest?.state;
    const byItself = state?.kind === 'stopped' && state.reason !== 'cancelled' && !run.cancelled;
    if (byItself) this.sendNext();
    else this.store.dispatch({ type: 'queueHeld', held: true });
  }

  private endCommands(): void {
    const count = this.requests.stopTurn();
    if (count === 0) return;
    const what = count === 1 ? 'a command' : `${count} commands`;
    this.store.dispatch({
      type: 'noticed',
      severity: 'info',
      text: `Stop ended ${what} of this turn that still ran.`,
    });
  }

  private sendNext(): void {
    const [next] = this.thread.queue;
    if (next === undefined || this.thread.queueHeld) return;
    this.store.dispatch({ type: 'unqueued', promptId: next.id });
    this.begin(next.text);
  }

  private notReacting(run: Run): void {
    if (this.run !== run) return;
    const seconds = Math.round((this.parts.stopPatience ?? STOP_PATIENCE) / 1_000);
    const ended = this.requests.stopTurn();
    const commands = ended === 0 ? '' : ' Its commands were ended.';
    this.store.dispatch({
      type: 'noticed',
      severity: 'warning',
      text: `The agent has not reacted to Stop for ${seconds} s.${commands} If it stays like this, restart the agent: the chats are kept.`,
    });
  }
}

const FORGOTTEN =
  'A new session with the agent began here. The agent does not remember the text above.';

const WHY: Readonly<Record<ReadOnlyReason, string>> = {
  elsewhere:
    'This chat is open in another window. It can be read here; to go on with it, use that window, or close it and open the chat again.',
  newer: 'This chat was written by a newer version of Parley. It can be read here, not continued.',
};
