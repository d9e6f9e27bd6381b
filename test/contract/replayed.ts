import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import type { RequestPermissionResponse } from '../../src/protocol/acp.ts';
import { AgentConnection, type PermissionRequest } from '../../src/protocol/connection.ts';
import { apply } from '../../src/thread/change.ts';
import { reduce } from '../../src/thread/reducer.ts';
import { EMPTY_THREAD, type Thread, type ThreadEvent } from '../../src/thread/thread.ts';
import type { ThreadHappening } from '../../src/thread/thread.ts';
import { frameOf, type Frame, type RecordedLine } from './recording.ts';
import { unservedRequests } from '../fakes/unservedRequests.ts';

export interface ReplayedSession {
  thread: Thread;
  readonly events: ThreadEvent[];
}

export interface Replayed {
  /** By session id, in the order in which they were first named. */
  readonly sessions: ReadonlyMap<string, ReplayedSession>;
  /** What the decoder and the reducer reported. */
  readonly reports: readonly string[];
}

/** An agent that says live what was recorded. */
export interface LiveAgent {
  send(line: string): void;
  /** The next line that it says, in the place of this one. */
  next(recorded: string): Promise<string>;
}

const BARRIER = '_replay/barrier';

/**
 * Plays a recording through the real connection, decoder and reducer: what the agent said goes in byte for byte (but for
 * the ids of its answers, which are ours now), and what the recording client did is done again at the same place.
 *
 * @param agent Says what the agent said, if it is to be heard live.
 */
export async function replayed(
  lines: readonly RecordedLine[],
  agent?: LiveAgent,
): Promise<Replayed> {
  const replay = new Replay(agent);
  try {
    for (const line of lines) await replay.step(line);
  } finally {
    replay.dispose();
  }
  return replay;
}

class Replay implements Replayed {
  readonly sessions = new Map<string, ReplayedSession>();
  readonly reports: string[] = [];
  private readonly stdin = new PassThrough();
  private readonly stdout = new PassThrough();
  private readonly written = createInterface({ input: this.stdin });
  private readonly connection: AgentConnection;
  /** The recording client's request ids, and ours. */
  private readonly ids = new Map<string | number, string | number>();
  /** Ids of permission requests that are on their way to the handler. */
  private readonly asking: (string | number)[] = [];
  private readonly answers = new Map<string | number, (optionId: string | null) => void>();
  private now = 0;
  private count = 0;

  constructor(private readonly agent: LiveAgent | undefined) {
    this.written.on('line', (line) => {
      if (!String(frameOf(line).id).startsWith('barrier')) agent?.send(line);
    });
    this.connection = new AgentConnection(
      { stdin: this.stdin, stdout: this.stdout },
      {
        sessionUpdate: (sessionId, update) => {
          this.dispatch(sessionId, { type: 'updated', update });
        },
        requestPermission: (params, signal) => this.requestPermission(params, signal),
        ...unservedRequests,
        readTextFile: () => Promise.resolve({ content: '' }),
        writeTextFile: () => Promise.resolve({}),
      },
      {
        maxLineBytes: 1 << 26,
        report: (message) => this.reports.push(message),
      },
    );
  }

  dispose(): void {
    this.connection.dispose();
    this.written.close();
  }

  async step({ ts, dir, raw }: RecordedLine): Promise<void> {
    this.now = Math.round(ts);
    const frame = frameOf(raw);
    if (dir === 'send') await this.sendAgain(frame);
    else await this.receive(raw, frame);
  }

  private dispatch(sessionId: string, happening: ThreadHappening): void {
    const session = this.sessions.get(sessionId) ?? { thread: EMPTY_THREAD, events: [] };
    this.sessions.set(sessionId, session);
    const event: ThreadEvent = { at: this.now, ...happening };
    session.events.push(event);
    const changes = reduce(session.thread, event, (message) => this.reports.push(message));
    session.thread = apply(session.thread, changes);
  }

  private async receive(raw: string, frame: Frame): Promise<void> {
    if (frame.method === 'session/request_permission') this.asking.push(frame.id ?? '');
    const id = frame.method === undefined ? this.ids.get(frame.id ?? '') : undefined;
    const line = id === undefined ? raw : JSON.stringify({ ...frame, id });
    this.stdout.write(`${(await this.agent?.next(line)) ?? line}\n`);
    // All that was said so far has been taken when the answer to a question of ours is there.
    const barrier = `barrier ${this.count++}`;
    this.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: barrier, method: BARRIER })}\n`);
    await this.writtenLine((line) => line.id === barrier);
    await setImmediate();
  }

  private async sendAgain(frame: Frame): Promise<void> {
    const { method, params = {}, id = '' } = frame;
    if (method === undefined) {
      const optionId = chosenOption(frame);
      this.answers.get(id)?.(optionId);
    } else if (method === 'session/cancel') {
      const sessionId = String(params['sessionId']);
      // Stop is also pressed when nothing runs; the chat has no such button then.
      if (this.sessions.get(sessionId)?.thread.latest?.state.kind === 'running') {
        this.dispatch(sessionId, { type: 'cancelRequested' });
      }
      await this.connection.cancel(sessionId);
    } else if (method === '$/cancel_request') {
      const requestId = this.ids.get(String(params['requestId'])) ?? params['requestId'];
      this.agent?.send(JSON.stringify({ jsonrpc: '2.0', method, params: { requestId } }));
    } else if (method === 'initialize' || method === 'session/new' || method === 'session/prompt') {
      const written = this.writtenLine((line) => line.method === method);
      this.ask(method, params);
      this.ids.set(id, (await written).id ?? '');
    }
  }

  private ask(method: 'initialize' | 'session/new' | 'session/prompt', params: object): void {
    if (method === 'initialize') {
      void this.connection.initialize({ protocolVersion: 1, ...params });
    } else if (method === 'session/new') {
      void this.connection.newSession({ cwd: '/', mcpServers: [], ...params });
    } else {
      this.prompt({ sessionId: '', prompt: [], ...params });
    }
  }

  private prompt(params: { sessionId: string; prompt: { type: 'text'; text: string }[] }): void {
    const { sessionId, prompt } = params;
    const text = prompt.map((block) => block.text).join('\n');
    this.dispatch(sessionId, { type: 'prompted', turnId: `turn ${this.count++}`, text });
    this.connection.prompt(params).then(
      ({ stopReason }) => {
        this.dispatch(sessionId, { type: 'stopped', reason: stopReason });
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        this.dispatch(sessionId, { type: 'failed', failure: { message, details: '' } });
      },
    );
  }

  private requestPermission(
    { sessionId, toolCall, options }: PermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const id = this.asking.shift() ?? '';
    const permissionId = `permission ${id} ${this.count++}`;
    this.dispatch(sessionId, {
      type: 'permissionAsked',
      permissionId,
      toolCall: { ...toolCall, sessionUpdate: 'tool_call_update' },
      options,
    });
    return new Promise((resolve) => {
      const answer = (optionId: string | null): void => {
        this.answers.delete(id);
        this.dispatch(sessionId, { type: 'permissionAnswered', permissionId, optionId });
        const outcome = optionId === null ? 'cancelled' : 'selected';
        if (outcome === 'cancelled') resolve({ outcome: { outcome } });
        else resolve({ outcome: { outcome, optionId: optionId ?? '' } });
      };
      this.answers.set(id, answer);
      signal.addEventListener('abort', () => {
        answer(null);
      });
    });
  }

  /** The next line that the connection writes and that fits. */
  private writtenLine(fits: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        reject(new Error('the connection did not write what it should'));
      }, 10_000);
      const listener = (raw: string): void => {
        const frame = frameOf(raw);
        if (!fits(frame)) return;
        clearTimeout(deadline);
        this.written.off('line', listener);
        resolve(frame);
      };
      this.written.on('line', listener);
    });
  }
}

function chosenOption({ result }: Frame): string | null {
  const outcome = result?.['outcome'];
  if (typeof outcome !== 'object' || outcome === null || !('optionId' in outcome)) return null;
  return String(outcome.optionId);
}
