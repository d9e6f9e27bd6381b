import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import type { ClientConnection } from '@agentclientprotocol/sdk';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import type { Agent, Session, SessionLoader } from '../../src/agent/server/api.ts';
import type { AgentExtras } from '../../src/agent/server/extras.ts';
import type { ServeOptions } from '../../src/agent/server/options.ts';
import { serve } from '../../src/agent/server/serve.ts';
import type { ClientCapabilities, PromptResponse } from '../../src/protocol/acp.ts';
import { bytesOf, until } from './agentDriver.ts';

export type Frame = Readonly<Record<string, unknown>>;

/** An agent, of which a test says only what matters to it. */
export interface Parts extends Partial<Agent & SessionLoader & AgentExtras> {
  /** What the sessions do that `newSession` makes. */
  readonly prompt?: Session['prompt'];
  readonly options?: ServeOptions;
}

/** Sessions are called `s1`, `s2` and so on unless the test makes them itself. */
export function agentOf({
  prompt,
  options: _,
  ...agent
}: Parts): Agent & Partial<SessionLoader & AgentExtras> {
  let made = 0;
  return {
    info: { name: 'embedded', title: 'Embedded', version: '1.0.0' },
    newSession: () => {
      made += 1;
      return sessionOf(`s${made}`, prompt);
    },
    ...agent,
  };
}

export function sessionOf(id: string, prompt?: Session['prompt']): Session {
  return { id, prompt: prompt ?? (() => Promise.resolve('end_turn')) };
}

/** An embedded agent behind two pipes in memory, spoken to in raw frames. */
export class Embedded {
  readonly input = new PassThrough();
  /** Holds one frame: whoever does not read it stops the agent. */
  readonly output = new PassThrough({ highWaterMark: 1 });
  readonly logged: string[] = [];
  readonly ending = new AbortController();
  readonly ended: Promise<void>;
  private text = '';
  private ids = 0;

  constructor(parts: Parts = {}) {
    this.ended = serve(agentOf(parts), {
      input: this.input,
      output: this.output,
      signal: this.ending.signal,
      options: { log: (line) => this.logged.push(line), ...parts.options },
    });
  }

  listen(): this {
    this.output.on('data', (data: Buffer) => {
      this.text += data.toString('utf8');
    });
    return this;
  }

  frames(): readonly Frame[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const value: unknown = JSON.parse(line);
        assert.ok(typeof value === 'object' && value !== null);
        return Object.fromEntries(Object.entries(value));
      });
  }

  /** The frames of one method that the agent has sent. */
  sent(method: string): readonly Frame[] {
    return this.frames().filter((frame) => frame['method'] === method);
  }

  send(method: string, params: object): number {
    this.ids += 1;
    this.tell({ id: this.ids, method, params });
    return this.ids;
  }

  tell(frame: object): void {
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  }

  async answer(id: unknown): Promise<Frame> {
    return until(`the answer to ${String(id)}`, () =>
      this.frames().find((frame) => frame['id'] === id && !('method' in frame)),
    );
  }

  /** The number of the error with which this request is answered. */
  async code(id: unknown): Promise<unknown> {
    const { error } = await this.answer(id);
    assert.ok(typeof error === 'object' && error !== null && 'code' in error, 'it has a result');
    return error.code;
  }

  async result(id: unknown): Promise<unknown> {
    const { result, error } = await this.answer(id);
    assert.equal(error, undefined, JSON.stringify(error));
    return result;
  }

  async initialize(clientCapabilities: object = {}): Promise<unknown> {
    return this.result(this.send('initialize', { protocolVersion: 1, clientCapabilities }));
  }

  newSession(): number {
    return this.send('session/new', { cwd: '/', mcpServers: [] });
  }

  load(sessionId: string): number {
    return this.send('session/load', { sessionId, cwd: '/', mcpServers: [] });
  }

  /** Shakes hands and opens the session s1. */
  async open(): Promise<this> {
    this.listen();
    await this.initialize();
    await this.result(this.newSession());
    return this;
  }

  prompt(text = 'x', sessionId = 's1'): number {
    return this.send('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  cancel(sessionId = 's1'): void {
    this.tell({ method: 'session/cancel', params: { sessionId } });
  }

  takeBack(requestId: unknown): void {
    this.tell({ method: '$/cancel_request', params: { requestId } });
  }

  /** The updates that the agent has sent. */
  updates(): readonly unknown[] {
    return this.sent('session/update').flatMap(({ params }) =>
      typeof params === 'object' && params !== null && 'update' in params ? [params.update] : [],
    );
  }

  /** Answers the agent's next open request of this kind. */
  async reply(method: string, answer: object): Promise<void> {
    const request = await until(`a request ${method}`, () => this.sent(method)[this.replied]);
    this.replied += 1;
    this.input.write(`${JSON.stringify({ ...answer, id: request['id'] })}\n`);
  }

  async close(): Promise<void> {
    this.input.end();
    await this.ended;
  }

  private replied = 0;
}

/** An embedded agent with the SDK's own client at the other end. */
export class Connected {
  readonly logged: string[] = [];
  readonly connection: ClientConnection;
  private readonly ending = new AbortController();
  private readonly served: Promise<void>;

  constructor(parts: Parts = {}, app = client({ name: 'test' })) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    this.served = serve(agentOf(parts), {
      input,
      output,
      signal: this.ending.signal,
      options: { log: (line) => this.logged.push(line), ...parts.options },
    });
    this.connection = app.connect(ndJsonStream(Writable.toWeb(input), bytesOf(output)));
  }

  initialize(clientCapabilities: ClientCapabilities = {}) {
    return this.connection.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities,
    });
  }

  newSession() {
    return this.connection.agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] });
  }

  load(sessionId: string) {
    return this.connection.agent.request(methods.agent.session.load, {
      sessionId,
      cwd: '/',
      mcpServers: [],
    });
  }

  /** The stop reason of one prompt. */
  async prompt(sessionId = 's1'): Promise<string> {
    const prompt = [{ type: 'text' as const, text: 'x' }];
    const answer: PromptResponse = await this.connection.agent.request(
      methods.agent.session.prompt,
      { sessionId, prompt },
    );
    return answer.stopReason;
  }

  cancel(sessionId = 's1'): Promise<void> {
    return this.connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.served;
  }
}

/** A promise and what settles it. */
export function deferred<T = void>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((settle, fail) => {
    [resolve, reject] = [settle, fail];
  });
  return { promise, resolve, reject };
}

/** Resolves when the signal has aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}

/** Lets everything happen that needs no more input. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 50; round += 1) await new Promise((next) => setImmediate(next));
}
