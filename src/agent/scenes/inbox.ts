import type { Bell } from './bell.ts';
import type { ClientPipe } from './clientPipe.ts';
import type { JsonObject } from './json.ts';

/** Frames and bytes that may wait; past that the client is not read any further. */
const MOST_FRAMES = 256;
const MOST_BYTES = 32 * 1024 * 1024;

/** Frames of the client that wait for their place, in the order in which they came. */
export class Inbox {
  private readonly waiting: { readonly frame: JsonObject; readonly bytes: number }[] = [];
  private bytes = 0;

  /** @param bell Is rung when a frame comes. */
  constructor(
    private readonly client: ClientPipe,
    private readonly bell: Bell,
  ) {}

  get isFull(): boolean {
    return this.waiting.length >= MOST_FRAMES || this.bytes >= MOST_BYTES;
  }

  /** The oldest one. */
  get first(): JsonObject | undefined {
    return this.waiting[0]?.frame;
  }

  find(isWanted: (frame: JsonObject) => boolean): JsonObject | undefined {
    return this.waiting.find(({ frame }) => isWanted(frame))?.frame;
  }

  add(frame: JsonObject, bytes: number): void {
    this.waiting.push({ frame, bytes });
    this.bytes += bytes;
    if (this.isFull) this.client.hold(true);
    this.bell.ring();
  }

  /** Takes the first frame that is wanted out. */
  take(isWanted: (frame: JsonObject) => boolean): JsonObject | undefined {
    const index = this.waiting.findIndex(({ frame }) => isWanted(frame));
    const [taken] = index === -1 ? [] : this.waiting.splice(index, 1);
    if (taken === undefined) return undefined;
    this.bytes -= taken.bytes;
    if (!this.isFull) this.client.hold(false);
    return taken.frame;
  }
}
