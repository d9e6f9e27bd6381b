import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import { Disposables } from '../../base/lifecycle.ts';
import type { AgentSetting, Log, ReferenceModel, Settings } from '../../client/ports.ts';
import { mergeAgents, type AgentsLevel } from './agentSettings.ts';

const SECTION = 'parley';
const REFERENCE = 'reference';

/**
 * VS Code's settings. Where a value that can start a program comes from a workspace, it says so, and in an untrusted
 * workspace there is no such value.
 */
export class WindowSettings implements Settings, vscode.Disposable {
  private readonly owned = new Disposables();
  private readonly changed = this.owned.add(new Emitter<void>());
  private readonly reported = new Set<string>();

  readonly onDidChange = this.changed.event;

  constructor(private readonly log: Log) {
    this.owned.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(SECTION)) return;
        // What was put right and breaks again is news.
        if (event.affectsConfiguration(`${SECTION}.agents`)) this.reported.clear();
        this.changed.fire();
      }),
    );
    this.owned.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.changed.fire();
      }),
    );
  }

  agents(): ReadonlyMap<string, AgentSetting> {
    const levels: AgentsLevel[] = [
      { value: section().inspect('agents')?.globalValue, origin: 'user' },
    ];
    if (vscode.workspace.isTrusted) {
      levels.push({ value: section().inspect('agents')?.workspaceValue, origin: 'workspace' });
      // The first folder is the strongest, as everywhere else in Parley.
      for (const folder of [...folders()].reverse()) {
        const value = section(folder).inspect('agents')?.workspaceFolderValue;
        levels.push({ value, origin: 'workspace' });
      }
    }
    return mergeAgents(levels, (message) => {
      this.report(message);
    });
  }

  defaultAgent(): string {
    const found = section(folders()[0]).inspect('defaultAgent');
    const trusted = vscode.workspace.isTrusted;
    const value =
      (trusted ? (found?.workspaceFolderValue ?? found?.workspaceValue) : undefined) ??
      found?.globalValue ??
      REFERENCE;
    if (value === REFERENCE) return REFERENCE;
    if (typeof value === 'string' && this.agents().has(value)) return value;
    this.report(`parley.defaultAgent names no agent: ${JSON.stringify(value)}`);
    return REFERENCE;
  }

  async setDefaultAgent(id: string): Promise<void> {
    const found = section(folders()[0]).inspect('defaultAgent');
    const target =
      found?.workspaceFolderValue !== undefined
        ? vscode.ConfigurationTarget.WorkspaceFolder
        : found?.workspaceValue !== undefined
          ? vscode.ConfigurationTarget.Workspace
          : vscode.ConfigurationTarget.Global;
    await section(folders()[0]).update('defaultAgent', id, target);
  }

  permissionPrompt(): 'quickPick' | 'notification' | 'card' {
    const value: unknown = section().get('permissions.prompt');
    return value === 'notification' || value === 'card' ? value : 'quickPick';
  }

  trace(): boolean {
    return section().get('trace') === true;
  }

  initializeTimeout(): number {
    return 1000 * number('initializeTimeout', 30, 1, 600);
  }

  maxLineBytes(): number {
    return Math.floor(number('wire.maxLineBytes', 64 * 1024 * 1024, 64 * 1024, 512 * 1024 * 1024));
  }

  runSaveActions(): boolean {
    return section().get('files.runSaveActions') === true;
  }

  maxReadBytes(): number {
    return Math.floor(number('files.maxReadBytes', 16 * 1024 * 1024, 64 * 1024, 256 * 1024 * 1024));
  }

  referenceModel(): ReferenceModel {
    return {
      baseUrl: ownText('referenceAgent.baseUrl'),
      model: ownText('referenceAgent.model'),
      contextTokens: Math.floor(number('referenceAgent.contextTokens', 32_768, 2_048, 4_194_304)),
    };
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Once: settings are read often. */
  private report(message: string): void {
    if (this.reported.has(message)) return;
    this.reported.add(message);
    this.log.warn(message);
  }
}

function section(folder?: vscode.Uri): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION, folder);
}

function folders(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
}

/** What the person's own settings say. Their scope is `machine`; should VS Code ever see it otherwise, this does not. */
function ownText(key: string): string {
  const value: unknown = section().inspect(key)?.globalValue;
  return typeof value === 'string' ? value.trim() : '';
}

/** A number within its bounds, whatever was typed. */
function number(key: string, fallback: number, least: number, most: number): number {
  const value: unknown = section().get(key);
  if (typeof value !== 'number' || Number.isNaN(value)) return fallback;
  return Math.min(most, Math.max(least, value));
}
