import fs from 'node:fs';
import path from 'node:path';
import type { AgentCommand } from './agentProcess.ts';
import { ClientSide } from './clientSide.ts';
import { notRun } from './finding.ts';
import { FrameLog } from './frames.ts';
import type { JsonObject } from './json.ts';
import { cut, pick, show } from './json.ts';
import { Offences } from './offences.ts';
import type { Reply } from './peer.ts';
import { Peer } from './peer.ts';
import type { Turn } from './turnOutcome.ts';
import { VERSION } from '../version.ts';

/** The one file of the scratch folder. */
export const NOTES = 'notes.txt';
/** The version of the protocol that is checked, and the code of an agent that wants a sign-in. */
export const PROTOCOL = 1;
export const AUTH_REQUIRED = -32000;
/** What the agent is told that the client offers, as long as nothing else is said: files of the scratch folder. */
const OFFERED: JsonObject = { fs: { readTextFile: true, writeTextFile: true }, terminal: false };
/** Times that an agent that has ended, or does not answer any more, is started again. */
const RESTARTS = 8;

export interface WalkOptions {
  readonly command: AgentCommand;
  /** The folder of all sessions. */
  readonly scratch: string;
  /** Milliseconds that an answer may take. Starting may take three times as long, a turn six times. */
  readonly timeout: number;
  /** What turns are made with; no turns if it is not given. */
  readonly prompt?: string | undefined;
}

/** The state of a check: the agent as it runs now, and what is known of it. */
export class Walk {
  readonly offences = new Offences();
  readonly log = new FrameLog();
  readonly client: ClientSide;
  /** The answer to `initialize`, once there was one. */
  agent: unknown;
  /** The answer to the first `session/new`, once there was one. */
  opened: unknown;
  /** The turn whose permission requests were allowed, once it has ended. */
  allowed: Turn | undefined;
  /** The turn that was cancelled, once it has ended. */
  cancelled: Turn | undefined;
  /** Why the agent is of no use any more. */
  unusable: string | undefined;
  /** An answer did not come: whether the agent lives is to be seen before the next row. */
  doubtful = false;
  private peer: Peer | undefined;
  private sessionId: string | undefined;
  private restarts = 0;

  constructor(readonly options: WalkOptions) {
    this.client = new ClientSide(options.scratch);
  }

  get timeout(): number {
    return this.options.timeout;
  }

  get turnTimeout(): number {
    return this.options.timeout * 6;
  }

  /** The running process, if any; nobody starts one for the asking. */
  get current(): Peer | undefined {
    return this.peer;
  }

  /** Starts a process that has been asked nothing; ends the one before. */
  async fresh(capabilities: JsonObject = OFFERED): Promise<Peer> {
    if (this.unusable !== undefined) notRun(this.unusable);
    await this.stop();
    const { options, client, offences, log } = this;
    this.peer = new Peer({ command: options.command, capabilities, client, offences, log });
    return this.peer;
  }

  /** A process that has been greeted and lives: the current one, or another if that has ended. */
  async ready(): Promise<Peer> {
    if (this.unusable !== undefined) notRun(this.unusable);
    const { peer } = this;
    if (peer?.gone === undefined && peer !== undefined) {
      if (!this.doubtful) return peer;
      this.doubtful = false;
      if (await peer.lives(this.timeout)) return peer;
    }
    if (this.restarts === RESTARTS) this.giveUp('the agent had ended too often');
    this.restarts += 1;
    return this.greeted();
  }

  /** A new process that has been greeted. */
  async greeted(capabilities: JsonObject = OFFERED): Promise<Peer> {
    const peer = await this.fresh(capabilities);
    const reply = await this.greet(peer, capabilities);
    if (reply.kind !== 'result') this.giveUp('the agent had ended, and did not start again');
    return peer;
  }

  greet(
    peer: Peer,
    capabilities: JsonObject = OFFERED,
    protocolVersion = PROTOCOL,
  ): Promise<Reply> {
    const clientInfo = { name: 'parley-conformance', version: VERSION };
    const params = { protocolVersion, clientCapabilities: capabilities, clientInfo };
    return peer.request('initialize', params, this.timeout * 3);
  }

  /** Sends a request to a greeted agent. */
  async ask(method: string, params: unknown): Promise<Reply> {
    const peer = await this.ready();
    const reply = await peer.request(method, params, this.timeout);
    if (reply.kind === 'nothing') this.doubtful = true;
    return reply;
  }

  /** Opens a session, in the scratch folder. */
  async newSession(): Promise<Reply> {
    const reply = await this.ask('session/new', { cwd: this.options.scratch, mcpServers: [] });
    const id = reply.kind === 'result' ? pick(reply.value, 'sessionId') : undefined;
    if (typeof id === 'string') this.knows(id);
    return reply;
  }

  /** A session of the running process. */
  async session(): Promise<string> {
    await this.ready();
    if (this.sessionId !== undefined) return this.sessionId;
    return (this.sessionId = await this.otherSession());
  }

  /** A session that nothing has happened in. */
  async otherSession(): Promise<string> {
    const reply = await this.newSession();
    if (reply.kind === 'error' && reply.code === AUTH_REQUIRED) notRun('needs sign-in');
    const id = reply.kind === 'result' ? pick(reply.value, 'sessionId') : undefined;
    if (typeof id !== 'string') notRun(`no session could be opened: ${told(reply)}`);
    return id;
  }

  /** A session may be spoken of from now on. */
  knows(sessionId: string): void {
    this.peer?.watch.sessions.add(sessionId);
  }

  /** Empties the scratch folder, so that every turn finds the same. */
  tidy(): void {
    const { scratch } = this.options;
    for (const name of fs.readdirSync(scratch)) {
      if (name !== NOTES) fs.rmSync(path.join(scratch, name), { recursive: true, force: true });
    }
  }

  capability(...path: readonly string[]): unknown {
    return pick(this.agent, 'agentCapabilities', ...path) ?? undefined;
  }

  /** Ends the process with all that it has started. */
  async stop(): Promise<void> {
    this.sessionId = undefined;
    this.doubtful = false;
    const { peer } = this;
    this.peer = undefined;
    await peer?.stop();
  }

  private giveUp(why: string): never {
    this.unusable = why;
    return notRun(why);
  }
}

/** A reply in a few words. */
export function told(reply: Reply): string {
  if (reply.kind === 'nothing') return reply.why;
  if (reply.kind === 'result') return `the answer was ${show(reply.value)}`;
  return `the answer was the error ${show(reply.code)} ${cut(reply.message, 120)}`;
}
