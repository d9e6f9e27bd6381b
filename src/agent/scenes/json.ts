/** An object of JSON whose fields nobody has looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the end of a path of field names and of numbers in lists; `undefined` where the path ends early. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

/** The text at the end of a path; `undefined` where something else is. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** What a line says, if it is an object of JSON. */
export function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A value as JSON in one line, cut after so many characters. */
export function shown(value: unknown, characters = 300): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}

/**
 * Whether a value has all that a pattern names: of an object the fields that the pattern has, a list element by element,
 * anything else exactly.
 */
export function fits(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return false;
    return pattern.every((element, index) => fits(value[index], element));
  }
  if (!isObject(pattern)) return Object.is(value, pattern);
  if (!isObject(value)) return false;
  return Object.entries(pattern).every(
    ([name, inner]) => Object.hasOwn(value, name) && fits(value[name], inner),
  );
}
