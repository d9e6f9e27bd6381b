import * as vscode from 'vscode';
import type { Log } from '../../client/ports.ts';

/** The log channel "Parley", with the levels that the person sets in VS Code. */
export class ChannelLog implements Log, vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel('Parley', { log: true });

  trace(message: string): void {
    this.channel.trace(message);
  }

  debug(message: string): void {
    this.channel.debug(message);
  }

  info(message: string): void {
    this.channel.info(message);
  }

  warn(message: string): void {
    this.channel.warn(message);
  }

  error(message: string): void {
    this.channel.error(message);
  }

  show(): void {
    this.channel.show();
  }

  dispose(): void {
    this.channel.dispose();
  }
}
