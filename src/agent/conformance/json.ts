/** An object of JSON whose fields nobody has looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the end of a path of field names; `undefined` where the path ends early. */
export function pick(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

/** A value that is a text; nothing of any other. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The elements of a list; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A value as JSON, cut at so many characters, for a sentence. */
export function show(value: unknown, characters = 80): string {
  return value === undefined ? 'nothing' : cut(JSON.stringify(value), characters);
}

/** A text without what follows so many characters; says how many are missing. */
export function cut(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : `${text.slice(0, characters)}… (${text.length - characters} more characters)`;
}
