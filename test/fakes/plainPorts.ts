import {
  FileFault,
  type ConflictAnswer,
  type Documents,
  type TextCodec,
  type VirtualFiles,
  type WriteConflict,
  type WriteConflicts,
} from '../../src/client/ports.ts';

/** An editor in which no file is open. */
export const noDocuments: Documents = {
  find: () => undefined,
  refreshed: () => Promise.resolve(),
};

/** UTF-8 and nothing else. */
export const utf8: TextCodec = {
  decode: (bytes) => Promise.resolve({ text: new TextDecoder().decode(bytes), encoding: 'utf8' }),
  encode: (text) => Promise.resolve(new TextEncoder().encode(text)),
};

export const noVirtualFiles: VirtualFiles = {
  read: (path) => Promise.reject(new FileFault('failed', `Not on this disk: ${path}`)),
  write: (path) => Promise.reject(new FileFault('failed', `Not on this disk: ${path}`)),
  writable: () => false,
};

/** A person who is asked about conflicts; each waits until the test answers it. */
export class ScriptedConflicts implements WriteConflicts {
  readonly asked: {
    readonly conflict: WriteConflict;
    readonly answer: (a: ConflictAnswer) => void;
  }[] = [];

  resolve(conflict: WriteConflict, signal: AbortSignal): Promise<ConflictAnswer> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve({ kind: 'mine' });
      });
      this.asked.push({ conflict, answer: resolve });
    });
  }
}
