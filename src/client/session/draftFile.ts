import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../ports.ts';

/** Milliseconds from a keystroke that we hear of to the disk. */
const DELAY = 100;

/**
 * What the person has typed and not sent, in a file of its own beside the log: a draft is written again with every few
 * keystrokes, which would make a log many times as long as the chat. After a crash the file has the old text or the new.
 */
export class DraftFile {
  private waiting: string | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly file: string,
    private readonly log: Log,
  ) {}

  /** `''` if there is none. */
  async read(): Promise<string> {
    try {
      return await readFile(this.file, 'utf8');
    } catch {
      return '';
    }
  }

  set(text: string): void {
    this.waiting = text;
    this.timer ??= setTimeout(() => {
      this.flush();
    }, DELAY);
  }

  /** What was set is on the disk when this returns. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const text = this.waiting;
    this.waiting = null;
    if (text === null) return;
    try {
      if (text === '') fs.rmSync(this.file, { force: true });
      else this.replace(text);
    } catch (error) {
      this.log.warn(`${this.file} cannot be written: ${messageOf(error)}`);
    }
  }

  remove(): void {
    this.set('');
    this.flush();
  }

  private replace(text: string): void {
    const next = `${this.file}.tmp`;
    fs.writeFileSync(next, text, { mode: 0o600 });
    fs.renameSync(next, this.file);
  }
}
