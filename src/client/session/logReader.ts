import fs from 'node:fs/promises';

/** Bytes that are read at a time, at most. */
const PIECE = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads a file of lines that may still grow: each call takes up where the last one ended. A last line without its end is
 * not a line yet: it is being written, or a crash tore it.
 */
export class LogReader {
  private offset = 0;

  constructor(private readonly file: string) {}

  /** Bytes up to the end of the last whole line. */
  get end(): number {
    return this.offset;
  }

  /** What lies before is known already. */
  skipTo(end: number): void {
    this.offset = end;
  }

  /** Hands over all whole lines that were not read before. A file that is not there has none. */
  async read(line: (text: string) => void): Promise<void> {
    const handle = await openIfThere(this.file);
    if (handle === null) return;
    try {
      await this.readFrom(handle, line);
    } finally {
      await handle.close();
    }
  }

  private async readFrom(handle: fs.FileHandle, line: (text: string) => void): Promise<void> {
    const { size } = await handle.stat();
    if (size <= this.offset) return;
    // A log that is read along is asked often and has little that is new.
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - this.offset));
    let open: Buffer[] = [];
    let position = this.offset;
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      let start = 0;
      for (;;) {
        const end = piece.subarray(0, bytesRead).indexOf(NEWLINE, start);
        if (end === -1) break;
        line(Buffer.concat([...open, piece.subarray(start, end)]).toString('utf8'));
        open = [];
        start = end + 1;
        this.offset = position - bytesRead + start;
      }
      if (start < bytesRead) open.push(Buffer.from(piece.subarray(start, bytesRead)));
    }
  }
}

async function openIfThere(file: string): Promise<fs.FileHandle | null> {
  try {
    return await fs.open(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
