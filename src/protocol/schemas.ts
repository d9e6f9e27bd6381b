import * as v from 'valibot';
import type {
  AuthMethod,
  InitializeResponse,
  NewSessionResponse,
  ReadTextFileRequest,
  SessionConfigOption,
  TerminalOutputRequest,
  WriteTextFileRequest,
} from './acp.ts';
import { isObject } from './frames.ts';
import type { TerminalRequest } from './handlers.ts';

/*
 * What comes rarely (answers, requests of the agent, options), by schema. Fields that are not named are dropped; where a
 * field is not worth losing the rest for, it falls back to its absence.
 */

const text = v.string();
const name = v.pipe(v.string(), v.minLength(1));
const words = v.fallback(v.nullish(v.string(), null), null);
const flag = v.fallback(v.optional(v.boolean(), false), false);
/** Present and an object: the protocol's way to say "supported". */
const marker = v.fallback(v.nullish(v.object({}), null), null);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A list without the members that do not fit; one that is no list is empty. */
function members<T>(member: v.GenericSchema<unknown, T>) {
  return v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((list): T[] =>
      list.flatMap((item) => {
        const parsed = v.safeParse(member, item);
        return parsed.success ? [parsed.output] : [];
      }),
    ),
  );
}

const choice = v.object({ value: text, name: text, description: words });
const group = v.object({ group: text, name: text, options: members(choice) });
const about = { id: name, name: text, description: words, category: words };

/** Session configuration options (ACP v1): the types that we know; others are to be ignored. */
export const configOption = v.variant('type', [
  v.object({
    ...about,
    type: v.literal('select'),
    currentValue: text,
    options: v.union([v.array(choice), v.array(group)]),
  }),
  v.object({ ...about, type: v.literal('boolean'), currentValue: v.boolean() }),
]) satisfies v.GenericSchema<unknown, SessionConfigOption>;

export const configOptions = members<SessionConfigOption>(configOption);

const mode = v.object({ id: name, name: text, description: words });

const method = { id: name, name: text, description: words };
const authMethod: v.GenericSchema<unknown, AuthMethod> = v.union([
  v.object({
    ...method,
    type: v.literal('terminal'),
    args: v.fallback(v.optional(v.array(text), []), []),
    env: v.fallback(v.optional(v.record(text, text), {}), {}),
  }),
  v.object(method),
]);

/** `1`, and what some agents write for it: "1", "1.0.0". */
const version = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform((value) => Number.parseInt(String(value), 10)),
  v.integer(),
);

/** An object of which every field may be missing, also the whole of it. */
function section<T extends v.ObjectEntries>(entries: T) {
  return v.pipe(
    v.unknown(),
    v.transform((value) => (isObject(value) ? value : {})),
    v.object(entries),
  );
}

const agentCapabilities = section({
  loadSession: flag,
  promptCapabilities: v.optional(section({ image: flag, audio: flag, embeddedContext: flag }), {}),
  mcpCapabilities: v.optional(section({ http: flag, sse: flag }), {}),
  sessionCapabilities: v.optional(
    section({
      list: marker,
      delete: marker,
      additionalDirectories: marker,
      resume: marker,
      close: marker,
    }),
    {},
  ),
  auth: v.optional(section({ logout: marker }), {}),
});

const agentInfo = v.object({ name, title: words, version: v.fallback(v.optional(text, ''), '') });

export const initializeResponse = v.object({
  protocolVersion: version,
  agentCapabilities: v.optional(agentCapabilities, {}),
  authMethods: v.optional(members(authMethod), []),
  agentInfo: v.fallback(v.nullish(agentInfo, null), null),
}) satisfies v.GenericSchema<unknown, InitializeResponse>;

export const newSessionResponse = v.object({
  sessionId: name,
  modes: v.fallback(
    v.nullish(v.object({ currentModeId: text, availableModes: members(mode) }), null),
    null,
  ),
  configOptions: v.optional(configOptions, []),
}) satisfies v.GenericSchema<unknown, NewSessionResponse>;

export const readTextFileRequest = v.object({
  sessionId: text,
  path: name,
  line: v.nullish(count, null),
  limit: v.nullish(count, null),
}) satisfies v.GenericSchema<unknown, ReadTextFileRequest>;

export const writeTextFileRequest = v.object({
  sessionId: text,
  path: name,
  content: text,
}) satisfies v.GenericSchema<unknown, WriteTextFileRequest>;

/** Bounds of one command: count of arguments and variables, characters of each and of the whole. Systems allow less. */
const ARGUMENTS = 10_000;
const ARGUMENT = 1024 * 1024;
const COMMAND = 4 * 1024 * 1024;

const argument = v.pipe(text, v.maxLength(ARGUMENT));
const variable = v.object({ name: argument, value: argument });
/** A list of pairs, as the protocol has it, or the object that some agents send. */
const variables = v.union([
  v.pipe(v.array(variable), v.maxLength(ARGUMENTS)),
  v.pipe(
    v.record(argument, argument),
    v.transform((pairs) => Object.entries(pairs).map(([key, value]) => ({ name: key, value }))),
    v.maxLength(ARGUMENTS),
  ),
]);

export const createTerminalRequest = v.pipe(
  v.object({
    sessionId: text,
    command: v.pipe(argument, v.minLength(1)),
    args: v.pipe(
      v.nullish(v.pipe(v.array(argument), v.maxLength(ARGUMENTS)), null),
      v.transform((list) => list ?? []),
    ),
    env: v.pipe(
      v.nullish(variables, null),
      v.transform((list) => list ?? []),
    ),
    cwd: v.nullish(argument, null),
    outputByteLimit: v.nullish(count, null),
  }),
  v.check(({ command, args, env }) => {
    const parts = [command, ...args, ...env.flatMap(({ name, value }) => [name, value])];
    return parts.reduce((sum, { length }) => sum + length, 0) <= COMMAND;
  }, `the command, its arguments and its variables are longer than ${COMMAND} characters in all.`),
) satisfies v.GenericSchema<unknown, TerminalRequest>;

/** `terminal/output`, `terminal/wait_for_exit`, `terminal/kill` and `terminal/release` carry the same. */
export const terminalRequest = v.object({
  sessionId: text,
  terminalId: text,
}) satisfies v.GenericSchema<unknown, TerminalOutputRequest>;

/** Characters of a value that does not fit, as they are told to who sent it. */
const RECEIVED = 200;

/** What is wrong with the first field that does not fit, for the other side: `"path" must be …`. */
export function faultIn(issues: readonly v.BaseIssue<unknown>[]): string {
  const issue = issues[0];
  if (issue === undefined) return 'The parameters do not fit.';
  const path = v.getDotPath(issue);
  const field = path === null ? 'The parameters' : `"${path}"`;
  if (issue.expected === null) return `${field}: ${issue.message}`;
  // A text that came in place of something else may be of any length.
  return `${field}: expected ${issue.expected}, got ${issue.received.slice(0, RECEIVED)}.`;
}
