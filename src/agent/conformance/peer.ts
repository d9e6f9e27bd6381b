import type { AgentCommand } from './agentProcess.ts';
import { AgentProcess, MAX_LINE_BYTES } from './agentProcess.ts';
import type { ClientSide } from './clientSide.ts';
import type { Frame, FrameLog } from './frames.ts';
import type { JsonObject } from './json.ts';
import { isObject, pick, show, textOf } from './json.ts';
import type { OutputLine } from './lineReader.ts';
import type { Offences } from './offences.ts';
import { Watch } from './watch.ts';

/** What became of a request. */
export type Reply = Answered | { readonly kind: 'nothing'; readonly why: string };

type Answered = (
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly code: unknown; readonly message: string }
) & {
  readonly id: unknown;
  readonly frame: Frame;
  /** Calls of the row that had come before it. */
  readonly callsBefore: number;
};

interface Waiting {
  readonly id: string | number;
  readonly settle: (reply: Reply) => void;
}

export interface PeerParts {
  readonly command: AgentCommand;
  readonly capabilities: JsonObject;
  readonly client: ClientSide;
  readonly offences: Offences;
  readonly log: FrameLog;
}

/** Output that an agent may write during one row before it counts as a flood, in bytes. */
const ROW_BYTES = 32 * 1024 * 1024;
/** Calls, and answers to nothing, of one row that are kept. */
const KEPT = 10_000;
/** A method that no agent knows: whatever it answers, it lives. */
const PING = '_parley.dev/conformance/ping';

/** One connection to a process of the agent: sends frames as they are, and judges and keeps what comes back. */
export class Peer {
  readonly watch: Watch;
  /** Answers that no request of ours had asked for, of the current row. */
  stray: Answered[] = [];
  /** Updates and requests of the current row, as they came. */
  calls: JsonObject[] = [];
  private readonly process: AgentProcess;
  private readonly waiting = new Map<string, Waiting>();
  private ids = 0;
  private bytes = 0;
  private over: string | undefined;
  /** Requests whose answers came too late, or may still come. */
  private readonly expired = new Set<string>();
  private readonly lookers = new Set<() => void>();

  constructor(private readonly parts: PeerParts) {
    this.watch = new Watch(parts.offences, parts.capabilities);
    this.process = new AgentProcess(parts.command, (line) => {
      this.read(line);
    });
    void this.process.ended.then((why) => {
      this.end(why);
    });
  }

  /** Why nothing can be asked any more; `undefined` while the agent lives. */
  get gone(): string | undefined {
    return this.over;
  }

  get startFailure(): string | undefined {
    return this.process.startFailure;
  }

  beginRow(): void {
    this.bytes = 0;
    this.stray = [];
    this.calls = [];
  }

  /** @param ms How long the answer may take. */
  request(
    method: string,
    params: unknown,
    ms: number,
    id: string | number = ++this.ids,
  ): Promise<Reply> {
    const answered = this.answerTo(id, ms);
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answered;
  }

  notify(method: string, params: unknown): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a line as it is, and awaits no answer. */
  send(line: string): void {
    this.parts.log.add('sent', line);
    this.process.write(`${line}\n`);
  }

  /** Sends bytes that are no whole line. */
  sendPiece(bytes: Buffer): void {
    this.process.write(bytes);
  }

  /** Waits for the answer to a request that is sent in another way. */
  answerTo(id: string | number, ms: number): Promise<Reply> {
    if (this.over !== undefined) return Promise.resolve({ kind: 'nothing', why: this.over });
    return new Promise((resolve) => {
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        this.waiting.delete(String(id));
        resolve(reply);
      };
      const timer = setTimeout(() => {
        this.expired.add(String(id));
        settle({ kind: 'nothing', why: `nothing was answered within ${ms / 1000} s` });
      }, ms);
      this.waiting.set(String(id), { id, settle });
    });
  }

  /** Waits until something is so that incoming frames can change. @returns False if it was not within so many ms. */
  until(isSo: () => boolean, ms: number): Promise<boolean> {
    if (isSo()) return Promise.resolve(true);
    if (this.over !== undefined) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (so: boolean): void => {
        clearTimeout(timer);
        this.lookers.delete(look);
        resolve(so);
      };
      const look = (): void => {
        if (isSo()) end(true);
        else if (this.over !== undefined) end(false);
      };
      const timer = setTimeout(end, ms, false);
      this.lookers.add(look);
    });
  }

  /** Whether the agent still answers. */
  async lives(ms: number): Promise<boolean> {
    return (await this.request(PING, {}, ms)).kind !== 'nothing';
  }

  endInput(): void {
    this.parts.log.add('note', 'stdin was closed');
    this.process.endInput();
  }

  /** Waits for the process to exit by itself. @returns False if it has not within so many ms. */
  exits(ms: number): Promise<boolean> {
    return this.until(() => this.process.hasExited, ms);
  }

  async stop(): Promise<void> {
    this.watch.settle();
    if (this.process.leavesOthers) {
      const frame = this.parts.log.add('note', this.over ?? 'it has exited');
      this.parts.offences.add('left', 'programs that it has started ran on after it', frame);
    }
    await this.process.stop();
    this.end('the agent was ended by this check');
  }

  private end(why: string): void {
    this.over ??= why;
    for (const one of [...this.waiting.values()]) one.settle({ kind: 'nothing', why: this.over });
    this.parts.client.cancelHeld();
    this.look();
  }

  private look(): void {
    for (const look of [...this.lookers]) look();
  }

  private read(line: OutputLine): void {
    const size = line.kind === 'line' ? line.bytes.length : line.size;
    this.bytes += size;
    const { offences, log } = this.parts;
    if (line.kind === 'tooLong') {
      const frame = log.add('note', `a line of ${size} bytes was not read`);
      const limit = `a line of ${size} bytes is longer than this check reads (${MAX_LINE_BYTES})`;
      offences.add('stdout', limit, frame);
      return;
    }
    const text = line.bytes.toString('utf8');
    const frame = log.add('received', text);
    offences.look('stdout');
    if (!Buffer.from(text).equals(line.bytes)) offences.add('utf8', 'a line is not UTF-8', frame);
    const message = parsed(text);
    if (message === undefined)
      offences.add('stdout', `the line ${show(text)} is no JSON object`, frame);
    else this.receive(message, frame);
    this.look();
    if (this.bytes <= ROW_BYTES || this.over !== undefined) return;
    log.add('note', 'what followed was not read');
    this.process.discard();
    this.end(`the agent wrote more than ${ROW_BYTES} bytes at once: a flood`);
  }

  private receive(message: JsonObject, frame: Frame): void {
    this.watch.take(message, frame);
    const { id, method } = message;
    if (!('method' in message)) {
      this.answered(message, frame);
    } else if (typeof method === 'string') {
      if (this.calls.length < KEPT) this.calls.push(message);
      if (id !== undefined) void this.serve(id, method, message['params']);
    }
  }

  private answered(message: JsonObject, frame: Frame): void {
    const { id, error } = message;
    const about = { id, frame, callsBefore: this.calls.length };
    const reply: Answered = isObject(error)
      ? {
          ...about,
          kind: 'error',
          code: error['code'],
          message: textOf(error['message']) ?? 'without a message',
        }
      : { ...about, kind: 'result', value: message['result'] };
    const { offences } = this.parts;
    offences.look('ids');
    const asked = this.waiting.get(nameOf(id));
    if (asked === undefined) {
      if (this.stray.length < KEPT) this.stray.push(reply);
      if (id === null || this.expired.delete(nameOf(id))) return;
      offences.add('ids', `an answer with the id ${show(id)}, which no open request has`, frame);
      return;
    }
    if (asked.id !== id) {
      offences.add(
        'ids',
        `the request ${show(asked.id)} was answered with the id ${show(id)}`,
        frame,
      );
    }
    asked.settle(reply);
  }

  private async serve(id: unknown, method: string, params: unknown): Promise<void> {
    const busy = { error: { code: -32603, message: 'Too many requests at once.' } };
    const answer = this.process.isClogged ? busy : await this.parts.client.answer(method, params);
    if (this.over === undefined) this.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
}

/** Ids that differ only in being a text or a number mean the same request, which is told as a fault. */
function nameOf(id: unknown): string {
  return textOf(id) ?? show(id);
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The session that a message is about. */
export function sessionOf(message: JsonObject): unknown {
  return pick(message, 'params', 'sessionId');
}
