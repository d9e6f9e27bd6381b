import type { Host } from '../host.ts';

/** Kept folds: the oldest are forgotten first. */
const MAX_FOLDS = 400;
const SAVE_AFTER = 300;

/** What the person folded and where they had scrolled to; survives a reload, except for its last moments. */
export class Memory {
  private readonly folds: Map<string, boolean>;
  private readonly places: Map<string, number>;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: Host) {
    const kept = host.recall();
    this.folds = readMap(kept, 'folds', 'boolean');
    this.places = readMap(kept, 'places', 'number');
  }

  fold(key: string): boolean | undefined {
    return this.folds.get(key);
  }

  setFold(key: string, open: boolean): void {
    put(this.folds, key, open);
    this.save();
  }

  /** Pixels from the top; `undefined` at the end of the chat. */
  place(chatId: string): number | undefined {
    return this.places.get(chatId);
  }

  setPlace(chatId: string, top: number | undefined): void {
    if (this.places.get(chatId) === top) return;
    if (top === undefined) this.places.delete(chatId);
    else put(this.places, chatId, top);
    this.save();
  }

  private save(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.host.remember({ folds: [...this.folds], places: [...this.places] });
    }, SAVE_AFTER);
  }
}

function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > MAX_FOLDS && oldest !== undefined) map.delete(oldest);
}

function readMap(kept: unknown, name: 'folds', type: 'boolean'): Map<string, boolean>;
function readMap(kept: unknown, name: 'places', type: 'number'): Map<string, number>;
function readMap(kept: unknown, name: string, type: string): Map<string, unknown> {
  const map = new Map<string, unknown>();
  if (typeof kept !== 'object' || kept === null) return map;
  const list: unknown = Object.entries(kept).find(([key]) => key === name)?.[1];
  if (!Array.isArray(list)) return map;
  for (const pair of list as unknown[]) {
    if (!Array.isArray(pair)) continue;
    const [key, value] = pair as unknown[];
    if (typeof key === 'string' && typeof value === type) map.set(key, value);
  }
  return map;
}
