import fs from 'node:fs';
import type {
  CreateTerminalResponse,
  KillTerminalRequest,
  KillTerminalResponse,
  ReleaseTerminalRequest,
  ReleaseTerminalResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
} from '../../protocol/acp.ts';
import type { TerminalRequest } from '../../protocol/connection.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { keptAtEnd } from '../../thread/terminals.ts';
import { runningTurn } from '../../thread/turns.ts';
import type { FileAccess, Grants, Verdict } from '../files/access.ts';
import { mayLookAt } from '../files/foreignShares.ts';
import { platformOf } from '../files/paths.ts';

import { FileFault, type Log, type UserShell, type Workspace } from '../ports.ts';
import { resolveCommand, type TerminalCommand } from '../terminals/commandLine.ts';
import type { Terminals, TerminalSet } from '../terminals/terminals.ts';
import type { OwnCalls } from '../session/ownCalls.ts';
import { notAnswered, type Consent, type OwnQuestions } from '../session/ownQuestions.ts';
import type { ThreadStore } from '../session/threadStore.ts';
import { answered } from './answers.ts';
import { callRunning, commandKey, type Allowances, type WantedCommand } from './commandConsent.ts';
import { ALWAYS, commandQuestion } from './commandQuestion.ts';
import type { Gate } from './gate.ts';
import { TerminalCards } from './terminalCards.ts';

export interface ChatTerminalsParts {
  readonly chatId: string;
  /** The folder of the session: absolute, on this disk. */
  readonly cwd: string;
  readonly access: FileAccess;
  readonly terminals: Terminals;
  readonly gate: Gate;
  readonly grants: Grants;
  /** Commands that the person has allowed at the agent's questions. */
  readonly allowances: Allowances;
  /** Commands that the person has allowed for this chat, by key. */
  readonly allowed: Set<string>;
  readonly questions: OwnQuestions;
  readonly calls: OwnCalls;
  readonly store: ThreadStore;
  readonly shell: UserShell;
  readonly workspace: Workspace;
  /** False once the person has stopped the turn. */
  readonly mayAsk: () => boolean;
  readonly log: Log;
}

/** Where a command is to run. */
interface Folder {
  readonly cwd: string;
  /** The same with every link followed. */
  readonly real: string;
  /** Why the person must be asked about this place; `null` if it is open. */
  readonly reason: string | null;
}

/** Serves `terminal/*` of one session: judges the folder, asks the person, runs the command and shows it in the chat. */
export class ChatTerminals implements Disposable {
  readonly set: TerminalSet;
  private readonly cards: TerminalCards;
  /** Terminals that run, with the turn that they began in. */
  private readonly running = new Map<string, string | undefined>();
  /** Turns whose commands were ended: what one of them is just about to start has to end, too, or never to begin. */
  private readonly stopped = new Set<string>();

  constructor(private readonly parts: ChatTerminalsParts) {
    const { store, calls } = parts;
    this.cards = new TerminalCards(calls);
    this.set = parts.terminals.open({
      started: (terminalId, command, cwd) => {
        this.running.set(terminalId, store.thread.latest?.id);
        store.dispatch({ type: 'terminalStarted', terminalId, command, cwd });
        this.cards.started(terminalId, command, cwd);
      },
      printed: (terminalId, text, cut) => {
        store.show({ type: 'terminalPrinted', terminalId, text, cut });
      },
      ended: (terminalId, exit, output, cut) => {
        this.running.delete(terminalId);
        const kept = keptAtEnd(store.thread, terminalId, { output, cut });
        store.dispatch({ type: 'terminalEnded', terminalId, exit, ...kept });
        this.cards.ended(terminalId, exit);
      },
    });
  }

  createTerminal(params: TerminalRequest, signal: AbortSignal): Promise<CreateTerminalResponse> {
    const turnId = this.turnId();
    return this.answered(async () => {
      const folder = await this.folder(params.cwd ?? this.parts.cwd, signal);
      if (this.wasStopped(turnId)) throw notAnswered();
      const { cwd } = folder;
      const command = this.resolved(params, folder);
      const wanted = { ...params, cwd, shown: command.shown };
      const consent = this.isAllowed(wanted, folder)
        ? null
        : await this.ask(command, wanted, folder, signal);
      if (consent !== null) await this.checkFolder(folder, signal);
      const terminalId = await this.run(command, params.outputByteLimit, consent, turnId, signal);
      return { terminalId };
    });
  }

  terminalOutput({ terminalId }: TerminalOutputRequest): Promise<TerminalOutputResponse> {
    return this.answered(() => {
      const { output, truncated, exitStatus: exit } = this.set.output(terminalId);
      const exitStatus = exit === null ? null : { exitCode: exit.code, signal: exit.signal };
      return { output, truncated, exitStatus };
    });
  }

  waitForTerminalExit(
    { terminalId }: WaitForTerminalExitRequest,
    signal: AbortSignal,
  ): Promise<WaitForTerminalExitResponse> {
    return this.answered(async () => {
      const exit = await this.set.waitForExit(terminalId, signal);
      return { exitCode: exit.code, signal: exit.signal };
    });
  }

  killTerminal({ terminalId }: KillTerminalRequest): Promise<KillTerminalResponse> {
    return this.answered(async () => {
      await this.set.kill(terminalId);
      return {};
    });
  }

  releaseTerminal({ terminalId }: ReleaseTerminalRequest): Promise<ReleaseTerminalResponse> {
    return this.answered(async () => {
      await this.set.release(terminalId);
      return {};
    });
  }

  /** Ends what runs since this turn. @returns How many there were. */
  stopTurn(turnId: string): number {
    this.stopped.add(turnId);
    const mine = [...this.running].filter(([, turn]) => turn === turnId);
    for (const [terminalId] of mine) this.end(terminalId);
    return mine.length;
  }

  /** Ends everything; the chat has heard of each end when this returns. */
  dispose(): void {
    this.set.dispose();
    this.cards.dispose();
  }

  /** The turn that runs. */
  private turnId(): string | undefined {
    return runningTurn(this.parts.store.thread)?.id;
  }

  private wasStopped(turnId: string | undefined): boolean {
    return turnId !== undefined && this.stopped.has(turnId);
  }

  private end(terminalId: string): void {
    this.running.delete(terminalId);
    this.set.stop(terminalId);
  }

  private answered<T>(work: () => T | Promise<T>): Promise<T> {
    return answered(this.parts.log, 'Resource not found: there is no such terminal.', work);
  }

  /** To judge a folder is work on the disk, too: it needs a place, as with files. */
  private async folder(named: string, signal: AbortSignal): Promise<Folder> {
    const { access, chatId, cwd, gate, grants, workspace } = this.parts;
    if (!workspace.trusted()) {
      throw new FileFault(
        'refused',
        'Commands cannot be run: the person has not trusted this workspace.',
      );
    }
    const reach = { directories: [cwd], grants };
    const judged = (): Promise<Verdict> => access.judgeFolder(named, reach);
    const verdict = await gate.run(chatId, judged, signal);
    if (verdict.place.kind === 'virtual') {
      throw new FileFault('refused', `No command can run in ${named}: it is not on this disk.`);
    }
    const { path, real } = verdict.place;
    return { cwd: path, real, reason: verdict.kind === 'ask' ? verdict.reason : null };
  }

  /** An answer may take hours: what was a folder then may be a link to another one now. */
  private async checkFolder({ cwd, real }: Folder, signal: AbortSignal): Promise<void> {
    if ((await this.folder(cwd, signal)).real === real) return;
    throw new FileFault(
      'refused',
      `The command was not run: ${cwd} has become another folder since the person was asked.`,
    );
  }

  private resolved(params: TerminalRequest, { cwd, reason }: Folder): TerminalCommand {
    const { command, args, env } = params;
    const { workspace } = this.parts;
    const known = [this.parts.cwd, ...workspace.folders()];
    // Nobody has said yes yet: no other computer is asked, and the agent does not learn what there is outside.
    const exists = (file: string): boolean =>
      (reason !== null && file === cwd) ||
      (mayLookAt(file, known, platformOf(process.platform)) && fs.existsSync(file));
    return resolveCommand(
      { command, args, env, cwd },
      {
        platform: process.platform,
        shell: this.parts.shell.path(),
        env: process.env,
        exists,
      },
    );
  }

  /**
   * Whether the person has allowed exactly this just now, or for the whole chat. What was allowed just now is for the turn
   * that runs, and whoever stopped a turn is asked anew until the next one.
   */
  private isAllowed(wanted: WantedCommand, { real, reason }: Folder): boolean {
    const { allowed, allowances, store } = this.parts;
    const turn = store.thread.latest;
    if (turn?.state.kind === 'stopped' && turn.state.reason === 'cancelled') return false;
    if (allowed.has(commandKey({ ...wanted, cwd: real }))) return true;
    return reason === null && turn?.state.kind === 'running' && allowances.take(turn.id, wanted);
  }

  private async ask(
    command: TerminalCommand,
    wanted: WantedCommand,
    { real, reason: where }: Folder,
    signal: AbortSignal,
  ): Promise<Consent> {
    const { questions, calls, allowed } = this.parts;
    const about = callRunning(calls.openCalls(), wanted)?.toolCallId ?? null;
    const consent = await questions.ask(commandQuestion(command, where, about), signal);
    if (consent.optionId === ALWAYS.optionId) {
      allowed.add(commandKey({ ...wanted, cwd: real }));
    }
    return consent;
  }

  private async run(
    command: TerminalCommand,
    limit: number | null,
    consent: Consent | null,
    askedIn: string | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const { gate, chatId, mayAsk } = this.parts;
    const own = consent?.own ?? null;
    let turnId: string | undefined;
    try {
      const terminalId = await gate.run(
        chatId,
        () => {
          // It may have waited for its place until another turn runs.
          if (!mayAsk() || this.wasStopped(askedIn)) throw notAnswered();
          turnId = this.turnId();
          return this.set.create(command, limit, signal);
        },
        signal,
      );
      this.cards.created(terminalId, own);
      if (this.wasStopped(turnId)) this.end(terminalId);
      return terminalId;
    } catch (error) {
      own?.failed(messageOf(error));
      throw error;
    }
  }
}
