import { randomUUID } from 'node:crypto';
import { ChatModel } from './model/models.ts';
import type { ModelSetup } from './model/setup.ts';
import { modelSetup } from './model/setup.ts';
import type { Pace } from './pace.ts';
import { ReferenceSession } from './referenceSession.ts';
import type { Agent, Session, SessionClient, SessionLoader } from './server/api.ts';
import type { AgentExtras, SessionPage } from './server/extras.ts';
import { Refusal } from './server/faults.ts';
import { earlierTurns } from './sessions/earlier.ts';
import { sessionsFolder } from './sessions/folder.ts';
import type { Mark } from './sessions/lines.ts';
import type { Opened } from './sessions/store.ts';
import { SessionStore } from './sessions/store.ts';
import { VERSION } from './version.ts';

/** The agent that comes with Parley: offline and deterministic, unless the person gives it a model. */
export class ReferenceAgent implements Agent, SessionLoader, AgentExtras {
  readonly info = {
    name: 'parley-reference',
    title: 'Parley Reference Agent',
    version: VERSION,
    prompt: { embeddedContext: true },
  };
  private readonly live = new Map<string, ReferenceSession>();

  constructor(
    private readonly pace: Pace,
    private readonly setup: ModelSetup = modelSetup(process.env),
    private readonly store: SessionStore = new SessionStore(sessionsFolder(process.env), log),
  ) {}

  newSession(cwd: string, signal: AbortSignal): Session {
    const id = randomUUID();
    const session = new ReferenceSession(id, cwd, this.pace, new ChatModel(this.setup), {
      record: this.store.begin(id, cwd),
    });
    signal.addEventListener('abort', () => {
      if (this.live.get(id) === session) this.store.forgetEmpty(id);
    });
    return this.hold(session, signal);
  }

  async loadSession(
    id: string,
    cwd: string,
    client: SessionClient,
    signal: AbortSignal,
  ): Promise<Session | undefined> {
    const opened = this.store.open(id);
    const session = opened && this.again(id, cwd, opened, signal);
    await session?.replay(opened?.updates ?? [], client);
    return session;
  }

  resumeSession(id: string, cwd: string, signal: AbortSignal): Session | undefined {
    const opened = this.store.open(id);
    return opened && this.again(id, cwd, opened, signal);
  }

  forkSession(id: string, cwd: string, signal: AbortSignal): Session | undefined {
    const copy = randomUUID();
    const opened = this.store.fork(id, copy, cwd);
    return opened && this.hold(this.made(copy, cwd, opened), signal);
  }

  listSessions(filter: { readonly cwd?: string; readonly cursor?: string }): SessionPage {
    try {
      return this.store.list(filter.cwd, filter.cursor);
    } catch (error) {
      if (error instanceof RangeError) throw new Refusal(-32602, error.message);
      throw error;
    }
  }

  closeSession(): void {
    // What it has said and done is in its file already, and its signal has ended the rest.
  }

  deleteSession(id: string): void {
    this.store.remove(id);
  }

  /** A session that goes on here is the same one, for as long as it stays in its folder. */
  private again(id: string, cwd: string, opened: Opened, signal: AbortSignal): ReferenceSession {
    const before = this.live.get(id);
    return this.hold(before?.cwd === cwd ? before : this.made(id, cwd, opened), signal);
  }

  private made(id: string, cwd: string, opened: Opened): ReferenceSession {
    const kept = opened.header.cwd === cwd ? opened : { ...opened, mark: asking(opened.mark) };
    const model = new ChatModel(this.setup, earlierTurns(opened.updates));
    return new ReferenceSession(id, cwd, this.pace, model, kept);
  }

  private hold(session: ReferenceSession, signal: AbortSignal): ReferenceSession {
    const { id } = session;
    this.live.set(id, session);
    signal.addEventListener('abort', () => {
      if (this.live.get(id) === session) this.live.delete(id);
    });
    return session;
  }
}

/** What the person has allowed was for another folder. */
function asking(mark: Mark): Mark {
  return mark.choices['mode'] === 'auto'
    ? { ...mark, choices: { ...mark.choices, mode: 'ask' } }
    : mark;
}

function log(line: string): void {
  process.stderr.write(`parley-reference: ${line}\n`);
}
