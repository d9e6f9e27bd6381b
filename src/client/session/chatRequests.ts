import type { Disposable } from '../../base/lifecycle.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import type { ToolCallEntry } from '../../thread/thread.ts';
import type { SessionRequests } from '../agents/sessionRouter.ts';
import { Grants } from '../files/access.ts';
import { AnnouncedWrites } from '../requests/announcedWrites.ts';
import { ChatFiles } from '../requests/chatFiles.ts';
import { ChatTerminals } from '../requests/chatTerminals.ts';
import { Allowances, otherFolder } from '../requests/commandConsent.ts';
import type { RequestServices } from '../requests/requestServices.ts';
import type { ChatPermissions } from './chatPermissions.ts';
import { OwnCalls } from './ownCalls.ts';
import { OwnQuestions } from './ownQuestions.ts';
import type { ThreadStore } from './threadStore.ts';

interface ChatRequestsParts {
  readonly id: string;
  /** The agent's name, for people. */
  readonly agentName: () => string;
  readonly store: ThreadStore;
  readonly permissions: ChatPermissions;
  readonly services: RequestServices;
  readonly newId: () => string;
  /** False once the person has stopped the turn. */
  readonly mayAsk: () => boolean;
}

/** What serves the requests of one session; disposing it ends the session's terminals. */
export type ServedSession = Disposable & { readonly requests: SessionRequests };

/** Sessions whose terminals can still be looked at: an agent that is restarted begins another one. */
const SESSIONS = 20;

/**
 * What the agent of one chat may ask for: files and terminals. What the person has allowed is remembered here, so while
 * the chat is open in this window and no longer: after a reload it is asked anew.
 */
export class ChatRequests {
  private readonly grants = new Grants();
  private readonly allowances = new Allowances();
  private readonly allowedCommands = new Set<string>();
  private readonly calls: OwnCalls;
  private readonly questions: OwnQuestions;
  private readonly announced: AnnouncedWrites;
  private sessions: readonly ChatTerminals[] = [];
  private cwd = '';

  constructor(private readonly parts: ChatRequestsParts) {
    this.calls = new OwnCalls(parts.store, parts.newId);
    this.questions = new OwnQuestions(parts.permissions, this.calls, parts.mayAsk);
    this.announced = new AnnouncedWrites(parts.store, this.calls);
  }

  /** Serves a session that works in this folder. */
  serve(cwd: string): ServedSession {
    this.cwd = cwd;
    const files = new ChatFiles({ ...this.shared(), cwd });
    const terminals = new ChatTerminals({ ...this.shared(), cwd });
    this.sessions = [...this.sessions, terminals].slice(-SESSIONS);
    let isOver = false;
    // An agent may go on in a session that its chat has given up.
    const served = <T>(work: () => Promise<T>): Promise<T> =>
      isOver ? Promise.reject(over()) : work();
    return {
      requests: {
        readTextFile: (params, signal) => served(() => files.readTextFile(params, signal)),
        writeTextFile: (params, signal) => served(() => files.writeTextFile(params, signal)),
        createTerminal: (params, signal) => served(() => terminals.createTerminal(params, signal)),
        terminalOutput: (params) => served(() => terminals.terminalOutput(params)),
        waitForTerminalExit: (params, signal) =>
          served(() => terminals.waitForTerminalExit(params, signal)),
        killTerminal: (params) => served(() => terminals.killTerminal(params)),
        releaseTerminal: (params) => served(() => terminals.releaseTerminal(params)),
      },
      dispose: () => {
        isOver = true;
        terminals.dispose();
        this.announced.close();
      },
    };
  }

  /** The person has said yes to the agent's question about this call. */
  allowed(call: ToolCallEntry): void {
    const turn = this.parts.store.thread.latest;
    if (turn !== null) this.allowances.add(turn.id, call, this.cwd);
  }

  /** Where a command of the agent is to run, if not in the session's own folder. */
  otherFolder(call: ToolCallEntry): string | null {
    return otherFolder(call, this.cwd);
  }

  /** The person stops a command. */
  stopTerminal(terminalId: string): void {
    for (const { set } of this.sessions) set.stop(terminalId);
  }

  /** The latest turn has ended. */
  turnEnded(): void {
    this.announced.turnEnded();
  }

  /** Ends the commands that the latest turn began. @returns How many there were. */
  stopTurn(): number {
    const turnId = this.parts.store.thread.latest?.id;
    if (turnId === undefined) return 0;
    return this.sessions.reduce((count, session) => count + session.stopTurn(turnId), 0);
  }

  /** All that a command printed, as far as memory holds it; `undefined` if nothing is known of it. */
  fullOutput(terminalId: string): string | undefined {
    for (const { set } of this.sessions) {
      const output = set.fullOutput(terminalId);
      if (output !== undefined) return output;
    }
    return undefined;
  }

  /**
   * A live copy of what a command prints: first what is held of it, then what comes.
   * @returns `undefined` if nothing is known of it any more.
   */
  tap(
    terminalId: string,
    onText: (text: string) => void,
    onEnd: () => void,
  ): Disposable | undefined {
    for (const { set } of this.sessions) {
      const tap = set.tap(terminalId, onText, onEnd);
      if (tap !== undefined) return tap;
    }
    return undefined;
  }

  /** Whoever has stopped a turn wants nothing changed by it any more, whether its agent has noticed or not. */
  private mayWrite(): boolean {
    const state = this.parts.store.thread.latest?.state;
    const isStopped = state?.kind === 'stopped' && state.reason === 'cancelled';
    return this.parts.mayAsk() && !isStopped;
  }

  private shared() {
    const { id: chatId, store, agentName, services, mayAsk } = this.parts;
    const { grants, allowances, allowedCommands: allowed, questions, calls, announced } = this;
    const { access, writes, terminals, gate, shell, workspace, log } = services;
    return {
      ...{ chatId, store, agentName, grants, allowances, allowed, questions, calls, announced },
      texts: () => services.texts(),
      mayWrite: () => this.mayWrite(),
      ...{ access, writes, terminals, gate, shell, workspace, mayAsk, log },
    };
  }
}

function over(): RequestError {
  return new RequestError(ErrorCode.invalidParams, 'This session is over.');
}
