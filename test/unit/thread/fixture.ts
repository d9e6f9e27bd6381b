import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { EMPTY_THREAD, type Thread, type ThreadEvent } from '../../../src/thread/thread.ts';

/** One rule of the thread model, as a file of test/fixtures/threads. */
export interface ThreadFixture {
  /** The rule, in a sentence. */
  readonly description: string;
  /** Fields of the thread before; the others are those of an empty one. */
  readonly initial?: Partial<Thread>;
  /** Events that led to the thread before. */
  readonly given?: readonly ThreadEvent[];
  readonly events: readonly ThreadEvent[];
  /** Each of `events` changes nothing at all. */
  readonly noChange?: true;
  /** What `events` report, in order; nothing if it is not there. */
  readonly reports?: readonly string[];
  /** What the thread after must have: fields that are not named may be anything, lists are as long as they are here. */
  readonly expected?: unknown;
}

export function threadFixtures(): readonly ThreadFixture[] {
  const folder = path.resolve('test/fixtures/threads');
  return fs
    .readdirSync(folder)
    .sort()
    .map((file) => {
      const value: unknown = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
      assert.ok(isFixture(value), file);
      return value;
    });
}

export function initialOf({ initial }: ThreadFixture): Thread {
  return { ...EMPTY_THREAD, ...initial };
}

/** All that the expected value names must be there, at every depth. */
export function assertHas(actual: unknown, expected: unknown, where = 'thread'): void {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${where} is a list`);
    assert.equal(actual.length, expected.length, `length of ${where}: ${JSON.stringify(actual)}`);
    for (const [index, value] of expected.entries()) {
      assertHas(actual[index], value, `${where}[${index}]`);
    }
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, `${where} is an object`);
    const fields = new Map<string, unknown>(Object.entries(actual));
    for (const [name, value] of Object.entries(expected)) {
      assert.ok(fields.has(name), `${where} has ${name}`);
      assertHas(fields.get(name), value, `${where}.${name}`);
    }
  } else {
    assert.deepEqual(actual, expected, where);
  }
}

function isFixture(value: unknown): value is ThreadFixture {
  if (typeof value !== 'object' || value === null) return false;
  return 'description' in value && 'events' in value && Array.isArray(value.events);
}
