import { Bell } from './bell.ts';
import type { ClientListener, ClientPipe } from './clientPipe.ts';
import { isRequest } from './defaultAnswers.ts';
import { Inbox } from './inbox.ts';
import { textAt, valueAt, type JsonObject } from './json.ts';
import type { Stop, Turns } from './turns.ts';

/** What the client has said that the recording has not come to yet. */
export class LiveClient implements ClientListener {
  readonly requests: Inbox;
  /** Requests of the agent that the client has got, by their id as text, and what it answered. */
  readonly asked = new Map<string, JsonObject>();
  readonly answers = new Map<string, JsonObject>();
  private readonly bell = new Bell();
  /** Prompts that were cancelled before their turn came. */
  private readonly early = new WeakMap<JsonObject, Stop>();

  constructor(
    private readonly pipe: ClientPipe,
    private readonly turns: Turns,
  ) {
    this.requests = new Inbox(pipe, this.bell);
    pipe.listen(this);
  }

  /** How the client has cancelled a prompt before its turn came. */
  earlyStop(prompt: JsonObject): Stop {
    return this.early.get(prompt) ?? 0;
  }

  /** Waits for the client. @param ms At most so long. @returns Whether there was a client to wait for. */
  async heard(ms?: number): Promise<boolean> {
    if (this.pipe.isGone) return false;
    await this.bell.heard(ms);
    return true;
  }

  received(frame: JsonObject, bytes: number): void {
    const { method } = frame;
    if (isRequest(frame)) {
      this.requests.add(frame, bytes);
    } else if (method === undefined) {
      const key = String(frame['id']);
      if (this.asked.has(key)) this.answers.set(key, frame);
    } else if (method === 'session/cancel') {
      const session = textAt(frame, 'params', 'sessionId');
      this.stop(2, (id, of) => of === session);
    } else if (method === '$/cancel_request') {
      const request = valueAt(frame, ['params', 'requestId']);
      this.stop(1, (id) => id === request);
    }
    this.bell.ring();
  }

  malformed(): void {
    // A recording has no opinion on that.
  }

  gone(): void {
    this.bell.ring();
  }

  private stop(stop: Stop, isMeant: (id: unknown, session: string | undefined) => boolean): void {
    const turn = this.turns.find(({ liveId, liveSession }) => isMeant(liveId, liveSession));
    if (turn !== undefined) {
      this.turns.stop(turn, stop);
      return;
    }
    const prompt = this.requests.find(
      (one) =>
        one['method'] === 'session/prompt' &&
        isMeant(one['id'], textAt(one, 'params', 'sessionId')),
    );
    if (prompt !== undefined) this.early.set(prompt, stop);
  }
}
