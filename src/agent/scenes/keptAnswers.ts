import { answerTo, defaultAnswer } from './defaultAnswers.ts';
import { isObject, textAt, type JsonObject } from './json.ts';

/** What has to come before what: a client may leave some of it out. 0: anything else, at any time. */
export type Rank = 0 | 1 | 2 | 3;

const RANKS: ReadonlyMap<unknown, Rank> = new Map([
  ['initialize', 1],
  ['session/new', 2],
  ['session/load', 2],
  ['session/resume', 2],
  ['session/prompt', 3],
]);

export function rankOf({ method }: JsonObject): Rank {
  return RANKS.get(method) ?? 0;
}

/** What a recorded request is asked with now: by its method, and a session is a session however it is opened. */
export function isAlike(request: JsonObject, other: JsonObject): boolean {
  const rank = rankOf(request);
  return rank === 0 ? request['method'] === other['method'] : rank === rankOf(other);
}

/** The last recorded answer of each kind, for requests that the recording does not have at this place. */
export class KeptAnswers {
  private readonly results = new Map<unknown, unknown>();
  private sessions = 0;

  keep(request: JsonObject, result: unknown): void {
    if (result !== undefined && rankOf(request) !== 3) this.results.set(kindOf(request), result);
  }

  has(request: JsonObject): boolean {
    return this.results.has(kindOf(request));
  }

  /** The recorded answer to a session that is opened in another way now than it was then. */
  opening(answer: JsonObject, recorded: JsonObject, live: JsonObject): JsonObject {
    const result = answer['result'];
    if (rankOf(live) !== 2 || live['method'] === recorded['method'] || !isObject(result))
      return answer;
    const sessionId =
      textAt(live, 'params', 'sessionId') ?? textAt(recorded, 'params', 'sessionId');
    return { ...answer, result: { ...result, sessionId } };
  }

  answer(request: JsonObject): JsonObject {
    const result = this.results.get(kindOf(request));
    const count = rankOf(request) === 2 ? ++this.sessions : 0;
    if (result === undefined) return defaultAnswer(request, `replay-${count}`);
    if (count === 0 || !isObject(result)) return answerTo(request, result);
    // Another session than the recorded one, or one that the client knows by its id.
    const sessionId =
      textAt(request, 'params', 'sessionId') ??
      `${textAt(result, 'sessionId') ?? 'replay'}-${count + 1}`;
    return answerTo(request, { ...result, sessionId });
  }
}

function kindOf(request: JsonObject): unknown {
  return rankOf(request) === 2 ? 'session/new' : request['method'];
}
