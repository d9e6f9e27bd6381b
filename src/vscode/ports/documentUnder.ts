import type * as vscode from 'vscode';
import { faultOf } from '../../client/files/faults.ts';
import { softlyEqual } from '../../client/files/lines.ts';
import { footingOf } from '../../client/files/realFolder.ts';
import { replaceFile, SYSTEM_CALLS } from '../../client/files/replaceFile.ts';
import { FileFault, type Log, type TextCodec } from '../../client/ports.ts';
import { showsText } from './documentReload.ts';
import { savedFile } from './savedFile.ts';

/**
 * Writes a text to the file of a clean document and waits, in bounded time, until the document shows it. Rejects with a
 * `FileFault`, with nothing written, if the file does not hold what the document shows, or either changes meanwhile.
 */
export async function writeUnder(
  document: vscode.TextDocument,
  text: string,
  { codec, log }: { readonly codec: TextCodec; readonly log: Log },
): Promise<void> {
  const file = document.uri.fsPath;
  const { version } = document;
  const shown = document.getText();
  try {
    const bytes = await codec.encode(text, file, document.encoding);
    const footing = footingOf(process.platform);
    const found = await savedFile(file);
    const { text: saved } = await codec.decode(found.bytes, file);
    const isCurrent = (): boolean => document.version === version && !document.isDirty;
    const { platform } = process;
    const how = { footing, platform, calls: SYSTEM_CALLS, log, leftovers: null };
    const same = softlyEqual(saved, shown);
    if (!same || !(await replaceFile(found.real, bytes, found, isCurrent, how))) {
      throw new FileFault(
        'failed',
        `The file was changed while it was to be written. Nothing was written; read it again: ${file}`,
      );
    }
  } catch (error) {
    throw faultOf(error, file, 'written');
  }
  if (!(await showsText(document, text))) {
    log.debug(`A document does not show yet what was written under it: ${file}`);
  }
}
