import * as vscode from 'vscode';
import { loadPage } from './chat/html.ts';
import { COMMAND_IDS, type CommandId } from './ui/commandIds.ts';

/** The id of the chat view in the manifest. */
const VIEW = 'parley.chat';

/** The application, as VS Code's entry points need it. */
export interface Application {
  /** Shows chats in a view whose page is loading. @param early What the page has said until now. */
  attach(view: vscode.WebviewView, early: readonly unknown[]): void;
  /** Runs a command; what goes wrong is shown to the person. */
  run(command: CommandId, argument: unknown): Promise<void>;
  /** Ends the agents and writes what is not yet written. */
  close(): Promise<void>;
}

/**
 * All that VS Code sees of Parley until it is used: the view and the commands. The application is loaded by the first
 * of them that is; the page of the view loads beside it, not after it.
 */
export class Shell implements vscode.WebviewViewProvider {
  private application: Promise<Application> | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly load: () => Promise<Application>,
  ) {
    context.subscriptions.push(
      vscode.window.registerWebviewViewProvider(VIEW, this),
      ...COMMAND_IDS.map((id) =>
        vscode.commands.registerCommand(id, (argument: unknown) => this.run(id, argument)),
      ),
    );
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    const early: unknown[] = [];
    const listening = view.webview.onDidReceiveMessage((message: unknown) => early.push(message));
    const gone = new AbortController();
    view.onDidDispose(() => {
      gone.abort();
    });
    loadPage(view.webview, this.context.extensionUri);
    const application = await this.start();
    listening.dispose();
    if (!gone.signal.aborted) application?.attach(view, early);
  }

  async close(): Promise<void> {
    const application = await this.application?.catch(() => undefined);
    await application?.close();
  }

  private async run(id: CommandId, argument: unknown): Promise<void> {
    const application = await this.start();
    await application?.run(id, argument);
  }

  /** `undefined` if it could not be loaded, which the person was told. */
  private async start(): Promise<Application | undefined> {
    this.application ??= this.load();
    try {
      return await this.application;
    } catch (error) {
      this.application = undefined;
      void vscode.window.showErrorMessage(
        vscode.l10n.t('Parley could not be started: {0}', String(error)),
      );
      return undefined;
    }
  }
}
