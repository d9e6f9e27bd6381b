import type { JsonObject } from './json.ts';

/**
 * A scene: what an agent does, frame by frame, for tests and demonstrations. As a file it is JSON (at most 16 MiB; there
 * is a schema of it in test/fixtures/scenes):
 *
 *     { "scene": 1, "about": "…", "reactions": [{ "on": PATTERN, "do": [STEP, …], "times": N }, …], "steps": [STEP, …] }
 *
 * A step is an object with exactly one of these (and, if you like, a "note"):
 *
 * | step | does |
 * |---|---|
 * | `"send": FRAME` | writes any JSON as a line; an object without `jsonrpc` gets it |
 * | `"raw": "…"`, `"bytes": "7b c3"` | writes text, or bytes in hexadecimal, and nothing else: no end of a line |
 * | `"update": {…}`, `"say": "…"` | sends a `session/update`, or a piece of a message; `"session"`: of another session |
 * | `"answer": RESULT`, `"fail": ERROR` | answers the request that was taken last; `"to"`: the id of another one |
 * | `"expect": PATTERN` | waits for a frame of the client. `"within"`: for so many ms. `"as"`: under this name it can be used from then on. `"anyOrder": true`: frames that do not fit may wait |
 * | `"pause": MS` | waits, scaled by `--speed` |
 * | `"flood": FRAME, "times": N` | sends a frame N times; `${count}` counts from 1 |
 * | `"repeat": [STEP, …]` | plays steps again and again; `"times"`: so many times |
 * | `"silence": true` | nothing at all any more until the client goes |
 * | `"exit": CODE or SIGNAL` | ends the process |
 * | `"stderr": "…"` | writes text to stderr |
 *
 * PATTERN: the name of a method, or a part of a frame with at least a `method` or (for an answer) an `id`.
 * Placeholders in texts: `${request}` (the request taken last, as in `${request.params.prompt.0.text}`), `${session}`,
 * `${cwd}`, `${count}`, and what an `"as"` names. A text that is only a placeholder becomes its value: an id stays a number.
 *
 * A frame of the client goes to the first reaction that it fits; else, if its method (or an answer) is expected anywhere
 * in the steps, it waits for its step and must fit there; else it gets a default: `initialize` and `session/new` are
 * answered, other requests refused, the rest passed over. What does not fit, or does not come in time, ends the scene with
 * a sentence on stderr and exit code 1.
 */
export interface Scene {
  readonly steps: readonly Step[];
  readonly reactions: readonly Reaction[];
}

/** What is done whenever a frame comes, beside the sequence. */
export interface Reaction {
  readonly on: JsonObject;
  readonly steps: readonly Step[];
  /** How many frames it takes; perhaps infinitely many. */
  readonly times: number;
}

/** One step, with all short forms written out. */
export type Step = {
  /** Where it stands in its file, as in `steps[3].expect`. */
  readonly at: string;
} & (
  | { readonly kind: 'send'; readonly frame: unknown }
  | { readonly kind: 'raw' | 'stderr'; readonly text: string | Buffer }
  | ({ readonly kind: 'expect' } & Expectation)
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'repeat'; readonly steps: readonly Step[]; readonly times: number }
  | { readonly kind: 'silence' }
  | { readonly kind: 'exit'; readonly how: Ending }
);

export interface Expectation {
  readonly pattern: JsonObject;
  readonly as: string | undefined;
  /** Milliseconds; for ever, if left out. */
  readonly within: number | undefined;
  readonly anyOrder: boolean;
}

/** How a process ends: an exit code, or a signal that it sends to itself. */
export type Ending = number | NodeJS.Signals;
