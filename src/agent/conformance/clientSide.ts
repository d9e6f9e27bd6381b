import fs from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from './json.ts';
import { listOf, pick } from './json.ts';

/** How the agent's permission requests are answered. `hold` leaves them open until the turn is cancelled. */
export type Permission = 'allow' | 'reject' | 'hold' | 'cancel';

export type Answer = { readonly result: unknown } | { readonly error: JsonObject };

/** The largest file that is read for an agent, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024;
const CANCELLED = { result: { outcome: { outcome: 'cancelled' } } };

/** What a client does for an agent, as far as a check needs it: permission, and files in the scratch folder. */
export class ClientSide {
  permission: Permission = 'allow';
  private held: (() => void)[] = [];

  /** @param scratch The one folder in which files are read and written. */
  constructor(private readonly scratch: string) {}

  async answer(method: string, params: unknown): Promise<Answer> {
    switch (method) {
      case 'session/request_permission':
        return this.permit(listOf(pick(params, 'options')));
      case 'fs/read_text_file':
        return this.file(params, async (file) => {
          const { size } = await fs.stat(file);
          if (size > MAX_FILE_BYTES) throw new Error('too large');
          return { content: await fs.readFile(file, 'utf8') };
        });
      case 'fs/write_text_file':
        return this.file(params, async (file) => {
          await fs.mkdir(path.dirname(file), { recursive: true });
          await fs.writeFile(file, String(pick(params, 'content')));
          return {};
        });
      default:
        return { error: { code: -32601, message: `Method not found: ${method}` } };
    }
  }

  /** Whether a permission request waits for an answer. */
  get holds(): boolean {
    return this.held.length > 0;
  }

  /** Answers what is held as a client must whose user has cancelled the turn. */
  cancelHeld(): void {
    for (const settle of this.held.splice(0)) settle();
  }

  private async permit(options: readonly unknown[]): Promise<Answer> {
    if (this.permission === 'hold') {
      await new Promise<void>((resolve) => this.held.push(resolve));
      return CANCELLED;
    }
    const wanted = this.permission;
    const chosen = [`${wanted}_once`, `${wanted}_always`]
      .map((kind) => options.find((option) => pick(option, 'kind') === kind))
      .find((option) => option !== undefined);
    const optionId = pick(chosen, 'optionId');
    // No option to reject with: putting the question away is what is left to a person.
    return optionId === undefined
      ? CANCELLED
      : { result: { outcome: { outcome: 'selected', optionId } } };
  }

  private async file(params: unknown, use: (file: string) => Promise<unknown>): Promise<Answer> {
    const file = pick(params, 'path');
    if (typeof file !== 'string') return { error: { code: -32602, message: 'There is no path.' } };
    const inside = path.relative(this.scratch, file);
    if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) {
      return { error: { code: -32602, message: 'Only files of the scratch folder are served.' } };
    }
    try {
      return { result: await use(file) };
    } catch {
      return { error: { code: -32002, message: `Resource not found: ${file}` } };
    }
  }
}
