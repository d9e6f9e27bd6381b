import path from 'node:path';
import * as vscode from 'vscode';
import { Cancelled, messageOf } from '../../base/errors.ts';
import { FileFault, type WorkspaceFiles } from '../../client/ports.ts';
import { sliceLines, smallestReplacement, withLineEndsOf } from './textRanges.ts';

/** The largest file that is read, in bytes: it is held in memory several times on its way to the agent. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Encodings that a file's first bytes tell. Others are what VS Code's settings say. */
const MARKS: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf8bom' },
  { bytes: [0xff, 0xfe], encoding: 'utf16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf16be' },
];

/**
 * Text files as the person sees them: what is typed and not saved is read first, and writing goes through the open
 * document, so that it can be undone. Where files may be is not decided here.
 */
export class EditorFiles implements WorkspaceFiles {
  /** The last write of each file that is being written, so that two never mix. */
  private readonly writing = new Map<string, Promise<void>>();

  async read(
    file: string,
    range: { readonly line: number | null; readonly limit: number | null },
    signal: AbortSignal,
  ): Promise<string> {
    const uri = vscode.Uri.file(file);
    const document = openDocument(uri);
    if (document?.isDirty === true) return sliceLines(document.getText(), range);
    const text = await decode(uri, await readBytes(uri));
    stopIfAborted(signal);
    return sliceLines(text, range);
  }

  async write(file: string, content: string, signal: AbortSignal): Promise<void> {
    const before = this.writing.get(file) ?? Promise.resolve();
    const mine = before.then(() => this.writeNow(vscode.Uri.file(file), content, signal));
    const settled = mine.catch(() => undefined);
    this.writing.set(file, settled);
    try {
      await mine;
    } finally {
      if (this.writing.get(file) === settled) this.writing.delete(file);
    }
  }

  private async writeNow(uri: vscode.Uri, content: string, signal: AbortSignal): Promise<void> {
    stopIfAborted(signal);
    if (!vscode.workspace.isTrusted) {
      throw new FileFault(
        'refused',
        'Files cannot be written: the person has not trusted this workspace.',
      );
    }
    const document = openDocument(uri);
    if (document === undefined) await writeBytes(uri, content, signal);
    else await writeDocument(document, content);
  }
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === uri.toString(),
  );
}

async function readBytes(uri: vscode.Uri): Promise<Uint8Array> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) {
      throw new FileFault('failed', `This is a folder, not a file: ${uri.fsPath}`);
    }
    if (size > MAX_BYTES) {
      throw new FileFault(
        'failed',
        `The file is too large to be read (${size} bytes): ${uri.fsPath}`,
      );
    }
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    throw fault(error, uri, 'read');
  }
}

async function decode(uri: vscode.Uri, bytes: Uint8Array): Promise<string> {
  try {
    return await vscode.workspace.decode(bytes, { uri });
  } catch (error) {
    throw new FileFault('failed', `The file is not text: ${uri.fsPath} (${messageOf(error)})`);
  }
}

/** One replacement, so that one undo takes it back, and as small as can be, so that cursors and folding stay. */
async function writeDocument(document: vscode.TextDocument, content: string): Promise<void> {
  const before = document.getText();
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const change = smallestReplacement(before, content.replace(/\r\n|\n|\r/g, lineEnd));
  if (change !== null) {
    const edit = new vscode.WorkspaceEdit();
    const range = new vscode.Range(
      document.positionAt(change.start),
      document.positionAt(change.end),
    );
    edit.replace(document.uri, range, change.text);
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw new FileFault(
        'failed',
        `The open document could not be changed (it may be read-only): ${document.uri.fsPath}`,
      );
    }
  }
  if (document.isDirty && !(await document.save())) {
    throw new FileFault(
      'failed',
      `The document was changed but could not be saved: ${document.uri.fsPath}`,
    );
  }
}

async function writeBytes(uri: vscode.Uri, content: string, signal: AbortSignal): Promise<void> {
  try {
    const bytes = await encode(uri, content);
    stopIfAborted(signal);
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(path.dirname(uri.fsPath)));
    await vscode.workspace.fs.writeFile(uri, bytes);
  } catch (error) {
    throw fault(error, uri, 'written');
  }
}

/** A file that is there keeps its byte-order mark and its line ends. */
async function encode(uri: vscode.Uri, content: string): Promise<Uint8Array> {
  const old = await existing(uri);
  if (old === undefined) return vscode.workspace.encode(content, { uri });
  const text = withLineEndsOf(await vscode.workspace.decode(old, { uri }), content);
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, index) => old[index] === byte));
  if (mark === undefined) return vscode.workspace.encode(text, { uri });
  return vscode.workspace.encode(text, { encoding: mark.encoding });
}

async function existing(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await readBytes(uri);
  } catch (error) {
    if (error instanceof FileFault && error.kind === 'notFound') return undefined;
    throw error;
  }
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Cancelled();
}

/** The sentence that the agent reads. */
function fault(error: unknown, uri: vscode.Uri, done: 'read' | 'written'): unknown {
  if (error instanceof FileFault || error instanceof Cancelled) return error;
  const code = error instanceof vscode.FileSystemError ? error.code : '';
  switch (code) {
    case 'FileNotFound':
      return new FileFault('notFound', `There is no such file: ${uri.fsPath}`);
    case 'FileIsADirectory':
      return new FileFault('failed', `This is a folder, not a file: ${uri.fsPath}`);
    case 'FileNotADirectory':
      return new FileFault('failed', `A part of this path is a file, not a folder: ${uri.fsPath}`);
    case 'NoPermissions':
      return new FileFault('refused', `The file may not be ${done} (no permission): ${uri.fsPath}`);
    default:
      return new FileFault(
        'failed',
        `The file could not be ${done}: ${uri.fsPath} (${messageOf(error)})`,
      );
  }
}
