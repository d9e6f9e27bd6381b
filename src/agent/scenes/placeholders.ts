import { isObject, valueAt } from './json.ts';
import { SceneFault } from './sceneFault.ts';

/** `${name}` or `${name.path.0.to}`; with one more dollar in front it stands for itself. */
const PLACEHOLDER = /\$?\$\{([^{}]{1,200})\}/g;
/** Characters that may be put in for the placeholders of one frame. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** What a name stands for; `undefined` while it has no value. */
export type Lookup = (name: string) => unknown;

/** The names that placeholders in a value begin with. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [...value.matchAll(PLACEHOLDER)]
      .filter(([match]) => !match.startsWith('$$'))
      .map(([, path = '']) => path.split('.')[0] ?? '');
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(namesIn);
}

/**
 * Puts in what the placeholders in the texts of a value stand for. A text that is nothing but a placeholder becomes its
 * value, of whatever type. Names of fields stay as they are.
 *
 * @throws SceneFault where something has no value, or would become too long.
 */
export function fill(value: unknown, lookup: Lookup): unknown {
  let room = MOST_CHARACTERS;
  const valueOf = (placeholder: string, path: string): unknown => {
    const [name = '', ...rest] = path.split('.');
    const found = valueAt(lookup(name), rest);
    if (found === undefined) throw new SceneFault(`${placeholder} has no value here`);
    room -= JSON.stringify(found).length;
    if (room < 0) throw new SceneFault(`${placeholder} makes this too long`);
    return found;
  };
  const textOf = (match: string, path: string): string => {
    if (match.startsWith('$$')) return match.slice(1);
    const found = valueOf(match, path);
    return typeof found === 'string' ? found : JSON.stringify(found);
  };
  const filled = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      const [match] = inner.matchAll(PLACEHOLDER);
      const isWhole = match?.[0] === inner && !inner.startsWith('$$');
      return isWhole ? valueOf(inner, match[1] ?? '') : inner.replace(PLACEHOLDER, textOf);
    }
    if (Array.isArray(inner)) return inner.map(filled);
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, filled(each)]));
  };
  return filled(value);
}
