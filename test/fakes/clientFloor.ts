import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { Agents } from '../../src/client/agents/agents.ts';
import { AgentCatalog } from '../../src/client/agents/catalog.ts';
import { PermissionDesk } from '../../src/client/requests/permissionDesk.ts';
import { PermissionPresenter } from '../../src/client/requests/permissionPresenter.ts';
import { RequestServices } from '../../src/client/requests/requestServices.ts';
import type { Documents } from '../../src/client/ports.ts';
import type { Chat } from '../../src/client/session/chat.ts';
import { Chats } from '../../src/client/session/chats.ts';
import type { Entry, TurnState } from '../../src/thread/thread.ts';
import { eventually } from './eventually.ts';
import { FakeChatWindow } from './fakeChatWindow.ts';
import { FakeConsent, FakeMemory, FakeModelKeys } from './fakeMemory.ts';
import { FakeSettings } from './fakeSettings.ts';
import { FakeWorkspace } from './fakeWorkspace.ts';
import { noDocuments, noVirtualFiles, ScriptedConflicts, utf8 } from './plainPorts.ts';
import { RecordingLog } from './recordingLog.ts';
import { ScriptedPrompt } from './scriptedPrompt.ts';

/** Folders of one test; `remove` takes them away. */
export class TestFolders {
  /** Real path, since links are followed where it matters. */
  readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-client-')));
  readonly workspace = this.made('workspace');
  readonly chats = path.join(this.root, 'storage', 'chats');
  readonly logs = path.join(this.root, 'logs');

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  private made(name: string): string {
    const folder = path.join(this.root, name);
    fs.mkdirSync(folder);
    return folder;
  }
}

export interface FloorOptions {
  /** Defaults to one folder, the test's workspace. */
  readonly workspaceFolders?: readonly string[];
  /** Defaults to an editor in which nothing is open. */
  readonly documents?: Documents;
  readonly stopPatience?: number;
  readonly sessionPatience?: number;
}

/** The whole application floor as a window has it, with fakes at its ports and real processes below. */
export class ClientFloor {
  readonly settings = new FakeSettings();
  readonly conflicts = new ScriptedConflicts();
  readonly prompt = new ScriptedPrompt();
  readonly window = new FakeChatWindow();
  readonly log = new RecordingLog();
  readonly memory = new FakeMemory();
  readonly consent = new FakeConsent();
  readonly keys = new FakeModelKeys();
  readonly desk = new PermissionDesk();
  readonly workspace: FakeWorkspace;
  readonly services: RequestServices;
  readonly agents: Agents;
  readonly chats: Chats;
  readonly presenter: PermissionPresenter;

  constructor(folders: TestFolders, options: FloorOptions = {}) {
    const { settings, log, desk } = this;
    this.workspace = new FakeWorkspace(options.workspaceFolders ?? [folders.workspace]);
    const { workspace } = this;
    this.services = new RequestServices({
      filePorts: () =>
        Promise.resolve({
          documents: options.documents ?? noDocuments,
          codec: utf8,
          virtual: noVirtualFiles,
          conflicts: this.conflicts,
        }),
      shell: { path: () => '/bin/sh' },
      settings,
      workspace,
      log,
    });
    const { services } = this;
    this.agents = new Agents({
      catalog: new AgentCatalog({
        settings,
        workspace,
        consent: this.consent,
        memory: this.memory,
        keys: this.keys,
        bundledAgent: path.resolve('dist/agent.js'),
      }),
      settings,
      workspace,
      log,
      logFolder: folders.logs,
      version: '0.0.0-test',
      ...(options.sessionPatience === undefined
        ? {}
        : { sessionPatience: options.sessionPatience }),
    });
    this.chats = new Chats({
      agents: this.agents,
      desk,
      services,
      settings,
      workspace,
      folder: folders.chats,
      log,
      ...(options.stopPatience === undefined ? {} : { stopPatience: options.stopPatience }),
    });
    this.presenter = new PermissionPresenter({
      desk,
      prompt: this.prompt,
      window: this.window,
      settings,
      log,
    });
  }

  /** Defines an agent of `test/fakes/agents` and makes a chat with it. */
  chatWith(rogue: string, args: readonly string[] = []): Chat {
    this.settings.define(rogue, {
      command: process.execPath,
      args: [path.resolve(`test/fakes/agents/${rogue}.mjs`), ...args],
    });
    return this.chats.newChat(rogue);
  }

  /** As the window does when it closes. */
  close(): void {
    this.presenter.dispose();
    this.chats.dispose();
    this.agents.dispose();
    this.services.dispose();
    this.desk.dispose();
  }
}

/** Texts of one kind in all turns, joined. */
export function said(chat: Chat, kind: 'user' | 'agent' | 'thought' | 'notice'): string {
  return entries(chat)
    .map((entry) => (entry.kind === kind ? entry.text : ''))
    .join('');
}

export function entries({ thread }: Chat): readonly Entry[] {
  const turns = thread.latest === null ? thread.past : [...thread.past, thread.latest];
  return turns.flatMap((turn) => turn.entries);
}

/** `none` before the first turn. */
export function stateOf(chat: Chat): TurnState['kind'] | 'none' {
  return chat.thread.latest?.state.kind ?? 'none';
}

/** A floor for one test, in folders of its own; both go when the test ends. */
export function floorFor(
  t: TestContext,
  options?: FloorOptions,
): ClientFloor & { readonly folders: TestFolders } {
  const folders = new TestFolders();
  const floor = new ClientFloor(folders, options);
  t.after(() => {
    floor.close();
    folders.remove();
  });
  return Object.assign(floor, { folders });
}

/** Waits until the turn of a chat has ended. */
export function ended(chat: Chat): Promise<void> {
  return eventually('the turn ends', () => !chat.isRunning && stateOf(chat) !== 'running');
}

/** A prompt for `scripted`: what it is to do. */
export function steps(...list: readonly (readonly unknown[])[]): string {
  return JSON.stringify(list);
}
