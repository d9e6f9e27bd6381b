import { isRequest } from './defaultAnswers.ts';
import { textAt, type JsonObject } from './json.ts';
import { fill } from './placeholders.ts';
import { SceneFault } from './sceneFault.ts';
import { wrong } from './values.ts';

/** What the steps of the sequence, or of one reaction, know. */
export class Scope {
  /** The round of the loop that runs, from 1. */
  count: number | undefined;
  session: string | undefined;
  cwd: string | undefined;
  private request: JsonObject | undefined;

  /** @param captured What was taken under a name, by anybody. */
  constructor(private readonly captured: ReadonlyMap<string, unknown>) {}

  /** What the steps of a reaction to a frame know. */
  reactingTo(frame: JsonObject): Scope {
    const scope = Object.assign(new Scope(this.captured), this);
    scope.take(frame);
    return scope;
  }

  /** From now on the steps speak of this frame. */
  take(frame: JsonObject): void {
    if (isRequest(frame)) this.request = frame;
    this.session = textAt(frame, 'params', 'sessionId') ?? this.session;
    this.cwd = textAt(frame, 'params', 'cwd') ?? this.cwd;
  }

  /** A value with what its placeholders stand for. @throws SceneFault that names the step. */
  filled(value: unknown, at: string): unknown {
    const { request, session, cwd, count } = this;
    const own = new Map<string, unknown>(Object.entries({ request, session, cwd, count }));
    try {
      return fill(value, (name) => own.get(name) ?? this.captured.get(name));
    } catch (error) {
      throw error instanceof SceneFault ? wrong(at, error.message) : error;
    }
  }
}
