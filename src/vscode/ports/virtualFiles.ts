import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { TooLargeFault } from '../../client/files/diskFile.ts';
import { relativeIn } from '../../client/files/paths.ts';
import { FileFault, type VirtualFiles } from '../../client/ports.ts';

type Folder = Pick<vscode.WorkspaceFolder, 'uri'>;

/** Files of the workspace folders that are not on this disk, through VS Code's file systems. */
export class EditorVirtualFiles implements VirtualFiles {
  /** @param folders All that the workspace has, those on this disk included. */
  constructor(
    private readonly folders: () => readonly Folder[] = () =>
      vscode.workspace.workspaceFolders ?? [],
  ) {}

  async read(file: string, maxBytes: number): Promise<Uint8Array> {
    const uri = this.uriOf(file);
    try {
      const { type, size } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.Directory) !== 0) throw vscode.FileSystemError.FileIsADirectory();
      // VS Code has no way to read a part.
      if (size > maxBytes) throw new TooLargeFault(file, size, maxBytes);
      return await vscode.workspace.fs.readFile(uri);
    } catch (error) {
      throw faultOf(error, file, 'read');
    }
  }

  async write(file: string, bytes: Uint8Array): Promise<void> {
    const uri = this.uriOf(file);
    if (!isWritable(uri)) {
      throw new FileFault('refused', `The file is in a file system that is read-only: ${file}`);
    }
    try {
      await vscode.workspace.fs.createDirectory(uri.with({ path: path.posix.dirname(uri.path) }));
      // A copy: whoever keeps the file may keep the array, too, and change it.
      await vscode.workspace.fs.writeFile(uri, Uint8Array.from(bytes));
    } catch (error) {
      throw faultOf(error, file, 'written');
    }
  }

  writable(file: string): boolean {
    const [folder, another] = this.holding(file);
    return folder !== undefined && another === undefined && isWritable(folder.uri);
  }

  private uriOf(file: string): vscode.Uri {
    const [folder, another] = this.holding(file);
    if (folder === undefined) {
      throw new FileFault(
        'notFound',
        `There is no such file in the folders of this workspace: ${file}`,
      );
    }
    if (another === undefined) return folder.uri.with({ path: file });
    const names = [folder, another].map(({ uri }) => uri.toString(true)).join(' and ');
    throw new FileFault(
      'refused',
      `The path may mean a file of either of two folders of this workspace, ${names}, so nothing was done: ${file}`,
    );
  }

  /** The innermost folder off this disk that holds the path; more than one where a path does not tell them apart. */
  private holding(file: string): readonly Folder[] {
    const around = this.folders().filter(
      ({ uri }) => uri.scheme !== 'file' && relativeIn(file, pathOf(uri), 'posix') !== null,
    );
    const longest = Math.max(...around.map(({ uri }) => pathOf(uri).length));
    return around.filter(({ uri }) => pathOf(uri).length === longest);
  }
}

/** Without a separator at its end, which may or may not be there. */
function pathOf({ path: folder }: vscode.Uri): string {
  return folder.replace(/(?<=.)\/+$/, '');
}

function isWritable(uri: vscode.Uri): boolean {
  return vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}

function faultOf(error: unknown, file: string, done: 'read' | 'written'): FileFault {
  if (error instanceof FileFault) return error;
  switch (error instanceof vscode.FileSystemError ? error.code : '') {
    case 'FileNotFound':
      return new FileFault('notFound', `There is no such file: ${file}`);
    case 'FileIsADirectory':
      return new FileFault('failed', `This is a folder, not a file: ${file}`);
    case 'FileNotADirectory':
      return new FileFault('failed', `A part of this path is a file, not a folder: ${file}`);
    case 'NoPermissions':
      return new FileFault('refused', `The file may not be ${done} (no permission): ${file}`);
    case 'Unavailable':
      return new FileFault(
        'failed',
        `The file system is not available now; try again later: ${file}`,
      );
    default:
      return new FileFault(
        'failed',
        `The file could not be ${done}: ${file} (${messageOf(error)})`,
      );
  }
}
