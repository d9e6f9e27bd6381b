import { Emitter } from '../../src/base/event.ts';
import type { Workspace } from '../../src/client/ports.ts';

/** A workspace of the given folders. */
export class FakeWorkspace implements Workspace {
  private readonly changed = new Emitter<void>();
  private trust = true;
  private virtual: readonly string[] = [];

  readonly onDidChange = this.changed.event;

  constructor(private paths: readonly string[]) {}

  setFolders(paths: readonly string[]): void {
    this.paths = paths;
    this.changed.fire();
  }

  setTrust(trusted: boolean): void {
    this.trust = trusted;
    this.changed.fire();
  }

  folders(): readonly string[] {
    return this.paths;
  }

  setVirtualFolders(paths: readonly string[]): void {
    this.virtual = paths;
    this.changed.fire();
  }

  virtualFolders(): readonly string[] {
    return this.virtual;
  }

  trusted(): boolean {
    return this.trust;
  }
}
