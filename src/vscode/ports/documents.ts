import * as vscode from 'vscode';
import type { Platform } from '../../client/files/paths.ts';
import type { Documents, Log, OpenDocument, TextCodec } from '../../client/ports.ts';
import { showsText } from './documentReload.ts';
import { EditorDocument } from './editorDocument.ts';
import { EditorCodec } from './textCodec.ts';

/** The documents of this window: files on the disk, and new ones that have a path. */
export class EditorDocuments implements Documents {
  /** @param parts `platform` decides whether paths differ by case. */
  constructor(
    private readonly parts: {
      readonly platform: Platform;
      readonly log: Log;
      readonly codec?: TextCodec;
    },
  ) {}

  find(path: string): OpenDocument | undefined {
    const document = this.documentOf(path);
    if (document === undefined) return undefined;
    const { codec = new EditorCodec(), log } = this.parts;
    return new EditorDocument(document, { codec, log });
  }

  async refreshed(path: string, text: string): Promise<void> {
    const document = this.documentOf(path);
    if (document === undefined || document.isUntitled) return;
    if (await showsText(document, text)) return;
    this.parts.log.debug(`A document does not show yet what is on the disk: ${path}`);
  }

  /** A saved file's comes before a new one's of the same path. */
  private documentOf(path: string): vscode.TextDocument | undefined {
    const wanted = comparable(path, this.parts.platform);
    const found = vscode.workspace.textDocuments.filter(
      (document) =>
        !document.isClosed &&
        (document.uri.scheme === 'file' || document.uri.scheme === 'untitled') &&
        comparable(document.uri.fsPath, this.parts.platform) === wanted,
    );
    return found.find((document) => !document.isUntitled) ?? found[0];
  }
}

/** Windows and macOS do not tell case apart, and macOS does not tell the forms of Unicode apart. */
function comparable(path: string, platform: Platform): string {
  if (platform === 'posix') return path;
  return path.normalize('NFC').toLowerCase();
}
