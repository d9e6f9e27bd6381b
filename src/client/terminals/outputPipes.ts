import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { heldPipe } from '../processes/heldPipes.ts';
import type { Output } from '../processes/silence.ts';

/** What the names of all pipes hold. */
export const PIPES = '/parley-pipes-';
/** Pipes that are made at a time. */
const BATCH = 16;
/** Milliseconds that making them may take. */
const PATIENCE = 5_000;
/** The most that is read at once: bytes. */
const PIECE = 64 << 10;

/** A pipe that stdout and stderr of one process share, so that what they print stays in order. */
export interface OutputPipe extends Output {
  readonly stream: net.Socket;
  /** As `heldPipe` has it, by which those are known who hold its write end. */
  readonly name: string;
  /** For the process. Closed by `started`. */
  readonly writeEnd: number;
  /** The process has the write end now, or there is no process: lets go of our own, so that the output can end. */
  started(): void;
}

/**
 * Real pipes, made ahead. Node has no call for that: its own are sockets, one for each stream, whose order is lost, and a
 * program cannot open them by name (`/dev/stderr`). So they are named pipes in a folder of our own, opened on both sides
 * and then removed.
 */
export class OutputPipes implements Disposable {
  private readonly names: string[] = [];
  /** All pipes are read into this, one after the other: no memory is taken for what is only passed on. */
  private readonly piece = Buffer.allocUnsafeSlow(PIECE);
  private folder: string | undefined;
  private making: Promise<void> | undefined;
  private count = 0;
  private failed = false;

  /** @param report Hears why there are no pipes here, once. @param program What makes them. */
  constructor(
    private readonly report: (message: string) => void,
    private readonly program = 'mkfifo',
  ) {
    this.failed = process.platform === 'win32';
  }

  /** `undefined` where there are none: on Windows, or where the temporary folder cannot hold them. Never rejects. */
  async take(): Promise<OutputPipe | undefined> {
    while (this.names.length === 0 && !this.failed) await this.make();
    const name = this.names.pop();
    if (name === undefined) return undefined;
    if (this.names.length === 0) void this.make();
    try {
      return opened(name, this.piece);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  dispose(): void {
    this.failed = true;
    this.names.length = 0;
    if (this.folder === undefined) return;
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private make(): Promise<void> {
    this.making ??= this.makeBatch()
      .catch((error: unknown) => {
        this.fail(error);
      })
      .finally(() => {
        this.making = undefined;
      });
    return this.making;
  }

  private async makeBatch(): Promise<void> {
    this.folder ??= fs.mkdtempSync(path.join(os.tmpdir(), PIPES));
    const { folder } = this;
    const names = Array.from({ length: BATCH }, () => path.join(folder, String((this.count += 1))));
    await made(this.program, names);
    if (!this.failed) this.names.push(...names);
  }

  private fail(error: unknown): void {
    if (!this.failed) this.report(`Terminals keep stdout and stderr apart: ${messageOf(error)}`);
    this.dispose();
  }
}

function made(program: string, names: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, ['-m', '600', ...names], { timeout: PATIENCE }, (error) => {
      if (error === null) resolve();
      else reject(new Error(messageOf(error), { cause: error }));
    });
  });
}

function opened(name: string, buffer: Buffer): OutputPipe {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants;
  // This side first, without waiting: then there is somebody to read, and opening the other side does not wait.
  const readEnd = fs.openSync(name, O_RDONLY | O_NONBLOCK);
  let writeEnd: number | undefined;
  try {
    writeEnd = fs.openSync(name, O_WRONLY);
    fs.unlinkSync(name);
    const listeners = new Set<(piece: Buffer) => void>();
    const callback = (length: number): boolean => {
      for (const heard of listeners) heard(buffer.subarray(0, length));
      return true;
    };
    // `onread` is a documented option that the types do not know.
    const onread = { buffer, callback };
    const options = { fd: readEnd, readable: true, writable: false, onread };
    const stream = new net.Socket(options);
    // Its pieces do not come this way, but its end does.
    stream.resume();
    const listen = (heard: (piece: Buffer) => void) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    };
    return { stream, listen, name: heldPipe(readEnd), writeEnd, started: closeOnce(writeEnd) };
  } catch (error) {
    fs.closeSync(readEnd);
    if (writeEnd !== undefined) fs.closeSync(writeEnd);
    throw error;
  }
}

function closeOnce(end: number): () => void {
  let closed = false;
  return () => {
    if (!closed) fs.closeSync(end);
    closed = true;
  };
}
