import { TooLargeFault } from '../../src/client/files/diskFile.ts';
import { FileFault, type VirtualFiles } from '../../src/client/ports.ts';

/** Files of a workspace that is not on this disk. */
export class FakeVirtualFiles implements VirtualFiles {
  readonly files = new Map<string, Uint8Array>();
  readonly written: string[] = [];
  readonly loaded: string[] = [];
  isWritable = true;
  /** Called before a file is read. */
  onRead: () => void | Promise<void> = () => undefined;

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    await this.onRead();
    const bytes = this.files.get(path);
    if (bytes === undefined) throw new FileFault('notFound', `There is no such file: ${path}`);
    if (bytes.length > maxBytes) throw new TooLargeFault(path, bytes.length, maxBytes);
    this.loaded.push(path);
    return bytes;
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    this.written.push(path);
    this.files.set(path, bytes);
    return Promise.resolve();
  }

  writable(): boolean {
    return this.isWritable;
  }
}
