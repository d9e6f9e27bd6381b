import type * as vscode from 'vscode';
import type { Memory } from '../../client/ports.ts';

/** VS Code's own store for small values, kept on this machine for all windows. */
export class GlobalMemory implements Memory {
  constructor(private readonly state: vscode.Memento) {}

  get(key: string): unknown {
    return this.state.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    await this.state.update(key, value);
  }
}
