import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { ChatWindow, Log } from '../../client/ports.ts';
import type { PermissionDesk } from '../../client/requests/permissionDesk.ts';
import type { Chats } from '../../client/session/chats.ts';
import { ChatPage, type ViewSource } from './chatPage.ts';
import { parseIntent, type Intent } from './intents.ts';

/** The id of the view in the manifest. */
const VIEW = 'parley.chat';

export interface ChatViewParts {
  readonly chats: Chats;
  readonly desk: PermissionDesk;
  readonly source: ViewSource;
  readonly log: Log;
}

/**
 * The chat view: one page that shows the active chat. The page may be thrown away at any moment; VS Code does so
 * whenever the view is hidden.
 */
export class ChatView implements ChatWindow, vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly changed = new Emitter<void>();
  private readonly intended = new Emitter<Intent>();
  private readonly page: ChatPage;
  private view: vscode.WebviewView | undefined;
  private follows: { dispose(): void } | undefined;

  /** What the person did in the page, validated. */
  readonly onIntent = this.intended.event;
  readonly onDidChange = this.changed.event;

  constructor(private readonly parts: ChatViewParts) {
    this.page = new ChatPage(parts.source, (message) => {
      void this.view?.webview.postMessage(message);
    });
    const { chats, desk } = parts;
    this.owned.add(
      chats.onDidChangeActive(() => {
        this.switchChat();
      }),
    );
    this.owned.add(
      chats.onDidChangeList(() => {
        this.touch();
      }),
    );
    this.owned.add(
      desk.onDidChange(() => {
        // The list of chats tells which of them waits.
        this.page.touched();
        this.updateBadge();
      }),
    );
    this.follow();
  }

  /** Something beside the thread that the page shows may have changed: agents, settings, folders, trust. */
  touch(): void {
    this.page.touched();
    this.updateTitle();
  }

  chatInView(): string | undefined {
    return this.view?.visible === true ? this.parts.chats.active.id : undefined;
  }

  async reveal(chatId: string): Promise<void> {
    await this.parts.chats.open(chatId);
    await this.show();
  }

  /** Shows the view and puts the focus into the composer. */
  async focusComposer(): Promise<void> {
    await this.show();
    this.page.focusOn('composer');
  }

  /** Takes over a view whose page is loading. @param early What the page has said until now. */
  attach(view: vscode.WebviewView, early: readonly unknown[]): void {
    const owned = new Disposables();
    this.page.sleep();
    this.view = view;
    owned.add(
      view.webview.onDidReceiveMessage((message: unknown) => {
        this.receive(message);
      }),
    );
    owned.add(
      view.onDidChangeVisibility(() => {
        // A page that becomes visible is a new one: it says so itself.
        if (!view.visible) this.page.sleep();
        this.changed.fire();
      }),
    );
    view.onDidDispose(() => {
      owned.dispose();
      if (this.view !== view) return;
      this.view = undefined;
      this.page.sleep();
      this.changed.fire();
    });
    this.updateTitle();
    this.updateBadge();
    for (const message of early) this.receive(message);
    this.changed.fire();
  }

  dispose(): void {
    this.page.sleep();
    this.follows?.dispose();
    this.owned.dispose();
    this.changed.dispose();
    this.intended.dispose();
  }

  private async show(): Promise<void> {
    if (this.view === undefined) await vscode.commands.executeCommand(`${VIEW}.focus`);
    else this.view.show(false);
  }

  private receive(message: unknown): void {
    const intent = parseIntent(message, (line) => {
      this.parts.log.warn(line);
    });
    if (intent?.type === 'ready') this.page.ready();
    else if (intent !== undefined) this.intended.fire(intent);
  }

  private switchChat(): void {
    this.follow();
    this.page.switched();
    this.updateTitle();
    this.changed.fire();
  }

  private follow(): void {
    this.follows?.dispose();
    this.follows = this.parts.chats.active.onDidChange((changes) => {
      this.page.changed(changes);
    });
  }

  private updateTitle(): void {
    if (this.view === undefined) return;
    const title = this.parts.chats.active.title();
    if (this.view.description !== title) this.view.description = title;
  }

  private updateBadge(): void {
    if (this.view === undefined) return;
    const value = this.parts.desk.open.length;
    const tooltip =
      value === 1
        ? vscode.l10n.t('1 request waits for your permission')
        : vscode.l10n.t('{0} requests wait for your permission', value);
    // VS Code 1.100 forgets to remove a badge; it draws none for 0.
    this.view.badge = { value, tooltip };
    if (value === 0) this.view.badge = undefined;
  }
}
