import { setImmediate as breath, setTimeout as sleep } from 'node:timers/promises';

/** Characters in a chunk: about two words, as models send them. */
const CHUNK = 12;
/** An answer is never cut into more pieces than this, so that long ones do not take minutes. */
const MAX_CHUNKS = 600;
/** The sizes of chunks vary, as they do in life, and always in the same way. */
const VARIATION = [0, 5, -4, 2, -6, 7, -1, 3];

const DEFAULT_PACE_MS = 8;
const MAX_PACE_MS = 1000;

/** How fast an answer streams. */
export class Pace {
  /** @param ms The pause after each chunk in milliseconds; 0 streams as fast as the client reads. */
  constructor(private readonly ms: number) {}

  /** The pause that `PARLEY_AGENT_PACE_MS` asks for; what is no number from 0 to 1000 is passed over. */
  static fromEnvironment(value: string | undefined): Pace {
    const ms = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
    return new Pace(ms >= 0 && ms <= MAX_PACE_MS ? ms : DEFAULT_PACE_MS);
  }

  /** Waits as long as one chunk takes. @throws the signal's reason when it aborts. */
  async chunk(signal: AbortSignal): Promise<void> {
    await this.wait(this.ms, signal);
  }

  /** Waits as long as one small step of work takes, long enough to be seen. @throws when the signal aborts. */
  async step(signal: AbortSignal): Promise<void> {
    await this.wait(this.ms * 30, signal);
  }

  private async wait(ms: number, signal: AbortSignal): Promise<void> {
    // Even without a pause the loop must turn, or a cancellation would never be read.
    if (ms > 0) await sleep(ms, undefined, { signal });
    else await breath(undefined, { signal });
  }
}

/** Cuts a text into small pieces that join to the same text, never inside a surrogate pair. */
export function chunks(text: string, most = MAX_CHUNKS): readonly string[] {
  const size = Math.max(CHUNK, Math.ceil(text.length / most));
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const variation = VARIATION[pieces.length % VARIATION.length] ?? 0;
    let end = Math.min(text.length, start + size + variation);
    const unit = text.charCodeAt(end - 1);
    if (unit >= 0xd800 && unit <= 0xdbff && end < text.length) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
