import { FileFault, type VirtualFiles } from '../../client/ports.ts';

/** Files of the workspace folders that are not on this disk. */
export class EditorVirtualFiles implements VirtualFiles {
  read(path: string): Promise<Uint8Array> {
    return Promise.reject(new FileFault('failed', path));
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return Promise.reject(new FileFault('failed', `${path} ${bytes.length}`));
  }

  writable(path: string): boolean {
    return path === '';
  }
}
