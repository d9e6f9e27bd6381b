import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Chat } from '../../client/session/chat.ts';
import type { TerminalExit } from '../../thread/thread.ts';
import { cut, escapeLabel } from '../ports/plainText.ts';
import { HarmlessOutput } from './harmlessOutput.ts';

/** Characters of what was printed before that are written into a panel; VS Code keeps about as many lines. */
const HELD = 1_000_000;

const NAME_LENGTH = 60;

/** Agents' terminals in VS Code's own panel, to read along: one panel for each, which may be closed at any time. */
export class TerminalPanels implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.Terminal>();
  private readonly closing = vscode.window.onDidCloseTerminal((closed) => {
    for (const [id, panel] of this.panels) if (panel === closed) this.panels.delete(id);
  });

  /** @returns False if the chat knows no such terminal. */
  show(chat: Chat, terminalId: string): boolean {
    const terminal = Object.hasOwn(chat.thread.terminals, terminalId)
      ? chat.thread.terminals[terminalId]
      : undefined;
    if (terminal === undefined) return false;
    const known = this.panels.get(terminalId);
    const panel =
      known ??
      vscode.window.createTerminal({
        name: escapeLabel(cut(terminal.command, NAME_LENGTH)),
        pty: new ReadOnlyTerminal(chat, terminalId),
        iconPath: new vscode.ThemeIcon('eye'),
        isTransient: true,
      });
    this.panels.set(terminalId, panel);
    panel.show(false);
    return true;
  }

  dispose(): void {
    this.closing.dispose();
    for (const panel of this.panels.values()) panel.dispose();
    this.panels.clear();
  }
}

/** A terminal that shows what a command prints and takes nothing. */
class ReadOnlyTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly output = new HarmlessOutput();
  private tap: Disposable | undefined;
  private hinted = false;
  private ended = false;

  readonly onDidWrite = this.written.event;

  constructor(
    private readonly chat: Chat,
    private readonly terminalId: string,
  ) {}

  open(): void {
    const { chat, terminalId } = this;
    const { command = '', output = '' } = chat.thread.terminals[terminalId] ?? {};
    this.dim(`$ ${this.output.filter(command)}`);
    this.tap = chat.requests.tap(
      terminalId,
      (text) => {
        this.print(text);
      },
      () => {
        this.end();
      },
    );
    if (this.tap !== undefined) return;
    // Of a terminal of an earlier window there is what the chat keeps.
    this.print(output);
    this.end();
  }

  close(): void {
    this.tap?.dispose();
    this.written.dispose();
  }

  handleInput(): void {
    if (this.hinted) return;
    this.hinted = true;
    this.dim(vscode.l10n.t('What the agent’s command prints is shown here; it takes no input.'));
  }

  private print(text: string): void {
    const start = text.length > HELD ? text.indexOf('\n', text.length - HELD) + 1 : 0;
    this.written.fire(this.output.filter(text.slice(start)));
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    const exit = this.chat.thread.terminals[this.terminalId]?.exit;
    if (exit) this.dim(`\r\n${endInWords(exit)}`);
  }

  /** Words of our own. */
  private dim(text: string): void {
    this.written.fire(`\u001B[0;2m${text}\u001B[0m\r\n`);
  }
}

function endInWords({ code, signal }: TerminalExit): string {
  if (code !== null) return vscode.l10n.t('Ended with exit code {0}.', code);
  return signal === null ? vscode.l10n.t('Ended.') : vscode.l10n.t('Ended by {0}.', signal);
}
