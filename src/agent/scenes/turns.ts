import { textAt, valueAt, type JsonObject } from './json.ts';

/** How a client has asked for the end of a turn: not at all, with `$/cancel_request`, with `session/cancel`. */
export type Stop = 0 | 1 | 2;

/** A turn that is played: its prompt was sent, in the recording and now, and is not answered yet. */
export interface Turn {
  /** The prompt's id in the recording, as text, and its session there. */
  readonly key: string;
  readonly session: string | undefined;
  /** The id of the prompt that the client has sent now, and its session. */
  readonly liveId: unknown;
  readonly liveSession: string | undefined;
  stop: Stop;
  /** What ends it in another way than recorded; from then on nothing of its session is played. */
  ending: 'cancelled' | 'end_turn' | undefined;
}

/** The turns that are played now. */
export class Turns {
  private readonly open = new Map<string, Turn>();

  get all(): readonly Turn[] {
    return [...this.open.values()];
  }

  begin(turn: Turn): void {
    this.open.set(turn.key, turn);
  }

  end(key: string): Turn | undefined {
    const turn = this.open.get(key);
    this.open.delete(key);
    return turn;
  }

  find(isMeant: (turn: Turn) => boolean): Turn | undefined {
    return this.all.find(isMeant);
  }

  /** The turn whose end the recorded client asks for, and how. */
  stoppedBy({ method, params }: JsonObject): {
    readonly turn: Turn | undefined;
    readonly stop: Stop;
  } {
    if (method === 'session/cancel') {
      const session = textAt(params, 'sessionId');
      return { turn: this.find((one) => one.session === session), stop: 2 };
    }
    const key = String(valueAt(params, ['requestId']));
    return { turn: method === '$/cancel_request' ? this.open.get(key) : undefined, stop: 1 };
  }

  /** The client wants a turn to end. */
  stop(turn: Turn, stop: Stop): void {
    if (stop <= turn.stop) return;
    turn.stop = stop;
    turn.ending ??= 'cancelled';
  }

  /** Whether what the recording has of a session is left out now. Without a session: whether that is so of any. */
  isMuted(session?: string): boolean {
    return this.all.some(
      (turn) => turn.ending !== undefined && (session === undefined || turn.session === session),
    );
  }
}
