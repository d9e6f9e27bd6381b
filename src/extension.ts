import path from 'node:path';
import * as vscode from 'vscode';
import { Disposables } from './base/lifecycle.ts';
import { Agents } from './client/agents/agents.ts';
import { AgentCatalog } from './client/agents/catalog.ts';
import { FileHandler } from './client/requests/fileHandler.ts';
import { PermissionDesk } from './client/requests/permissionDesk.ts';
import { PermissionPresenter } from './client/requests/permissionPresenter.ts';
import { Chats } from './client/session/chats.ts';
import { ChatView } from './vscode/chat/chatView.ts';
import { ViewState } from './vscode/chat/viewState.ts';
import { ModalLaunchConsent } from './vscode/ports/launchConsent.ts';
import { ChannelLog } from './vscode/ports/log.ts';
import { GlobalMemory } from './vscode/ports/memory.ts';
import { QuickPickPermissionPrompt } from './vscode/ports/quickPickPermissionPrompt.ts';
import { WindowSettings } from './vscode/ports/settings.ts';
import { WindowWorkspace } from './vscode/ports/workspace.ts';
import { EditorFiles } from './vscode/ports/workspaceFiles.ts';
import { Actions } from './vscode/ui/actions.ts';
import { registerCommands } from './vscode/ui/commands.ts';
import { ContextKeys } from './vscode/ui/contextKeys.ts';
import { DiffView } from './vscode/ui/diffView.ts';
import { Notify } from './vscode/ui/notify.ts';

/** All that lives while the extension is active; VS Code gives `deactivate` no other way to find it. */
let running: { readonly parts: Disposables; readonly agents: Agents } | undefined;

/** Composition root: the only file that knows every part, and the only place where parts are created. */
export function activate(context: vscode.ExtensionContext): void {
  const owned = new Disposables();
  const log = owned.add(new ChannelLog());
  const notify = new Notify(log);
  const settings = owned.add(new WindowSettings(log));
  const workspace = owned.add(new WindowWorkspace());
  const diffs = owned.add(new DiffView());

  const desk = owned.add(new PermissionDesk());
  const agents = owned.add(
    new Agents({
      catalog: new AgentCatalog({
        settings,
        workspace,
        consent: new ModalLaunchConsent(),
        memory: new GlobalMemory(context.globalState),
        bundledAgent: context.asAbsolutePath(path.join('dist', 'agent.js')),
      }),
      files: new FileHandler(new EditorFiles(), workspace, log),
      settings,
      workspace,
      log,
      logFolder: context.logUri.fsPath,
      version: versionOf(context),
    }),
  );
  running = { parts: owned, agents };
  const chats = owned.add(
    new Chats({ agents, desk, settings, workspace, folder: chatFolder(context), log }),
  );

  const source = new ViewState(chats, agents, workspace);
  const view = owned.add(
    new ChatView({ extensionUri: context.extensionUri, chats, desk, source, log }),
  );
  const prompt = new QuickPickPermissionPrompt({
    showText: (name, text) => diffs.showText(name, text),
    showDiffs: (shown) => diffs.showDiffs(shown),
    onDidClose: diffs.onDidClose,
    failed: (error) => {
      notify.error(error);
    },
  });
  const presenter = owned.add(
    new PermissionPresenter({ desk, prompt, window: view, settings, log }),
  );
  const actions = new Actions({ chats, agents, desk, settings, workspace, diffs });

  const touch = (): void => {
    view.touch();
  };
  // Who sees a chat wants its agent ready. One that failed is started again only by the person.
  const wake = (): void => {
    const { agent } = chats.active;
    if (view.chatInView() !== undefined && agent.info.state.kind === 'idle') void agent.start();
  };
  owned.add(agents.onDidChange(touch));
  owned.add(settings.onDidChange(touch));
  owned.add(workspace.onDidChange(touch));
  owned.add(view.onIntent((intent) => void notify.run(() => actions.perform(intent))));
  owned.add(new ContextKeys(chats, desk));
  owned.add(registerCommands({ chats, desk, view, presenter, prompt, actions, notify, log }));
  void notify.run(async () => {
    await chats.load();
    owned.add(view.onDidChange(wake));
    wake();
  });
}

/** Ends the agents and writes what is not yet written. VS Code waits a few seconds for this. */
export async function deactivate(): Promise<void> {
  const last = running;
  running = undefined;
  last?.parts.dispose();
  await last?.agents.close();
}

/** Chats belong to a workspace; a window without one has a folder of its own. */
function chatFolder(context: vscode.ExtensionContext): string {
  const home = context.storageUri ?? vscode.Uri.joinPath(context.globalStorageUri, 'no-folder');
  return vscode.Uri.joinPath(home, 'chats').fsPath;
}

function versionOf(context: vscode.ExtensionContext): string {
  const manifest: unknown = context.extension.packageJSON;
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? manifest.version
      : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
