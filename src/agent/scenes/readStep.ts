import { isObject, type JsonObject } from './json.ts';
import type { Ending, Step } from './scene.ts';
import { isWhole, millisecondsOf, patternOf, textOf, timesOf, wrong } from './values.ts';

/** What a step can do, and the fields that it may have besides. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  send: [],
  raw: [],
  bytes: [],
  update: ['session'],
  say: ['session'],
  answer: ['to'],
  fail: ['to'],
  expect: ['as', 'within', 'anyOrder'],
  pause: [],
  flood: ['times'],
  repeat: ['times'],
  silence: [],
  exit: [],
  stderr: [],
};

const SIGNALS = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGABRT'] as const;

/** Reads any step but `repeat`. @throws SceneFault */
export function readStep(verb: string, step: JsonObject, at: string): Step {
  const value = step[verb];
  switch (verb) {
    case 'send':
      return sent(at, value);
    case 'update':
      if (!isObject(value)) throw wrong(at, 'must be an object');
      return sent(at, update(value, step));
    case 'say': {
      const content = { type: 'text', text: textOf(value, at) };
      return sent(at, update({ sessionUpdate: 'agent_message_chunk', content }, step));
    }
    case 'answer':
      return sent(at, { id: step['to'] ?? '${request.id}', result: value });
    case 'fail':
      return sent(at, { id: step['to'] ?? '${request.id}', error: value });
    case 'flood': {
      const times = timesOf(step, at);
      if (times === undefined) throw wrong(at, 'needs "times"');
      return { at, kind: 'repeat', steps: [sent(at, value)], times };
    }
    case 'raw':
    case 'stderr':
      return { at, kind: verb, text: textOf(value, at) };
    case 'bytes':
      return { at, kind: 'raw', text: bytesOf(textOf(value, at), at) };
    case 'expect':
      return { at, kind: verb, ...expectation(step, at) };
    case 'pause':
      return { at, kind: verb, ms: millisecondsOf(value, at) };
    case 'silence':
      if (value !== true) throw wrong(at, 'must be true');
      return { at, kind: verb };
    default:
      return { at, kind: 'exit', how: endingOf(value, at) };
  }
}

function sent(at: string, value: unknown): Step {
  const isBare = isObject(value) && !Object.hasOwn(value, 'jsonrpc');
  return { at, kind: 'send', frame: isBare ? { jsonrpc: '2.0', ...value } : value };
}

function update(body: JsonObject, { session = '${session}' }: JsonObject): JsonObject {
  return { method: 'session/update', params: { sessionId: session, update: body } };
}

function bytesOf(text: string, at: string): Buffer {
  const digits = text.replaceAll(' ', '');
  if (/^(?:[\da-f]{2})+$/i.test(digits)) return Buffer.from(digits, 'hex');
  throw wrong(at, 'must be bytes in hexadecimal, as in "7b c3"');
}

function expectation({ expect, as, within, anyOrder = false }: JsonObject, at: string) {
  if (typeof anyOrder !== 'boolean') throw wrong(at, '"anyOrder" must be true or false');
  return {
    pattern: patternOf(expect, at),
    as: as === undefined ? undefined : textOf(as, `${at}.as`),
    within: within === undefined ? undefined : millisecondsOf(within, `${at}.within`),
    anyOrder,
  };
}

function endingOf(value: unknown, at: string): Ending {
  const signal = SIGNALS.find((one) => one === value);
  if (signal !== undefined) return signal;
  if (isWhole(value, 0, 255)) return value;
  throw wrong(at, `must be an exit code from 0 to 255 or one of ${SIGNALS.join(', ')}`);
}
