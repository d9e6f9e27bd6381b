import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { relativeIn } from '../../client/files/paths.ts';
import { FileFault, type VirtualFiles } from '../../client/ports.ts';

/** Files of the workspace folders that are not on this disk, through VS Code's file systems. */
export class EditorVirtualFiles implements VirtualFiles {
  async read(file: string): Promise<Uint8Array> {
    const uri = uriOf(file);
    try {
      const { type } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.Directory) !== 0) throw vscode.FileSystemError.FileIsADirectory();
      return await vscode.workspace.fs.readFile(uri);
    } catch (error) {
      throw faultOf(error, file, 'read');
    }
  }

  async write(file: string, bytes: Uint8Array): Promise<void> {
    const uri = uriOf(file);
    if (!isWritable(uri)) {
      throw new FileFault('refused', `The file is in a file system that is read-only: ${file}`);
    }
    try {
      await vscode.workspace.fs.createDirectory(uri.with({ path: path.posix.dirname(uri.path) }));
      await vscode.workspace.fs.writeFile(uri, bytes);
    } catch (error) {
      throw faultOf(error, file, 'written');
    }
  }

  writable(file: string): boolean {
    const folder = folderOf(file);
    return folder !== undefined && isWritable(folder.uri);
  }
}

/** The innermost workspace folder off this disk that holds the path. */
function folderOf(file: string): vscode.WorkspaceFolder | undefined {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme !== 'file' && relativeIn(file, uri.path, 'posix') !== null)
    .sort((one, other) => other.uri.path.length - one.uri.path.length)[0];
}

function uriOf(file: string): vscode.Uri {
  const folder = folderOf(file);
  if (folder !== undefined) return folder.uri.with({ path: file });
  throw new FileFault(
    'notFound',
    `There is no such file in the folders of this workspace: ${file}`,
  );
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
