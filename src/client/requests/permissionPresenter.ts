import { messageOf } from '../../base/errors.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { ChatWindow, Log, PermissionPrompt, Settings } from '../ports.ts';
import type { OpenPermission, PermissionDesk } from './permissionDesk.ts';

interface PermissionPresenterParts {
  readonly desk: PermissionDesk;
  readonly prompt: PermissionPrompt;
  readonly window: ChatWindow;
  readonly settings: Settings;
  readonly log: Log;
}

/**
 * Decides how the person hears of a permission request. A pick stands on screen only for the chat in view, one at a
 * time; requests of other chats are told by a notification each, and wait. Nothing here is an answer but an option that
 * the person chose.
 */
export class PermissionPresenter implements Disposable {
  private readonly owned = new Disposables();
  /** Requests that the person put away: they wait in the card, or for the command. */
  private readonly putAway = new Set<string>();
  /** Requests that the person asked to see: these get a pick whatever the setting says. */
  private readonly wanted = new Set<string>();
  private readonly notices = new Map<string, AbortController>();
  private pick: { readonly permissionId: string; readonly abort: AbortController } | null = null;
  private disposed = false;

  constructor(private readonly parts: PermissionPresenterParts) {
    const update = (): void => {
      this.update();
    };
    this.owned.add(parts.desk.onDidChange(update));
    this.owned.add(parts.window.onDidChange(update));
    this.owned.add(parts.settings.onDidChange(update));
    this.update();
  }

  /** Shows the oldest request of the chat in view, put away or not; if it has none, reveals the chat of the oldest. */
  showNext(): void {
    const open = this.parts.desk.open;
    const inView = this.parts.window.chatInView();
    const next = open.find((request) => request.chatId === inView) ?? open[0];
    if (next !== undefined) this.show(next);
  }

  dispose(): void {
    this.disposed = true;
    this.owned.dispose();
    this.pick?.abort.abort();
    for (const abort of this.notices.values()) abort.abort();
    this.notices.clear();
  }

  private show(request: OpenPermission): void {
    // Who asks for one is there for the others, too: they follow as they do when nothing was put away.
    for (const { chatId, permissionId } of this.parts.desk.open) {
      if (chatId === request.chatId) this.putAway.delete(permissionId);
    }
    this.wanted.add(request.permissionId);
    if (this.parts.window.chatInView() === request.chatId) {
      this.update();
      return;
    }
    this.parts.window.reveal(request.chatId).then(
      () => {
        this.update();
      },
      (error: unknown) => {
        this.parts.log.error(`The chat could not be shown: ${messageOf(error)}`);
      },
    );
  }

  private update(): void {
    if (this.disposed) return;
    const open = this.parts.desk.open;
    this.forget(open);
    this.updatePick(open);
    this.updateNotices(open);
  }

  private forget(open: readonly OpenPermission[]): void {
    const ids = new Set(open.map((request) => request.permissionId));
    for (const id of this.putAway) if (!ids.has(id)) this.putAway.delete(id);
    for (const id of this.wanted) if (!ids.has(id)) this.wanted.delete(id);
  }

  private updatePick(open: readonly OpenPermission[]): void {
    const inView = this.parts.window.chatInView();
    const eligible = open.filter(
      (request) => request.chatId === inView && this.deservesPick(request.permissionId),
    );
    const current = eligible.find((request) => request.permissionId === this.pick?.permissionId);
    if (current !== undefined) return;
    this.pick?.abort.abort();
    this.pick = null;
    const next = eligible.find((request) => this.wanted.has(request.permissionId)) ?? eligible[0];
    if (next !== undefined) this.openPick(next);
  }

  private deservesPick(permissionId: string): boolean {
    if (this.putAway.has(permissionId)) return false;
    return this.parts.settings.permissionPrompt() === 'quickPick' || this.wanted.has(permissionId);
  }

  private openPick(request: OpenPermission): void {
    const pick = { permissionId: request.permissionId, abort: new AbortController() };
    this.pick = pick;
    this.asked(request, pick.abort.signal)
      .catch((error: unknown) => {
        this.parts.log.error(`The permission pick failed: ${messageOf(error)}`);
        return undefined;
      })
      .then((optionId) => {
        if (this.pick === pick) this.pick = null;
        // Taken from the screen by us: nobody put it away, so it comes back with its chat.
        if (pick.abort.signal.aborted) return;
        if (optionId === undefined) this.putAwayAll(request.chatId);
        else if (!this.parts.desk.answer(request.permissionId, optionId)) {
          this.putAway.add(request.permissionId);
          this.wanted.delete(request.permissionId);
        }
        this.update();
      })
      .catch((error: unknown) => {
        this.parts.log.error(messageOf(error));
      });
  }

  /**
   * Who puts one request away wants the screen, for the command palette perhaps: no other request of the chat takes it
   * in its place. What is asked later is shown again.
   */
  private putAwayAll(chatId: string): void {
    for (const request of this.parts.desk.open) {
      if (request.chatId !== chatId) continue;
      this.putAway.add(request.permissionId);
      this.wanted.delete(request.permissionId);
    }
  }

  private updateNotices(open: readonly OpenPermission[]): void {
    const inView = this.parts.window.chatInView();
    const mode = this.parts.settings.permissionPrompt();
    const due = open.filter(
      (request) => mode === 'notification' || (mode === 'quickPick' && request.chatId !== inView),
    );
    const dueIds = new Set(due.map((request) => request.permissionId));
    for (const [id, abort] of this.notices) {
      if (dueIds.has(id)) continue;
      abort.abort();
      this.notices.delete(id);
    }
    for (const request of due) {
      if (!this.notices.has(request.permissionId)) this.notify(request);
    }
  }

  private notify(request: OpenPermission): void {
    const abort = new AbortController();
    this.notices.set(request.permissionId, abort);
    this.notified(request, abort.signal).then(
      (see) => {
        if (see && !abort.signal.aborted) this.show(request);
      },
      (error: unknown) => {
        this.parts.log.error(`The notification failed: ${messageOf(error)}`);
      },
    );
  }

  // Asynchronous, so that whatever the editor throws is a rejection and does not reach the agent's request.
  private async asked(
    { question }: OpenPermission,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    return this.parts.prompt.ask(question, signal);
  }

  private async notified({ question }: OpenPermission, signal: AbortSignal): Promise<boolean> {
    return this.parts.prompt.notify(question, signal);
  }
}
