import * as vscode from 'vscode';

/** A file system in memory, with two machines: an authority tells the other one. Folders are what files lie in. */
export class MemoryFileSystem implements vscode.FileSystemProvider {
  readonly files = new Map<string, Uint8Array>();
  readonly other = new Map<string, Uint8Array>();
  /** The paths of what was read. */
  readonly loaded: string[] = [];
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.changed.event;

  text(path: string): string | undefined {
    const bytes = this.files.get(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const bytes = this.of(uri).get(uri.path);
    const type = bytes === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    if (bytes === undefined && !this.hasFolder(uri)) throw vscode.FileSystemError.FileNotFound(uri);
    return { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    // Comes with its files.
  }

  readFile(uri: vscode.Uri): Uint8Array {
    this.loaded.push(uri.path);
    const bytes = this.of(uri).get(uri.path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (this.hasFolder(uri)) throw vscode.FileSystemError.FileIsADirectory(uri);
    this.of(uri).set(uri.path, content);
  }

  delete(uri: vscode.Uri): void {
    this.of(uri).delete(uri.path);
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  private of(uri: vscode.Uri): Map<string, Uint8Array> {
    return uri.authority === '' ? this.files : this.other;
  }

  private hasFolder(uri: vscode.Uri): boolean {
    if (uri.path === '/virtual' || uri.path === '/virtual/inner') return true;
    return [...this.of(uri).keys()].some((path) => path.startsWith(`${uri.path}/`));
  }
}
