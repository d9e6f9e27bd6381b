import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ConflictAnswer, WriteConflict, WriteConflicts } from '../../client/ports.ts';
import { MergeEditor } from './mergeEditor.ts';
import { cut, escapeNotice } from './plainText.ts';

const MINE: ConflictAnswer = { kind: 'mine' };
const NAME_LENGTH = 80;

/** Asks with a notification, which takes no focus. Merging happens in an editor of its own. */
export class EditorWriteConflicts implements WriteConflicts {
  /** Folders with the texts that were merged in this window: what a person typed can be opened again while it is open. */
  private readonly folders: string[] = [];

  async resolve(conflict: WriteConflict, signal: AbortSignal): Promise<ConflictAnswer> {
    if (signal.aborted) return MINE;
    const keep = vscode.l10n.t('Keep Mine');
    const take = vscode.l10n.t("Take the Agent's");
    const merge = vscode.l10n.t('Open Merge…');
    const chosen = await untilAborted(
      vscode.window.showWarningMessage(
        vscode.l10n.t(
          'You and {0} changed the same lines of {1}.',
          shown(conflict.agentName),
          shown(path.basename(conflict.path)),
        ),
        keep,
        take,
        merge,
      ),
      signal,
    );
    if (chosen === take) return { kind: 'theirs' };
    if (chosen !== merge) return MINE;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-merge-'));
    this.folders.push(folder);
    const editor = await MergeEditor.open(folder, conflict);
    try {
      const text = await untilAborted(editor.merged(), signal);
      return text === undefined ? MINE : { kind: 'merged', text };
    } finally {
      editor.dispose();
    }
  }

  dispose(): void {
    for (const folder of this.folders.splice(0))
      fs.rmSync(folder, { recursive: true, force: true });
  }
}

function shown(name: string): string {
  return cut(escapeNotice(name), NAME_LENGTH);
}

/** What a person answers, or `undefined` as soon as nobody wants the answer any more. */
async function untilAborted<T>(
  answer: Thenable<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let leave: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => {
      resolve(undefined);
    };
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
