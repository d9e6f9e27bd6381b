import { FileFault, type VirtualFiles } from '../../src/client/ports.ts';

/** Files of a workspace that is not on this disk. */
export class FakeVirtualFiles implements VirtualFiles {
  readonly files = new Map<string, Uint8Array>();
  readonly written: string[] = [];
  isWritable = true;
  /** Called before a file is read. */
  onRead: () => void | Promise<void> = () => undefined;

  async read(path: string): Promise<Uint8Array> {
    await this.onRead();
    const bytes = this.files.get(path);
    if (bytes === undefined) throw new FileFault('notFound', `There is no such file: ${path}`);
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
