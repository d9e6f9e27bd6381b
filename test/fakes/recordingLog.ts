import type { Log } from '../../src/client/ports.ts';

/** A log that a test can look into. */
export class RecordingLog implements Log {
  readonly lines: string[] = [];

  trace(message: string): void {
    this.lines.push(`trace ${message}`);
  }

  debug(message: string): void {
    this.lines.push(`debug ${message}`);
  }

  info(message: string): void {
    this.lines.push(`info ${message}`);
  }

  warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }

  error(message: string): void {
    this.lines.push(`error ${message}`);
  }
}
