import { isObject, type JsonObject } from './json.ts';

const FIELDS: ReadonlySet<string> = new Set(['sessionId', 'terminalId']);

/** What sessions and terminals of a recording are called now, where that is not the same. */
export class LiveNames {
  private readonly names = new Map<string, string>();

  learn(recorded: string | undefined, live: string | undefined): void {
    if (recorded === undefined || live === undefined) return;
    if (recorded === live) this.names.delete(recorded);
    else this.names.set(recorded, live);
  }

  /** The same object where nothing in it has another name. */
  renamed(frame: JsonObject): JsonObject {
    return this.names.size === 0 ? frame : this.copied(frame);
  }

  private copied(value: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [field, this.copy(inner, FIELDS.has(field))]),
    );
  }

  private copy(value: unknown, isName: boolean): unknown {
    if (typeof value === 'string') return isName ? (this.names.get(value) ?? value) : value;
    if (Array.isArray(value)) return value.map((each) => this.copy(each, false));
    return isObject(value) ? this.copied(value) : value;
  }
}
