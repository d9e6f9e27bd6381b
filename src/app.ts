import path from 'node:path';
import type * as vscode from 'vscode';
import { messageOf } from './base/errors.ts';
import { Disposables } from './base/lifecycle.ts';
import { Agents } from './client/agents/agents.ts';
import { AgentCatalog } from './client/agents/catalog.ts';
import { PermissionDesk } from './client/requests/permissionDesk.ts';
import { PermissionPresenter } from './client/requests/permissionPresenter.ts';
import { RequestServices, type FilePorts } from './client/requests/requestServices.ts';
import { platformOf } from './client/files/paths.ts';
import { Chats } from './client/session/chats.ts';
import { ChatView } from './vscode/chat/chatView.ts';
import { ViewState } from './vscode/chat/viewState.ts';
import { ModalLaunchConsent } from './vscode/ports/launchConsent.ts';
import { ChannelLog } from './vscode/ports/log.ts';
import { GlobalMemory } from './vscode/ports/memory.ts';
import { QuickPickPermissionPrompt } from './vscode/ports/quickPickPermissionPrompt.ts';
import { SecretModelKeys } from './vscode/ports/secrets.ts';
import { sharedStorage } from './vscode/ports/sharedStorage.ts';
import { WindowSettings } from './vscode/ports/settings.ts';
import { EditorShell } from './vscode/ports/userShell.ts';
import { WindowWorkspace } from './vscode/ports/workspace.ts';
import type { Application } from './vscode/shell.ts';
import { Actions } from './vscode/ui/actions.ts';
import { commandsOf } from './vscode/ui/commands.ts';
import { ContextKeys } from './vscode/ui/contextKeys.ts';
import { DiffView } from './vscode/ui/diffView.ts';
import { Notify } from './vscode/ui/notify.ts';
import { TerminalPanels } from './vscode/ui/terminalPanel.ts';

/** Composition root: the only file that knows every part, and the only place where parts are created. */
export function createApplication(context: vscode.ExtensionContext): Application {
  const owned = new Disposables();
  const keys = new SecretModelKeys(context.secrets);
  const client = createClient(context, keys, owned);
  const { chats, agents, catalog, desk, settings, workspace, log } = client;

  const notify = new Notify(log);
  const diffs = owned.add(new DiffView());
  const source = new ViewState(chats, agents, workspace);
  const view = owned.add(new ChatView({ chats, desk, source, log }));
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
  const panels = owned.add(new TerminalPanels());
  const actions = new Actions({
    chats,
    agents,
    catalog,
    desk,
    settings,
    workspace,
    diffs,
    panels,
  });
  const commands = commandsOf({
    chats,
    desk,
    view,
    presenter,
    prompt,
    actions,
    modelKey: { settings, agents, keys },
    log,
  });

  owned.add(new ContextKeys(chats, desk));
  owned.add(view.onIntent((intent) => void notify.run(() => actions.perform(intent))));
  keepShown(view, client, owned);
  void notify.run(async () => {
    await chats.load();
    wakeAgents(view, chats, owned);
  });

  return {
    attach: (webviewView, early) => {
      view.attach(webviewView, early);
    },
    run: (command, argument) => notify.run(() => commands[command](argument)),
    close: async () => {
      owned.dispose();
      await agents.close();
    },
  };
}

interface Client {
  readonly log: ChannelLog;
  readonly settings: WindowSettings;
  readonly workspace: WindowWorkspace;
  readonly desk: PermissionDesk;
  readonly agents: Agents;
  readonly catalog: AgentCatalog;
  readonly chats: Chats;
}

function createClient(
  context: vscode.ExtensionContext,
  keys: SecretModelKeys,
  owned: Disposables,
): Client {
  const log = owned.add(new ChannelLog());
  const settings = owned.add(new WindowSettings(log));
  const workspace = owned.add(new WindowWorkspace());
  const desk = owned.add(
    new PermissionDesk((error) => {
      log.error(messageOf(error));
    }),
  );
  const catalog = new AgentCatalog({
    settings,
    workspace,
    consent: new ModalLaunchConsent(),
    memory: new GlobalMemory(context.globalState),
    keys,
    bundledAgent: context.asAbsolutePath(path.join('dist', 'agent.js')),
  });
  const logFolder = context.logUri.fsPath;
  const version = versionOf(context);
  const agents = owned.add(new Agents({ catalog, settings, workspace, log, logFolder, version }));
  const services = owned.add(
    new RequestServices({
      filePorts: () => loadFilePorts(owned, log),
      shell: new EditorShell(),
      settings,
      workspace,
      log,
    }),
  );
  const folder = chatFolder(context);
  const chats = owned.add(new Chats({ agents, desk, services, settings, workspace, folder, log }));
  return { log, settings, workspace, desk, agents, catalog, chats };
}

/** Many chats never touch a file through Parley. */
async function loadFilePorts(owned: Disposables, log: ChannelLog): Promise<FilePorts> {
  const ports = await import('./vscode/ports/filePorts.ts');
  return {
    documents: new ports.EditorDocuments({ platform: platformOf(process.platform), log }),
    codec: new ports.EditorCodec(),
    virtual: new ports.EditorVirtualFiles(),
    conflicts: owned.add(new ports.EditorWriteConflicts()),
  };
}

/** Tells the view of all that it shows beside the chats. */
function keepShown(view: ChatView, parts: Client, owned: Disposables): void {
  const touch = (): void => {
    view.touch();
  };
  owned.add(parts.agents.onDidChange(touch));
  owned.add(parts.settings.onDidChange(touch));
  owned.add(parts.workspace.onDidChange(touch));
}

/** Who sees a chat wants its agent ready. One that failed is started again only by the person. */
function wakeAgents(view: ChatView, chats: Chats, owned: Disposables): void {
  const wake = (): void => {
    const { agent } = chats.active;
    if (view.chatInView() !== undefined && agent.info.state.kind === 'idle') void agent.start();
  };
  owned.add(view.onDidChange(wake));
  wake();
}

/** Chats belong to a workspace, whichever of its windows they began in; those of no workspace stand apart. */
function chatFolder(context: vscode.ExtensionContext): string {
  const home =
    context.storageUri === undefined
      ? path.join(context.globalStorageUri.fsPath, 'no-folder')
      : sharedStorage(context.storageUri.fsPath);
  return path.join(home, 'chats');
}

function versionOf(context: vscode.ExtensionContext): string {
  const manifest: unknown = context.extension.packageJSON;
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? manifest.version
      : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
