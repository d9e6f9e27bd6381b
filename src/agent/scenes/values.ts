import { isObject, shown, type JsonObject } from './json.ts';
import { SceneFault } from './sceneFault.ts';

const MOST_TIMES = 1_000_000_000;
const HOUR_MS = 3_600_000;

export function wrong(at: string, message: string): SceneFault {
  return new SceneFault(`${at}: ${message}`);
}

/** @throws SceneFault for a field that is not among these. */
export function only(value: JsonObject, fields: readonly string[], at: string): void {
  const other = Object.keys(value).find((key) => !fields.includes(key));
  if (other !== undefined) throw wrong(at, `${shown(other, 60)} is none of ${fields.join(', ')}`);
}

export function textOf(value: unknown, at: string): string {
  if (typeof value !== 'string') throw wrong(at, `must be a text, not ${shown(value, 60)}`);
  return value;
}

/** Milliseconds up to an hour. */
export function millisecondsOf(value: unknown, at: string): number {
  if (typeof value === 'number' && value >= 0 && value <= HOUR_MS) return value;
  throw wrong(at, `must be milliseconds from 0 to ${HOUR_MS}, not ${shown(value, 60)}`);
}

/** What `times` says, if it is there. */
export function timesOf({ times }: JsonObject, at: string): number | undefined {
  if (times === undefined) return undefined;
  if (isWhole(times, 1, MOST_TIMES)) return times;
  throw wrong(at, `"times" must be a whole number from 1 to ${MOST_TIMES}`);
}

/** A pattern of a frame; a name stands for a method. */
export function patternOf(value: unknown, at: string): JsonObject {
  const pattern = typeof value === 'string' ? { method: value } : value;
  if (isObject(pattern) && (typeof pattern['method'] === 'string' || 'id' in pattern))
    return pattern;
  throw wrong(at, 'must be the name of a method, or an object with at least a "method" or an "id"');
}

export function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && typeof value === 'number' && value >= least && value <= most;
}
