import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

/** Characters that are kept for the card of a failed agent. */
const TAIL = 4_000;
/** A longer line is passed on in pieces of this many characters. */
const MAX_LINE = 16_384;

/** What an agent writes to stderr, as lines of plain text: for people, so colours are taken out. */
export class StderrLines {
  private readonly decoder = new StringDecoder('utf8');
  private begun = '';
  private kept = '';

  constructor(private readonly onLine: (line: string) => void) {}

  /** The last 4,000 characters. */
  get tail(): string {
    return (this.kept + stripVTControlCharacters(this.begun)).slice(-TAIL);
  }

  /** Reads until the stream ends. */
  read(stream: Readable | null): void {
    stream?.on('data', (piece: Buffer) => {
      this.push(this.decoder.write(piece));
    });
    stream?.on('end', () => {
      this.push(this.decoder.end());
      if (this.begun !== '') this.finish(this.begun, '');
      this.begun = '';
    });
    // Nothing is lost with stderr.
    stream?.on('error', () => undefined);
  }

  private push(text: string): void {
    const lines = (this.begun + text).split('\n');
    this.begun = lines.pop() ?? '';
    for (const line of lines) this.finish(line, '\n');
    while (this.begun.length > MAX_LINE) {
      this.finish(this.begun.slice(0, MAX_LINE), '');
      this.begun = this.begun.slice(MAX_LINE);
    }
  }

  private finish(raw: string, end: string): void {
    const line = stripVTControlCharacters(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
    this.kept = (this.kept + line + end).slice(-TAIL);
    if (line !== '') this.onLine(line);
  }
}
